package document

import (
	"cmp"
	"context"
	"sync"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/schema"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/model"
	"rostrum/platform/principal"
)

// Conditions of communications, which are documents without trial texts: not hidden by a comms
// filter, hidden by one, and all.
var (
	shownCondition  = bun.SafeQuery("NOT hidden AND NOT ?", Trial("document"))
	hiddenCondition = bun.SafeQuery("hidden AND NOT ?", Trial("document"))
	anyCondition    = bun.SafeQuery("NOT ?", Trial("document"))
)

// communicationCondition returns the condition of the list of communications, with or without
// hidden ones.
func communicationCondition(showFiltered bool) schema.QueryWithArgs {
	if showFiltered {
		return anyCondition
	}
	return shownCondition
}

// Communications returns one page of the documents that match the filter, newest first unless an
// order is given. It leaves out documents that a comms filter hides, unless showFiltered is set.
// Without a filter the totals are the ones that the workspace keeps. If columns are named, it reads
// only these. It returns errs.ValidationFailed naming every invalid field.
func (s *Service) Communications(
	ctx context.Context, args model.PageArgs, showFiltered bool, filter *api.DocumentFilter, order *model.DocumentOrder,
	columns ...string,
) (*model.CommunicationConnection, error) {
	p := principal.Must(ctx)
	list, asked, err := s.newList(ctx, p.WorkspaceID, filter, order, columns)
	if err != nil {
		return nil, err
	}
	out := &model.CommunicationConnection{ShowFiltered: showFiltered}
	condition := communicationCondition(showFiltered)
	switch isFiltered := list.Count != nil; {
	case !isFiltered:
		s.countHidden(ctx, &list, out, args.Counted)
	default:
		list.Count = func(ctx context.Context) (int,
			error) {
			return s.countRows(ctx, p.WorkspaceID, filter, asked, condition)
		}
		out.Hidden = func(ctx context.Context) (int, error) {
			return s.countRows(ctx, p.WorkspaceID, filter, asked, hiddenCondition)
		}
	}
	all := list.Where
	list.Where = func(q *bun.SelectQuery) *bun.SelectQuery { return all(q).Where("?", condition) }
	out.Connection, err = list.Page(ctx, s.db, args)
	if err != nil {
		return nil, err
	}
	return out, nil
}

// countHidden sets the counts of a list without a filter: the workspace's totals less the trial
// texts.
func (s *Service) countHidden(ctx context.Context, list *dbx.List[model.Document], out *model.CommunicationConnection,
	counted bool) {
	workspaceID := principal.Must(ctx).WorkspaceID
	totals := s.withTotals(ctx, list, workspaceID, counted)
	trials := sync.OnceValues(func() (trialCount, error) { return s.countTrials(ctx, workspaceID) })
	list.Count = func(context.Context) (int, error) {
		w, err := totals()
		t, trialErr := trials()
		if out.ShowFiltered {
			return w.DocumentCount - t.All, cmp.Or(err, trialErr)
		}
		return w.DocumentCount - w.HiddenCount - (t.All - t.Hidden), cmp.Or(err, trialErr)
	}
	out.Hidden = func(context.Context) (int, error) {
		w, err := totals()
		t, trialErr := trials()
		return w.HiddenCount - t.Hidden, cmp.Or(err, trialErr)
	}
}

// trialCount is the number of a workspace's trial texts. Hidden counts the ones that comms filters
// hide.
type trialCount struct {
	All    int `bun:"all_trials"`
	Hidden int `bun:"hidden_trials"`
}

// countTrials counts the trial texts, which only the index document_trial has.
func (s *Service) countTrials(ctx context.Context, workspaceID string) (n trialCount, err error) {
	err = s.SelectIn(s.db, workspaceID).Where("?", Trial("d")).
		ColumnExpr("count(*) AS all_trials, coalesce(sum(CASE WHEN d.hidden THEN 1 ELSE 0 END), 0) AS hidden_trials").
		Scan(ctx, &n)
	return n, dbx.Err(err)
}

// Hide hides documents in the list of communications and shows others. The caller's transaction
// must hold the workspace's lock. Do not pass documents that are already in the wanted state,
// because they would be counted twice.
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
