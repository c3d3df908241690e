package document

import (
	"context"

	"github.com/uptrace/bun"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/model"
	"rostrum/principal"
)

// shownCondition is true for the documents that no comms filter hides.
const shownCondition = "NOT hidden"

// Communications returns one page of the caller's documents that match the filter with only the named columns (all when none is named), newest first
// unless an order is given. Documents that a comms filter hides are left out unless showFiltered is set. Without a filter the totals are those that
// the workspace keeps. It returns an error with the code errs.ValidationFailed that names every invalid field.
func (s *Service) Communications(
	ctx context.Context, args model.PageArgs, showFiltered bool, filter *api.DocumentFilter, order *model.DocumentOrder, columns ...string,
) (*model.CommunicationConnection, error) {
	p := principal.Must(ctx)
	list, err := s.newList(p.WorkspaceID, filter, order, columns)
	if err != nil {
		return nil, err
	}
	out := &model.CommunicationConnection{ShowFiltered: showFiltered}
	switch isFiltered := list.Count != nil; {
	case !isFiltered:
		s.countHidden(ctx, &list, out, args.Counted)
	case !showFiltered:
		list.Count = func(ctx context.Context) (int, error) { return s.countRows(ctx, p.WorkspaceID, filter, shownCondition) }
		fallthrough
	default:
		out.Hidden = func(ctx context.Context) (int, error) { return s.countRows(ctx, p.WorkspaceID, filter, "hidden") }
	}
	if all := list.Where; !showFiltered {
		list.Where = func(q *bun.SelectQuery) *bun.SelectQuery { return all(q).Where(shownCondition) }
	}
	out.Connection, err = list.Page(ctx, s.db, args)
	if err != nil {
		return nil, err
	}
	return out, nil
}

// countHidden sets the counts of a list without a filter, from the totals that the workspace keeps.
func (s *Service) countHidden(ctx context.Context, list *dbx.List[model.Document], out *model.CommunicationConnection, counted bool) {
	totals := s.withTotals(ctx, list, principal.Must(ctx).WorkspaceID, counted)
	list.Count = func(context.Context) (int, error) {
		w, err := totals()
		if out.ShowFiltered {
			return w.DocumentCount, err
		}
		return w.DocumentCount - w.HiddenCount, err
	}
	out.Hidden = func(context.Context) (int, error) {
		w, err := totals()
		return w.HiddenCount, err
	}
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
