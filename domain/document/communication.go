package document

import (
	"context"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/model"
	"rostrum/principal"
)

// newestFirst is the order of communications and of their index.
var newestFirst = dbx.Order{Column: "created_at", Time: true, Desc: true}

// Communications returns one page of the caller's documents with only the named columns (all when none is named). Documents that a comms
// filter hides are left out unless showFiltered is set. The totals are kept by the workspace, so nothing is counted. It returns an error
// with the code errs.ValidationFailed for invalid paging arguments.
func (s *Service) Communications(
	ctx context.Context, args model.PageArgs, showFiltered bool, columns ...string,
) (*model.CommunicationConnection, error) {
	p := principal.Must(ctx)
	list := dbx.List[model.Document]{
		Order: newestFirst, Columns: columns, Text: "content",
		Key: func(d *model.Document) (any, string) { return d.CreatedAt, d.ID },
		Where: func(q *bun.SelectQuery) *bun.SelectQuery {
			if q = q.Where("workspace_id = ?", p.WorkspaceID); showFiltered {
				return q
			}
			return q.Where("NOT hidden")
		},
	}
	totals := s.withTotals(ctx, &list, p.WorkspaceID, args.Counted)
	list.Count = func(context.Context) (int, error) {
		w, err := totals()
		if showFiltered {
			return w.DocumentCount, err
		}
		return w.DocumentCount - w.HiddenCount, err
	}
	page, err := list.Page(ctx, s.db, args)
	if err != nil {
		return nil, err
	}
	return &model.CommunicationConnection{
		Connection: page, ShowFiltered: showFiltered,
		Hidden: func(context.Context) (int, error) {
			w, err := totals()
			return w.HiddenCount, err
		},
	}, nil
}

// Hide hides documents in the list of communications and shows others, in the caller's transaction, which holds the workspace's lock. Documents
// that are already in the wanted state must not be passed, because they would be counted twice.
func (s *Service) Hide(ctx context.Context, tx dbx.Tx, workspaceID string, hide, show []string) error {
	if err := setHidden(ctx, tx, workspaceID, hide, true); err != nil {
		return err
	}
	if err := setHidden(ctx, tx, workspaceID, show, false); err != nil {
		return err
	}
	return addToHidden(ctx, tx, workspaceID, len(hide)-len(show))
}

func setHidden(ctx context.Context, tx dbx.Tx, workspaceID string, ids []string, hidden bool) error {
	if len(ids) == 0 {
		return nil
	}
	_, err := tx.NewUpdate().Model((*model.Document)(nil)).Set("hidden = ?", hidden).
		Where("workspace_id = ? AND id IN ?", workspaceID, bun.Tuple(ids)).Exec(ctx)
	return dbx.Err(err)
}

func addToHidden(ctx context.Context, tx dbx.Tx, workspaceID string, by int) error {
	if by == 0 {
		return nil
	}
	_, err := tx.NewUpdate().Model((*model.Workspace)(nil)).
		Set("hidden_count = hidden_count + ?", by).Where("id = ?", workspaceID).Exec(ctx)
	return dbx.Err(err)
}
