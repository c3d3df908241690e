package document

import (
	"context"
	"sync"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/model"
)

// newestFirst is the order of the list of communications, and of its index.
var newestFirst = dbx.Order{Column: "created_at", Time: true, Desc: true}

// Communications reads one page of the caller's documents without those that comms filters hide, unless they are wanted, too;
// of each only the named columns. The counts are kept by the workspace, so neither depends on how many documents there are.
func (s *Service) Communications(
	ctx context.Context, args model.PageArgs, showFiltered bool, columns ...string,
) (*model.CommunicationConnection, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	window, err := dbx.NewWindow(args, newestFirst)
	if err != nil {
		return nil, err
	}
	if len(columns) > 0 {
		columns = append(columns, "id", newestFirst.Column)
	}
	part := part{Window: window, order: newestFirst, workspaceID: p.WorkspaceID, shown: !showFiltered, counted: args.Counted}
	rows, counters, err := s.communications(ctx, part, columns)
	if err != nil {
		return nil, err
	}
	page := dbx.Connect(window, rows, func(d *model.Document) (any, string) { return d.CreatedAt, d.ID })
	counts := s.counts(ctx, p.WorkspaceID, counters)
	page.Count = func(context.Context) (int, error) {
		all, hidden, err := counts()
		if showFiltered {
			return all, err
		}
		return all - hidden, err
	}
	return &model.CommunicationConnection{
		DocumentConnection: model.DocumentConnection{Connection: page}, ShowFiltered: showFiltered,
		Hidden: func(context.Context) (int, error) {
			_, hidden, err := counts()
			return hidden, err
		},
	}, nil
}

func (s *Service) communications(ctx context.Context, p part, columns []string) ([]*model.Document, *model.Workspace, error) {
	q := s.db.NewSelect().Model((*model.Document)(nil)).Column(columns...).Where("workspace_id = ?", p.workspaceID)
	if p.shown {
		q = q.Where("NOT hidden")
	}
	return s.cut(ctx, q, p)
}

// counts gives both of the workspace's counters, which are read when either is asked for first unless they have been read with the rows.
func (s *Service) counts(ctx context.Context, workspaceID string, read *model.Workspace) func() (all, hidden int, err error) {
	once := sync.OnceValues(func() (*model.Workspace, error) {
		if read != nil {
			return read, nil
		}
		return s.counters(ctx, workspaceID)
	})
	return func() (all, hidden int, err error) {
		w, err := once()
		return w.DocumentCount, w.HiddenCount, err
	}
}

// Hide takes documents out of the list of communications and puts others back, in the caller's transaction, which holds the
// workspace's lock. Documents that are as wanted already must not be among them: they would be counted twice.
func (s *Service) Hide(ctx context.Context, tx dbx.Tx, workspaceID string, hide, show []string) error {
	if err := setHidden(ctx, tx, workspaceID, hide, true); err != nil {
		return err
	}
	if err := setHidden(ctx, tx, workspaceID, show, false); err != nil {
		return err
	}
	return countHidden(ctx, tx, workspaceID, len(hide)-len(show))
}

func setHidden(ctx context.Context, tx dbx.Tx, workspaceID string, ids []string, hidden bool) error {
	if len(ids) == 0 {
		return nil
	}
	_, err := tx.NewUpdate().Model((*model.Document)(nil)).Set("hidden = ?", hidden).
		Where("workspace_id = ? AND id IN ?", workspaceID, bun.Tuple(ids)).Exec(ctx)
	if err != nil {
		return dbx.Err(err)
	}
	by := 1
	if !hidden {
		by = -1
	}
	return dbx.Err(hideIn(ctx, tx, workspaceID, ids, by))
}

func countHidden(ctx context.Context, tx dbx.Tx, workspaceID string, by int) error {
	if by == 0 {
		return nil
	}
	_, err := tx.NewUpdate().Model((*model.Workspace)(nil)).
		Set("hidden_count = hidden_count + ?", by).Where("id = ?", workspaceID).Exec(ctx)
	return dbx.Err(err)
}
