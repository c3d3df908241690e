package tag

import (
	"context"
	"fmt"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/platform/job"
	"rostrum/platform/principal"
)

// defaultBackfill is the default limit of documents per backfill.
const defaultBackfill = 500

// backfillParameters is the input of a backfill job; its documents are stored as tagCheck rows.
type backfillParameters struct {
	TagID     string `json:"tag_id"`
	DryRun    bool   `json:"dry_run"`
	Documents int    `json:"documents"`
}

// backfillPlan holds the documents that a backfill will read.
type backfillPlan struct {
	checks     []*tagCheck
	unread     int // checks without a stored result, which cost a run each
	candidates int
	selected   int // candidates up to the limit that no dry run is reading; the run budget may not cover all of them
}

// StartBackfill queues documents that a filter has not read, newest first, up to the limit and the
// run budget. A dry run's results are reused without cost. Documents of a running dry run are not
// queued and count as remaining. It returns errs.NotFound for an unknown filter, and
// errs.BudgetExhausted if the budget covers no document.
func (s *Service) StartBackfill(ctx context.Context, in api.StartFilterBackfillInput) (*api.StartFilterBackfillPayload,
	error) {
	out := &api.StartFilterBackfillPayload{Limit: backfillLimit(in)}
	err := s.inWorkspace(ctx, in.TagID, func(ctx context.Context, tx dbx.Tx, w *model.Workspace,
		t *model.AutoTag) error {
		q, err := s.planBackfill(ctx, tx, t, out.Limit, w.RunBudget().Remaining)
		if err != nil {
			return err
		}
		out.Queued, out.Candidates, out.Remaining = len(q.checks), q.candidates, q.candidates-len(q.checks)
		return s.queueBackfill(ctx, tx, backfillRequest{principal.Must(ctx), in.DryRun}, t, q, out)
	})
	if err != nil {
		return nil, fmt.Errorf("backfill a filter: %w", err)
	}
	return out, nil
}

// EstimateBackfill returns the cost of StartBackfill with a sufficient budget, or errs.NotFound.
func (s *Service) EstimateBackfill(ctx context.Context, in api.StartFilterBackfillInput) (*model.Estimate, error) {
	out := &model.Estimate{}
	err := s.inWorkspace(ctx, in.TagID, func(ctx context.Context, tx dbx.Tx, _ *model.Workspace,
		t *model.AutoTag) error {
		q, err := s.planBackfill(ctx, tx, t, backfillLimit(in), backfillLimit(in))
		if err == nil {
			out.Runs = q.unread
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("estimate a backfill: %w", err)
	}
	return out, nil
}

func backfillLimit(in api.StartFilterBackfillInput) int {
	return optional.ValueOr(in.Limit.Value(), defaultBackfill)
}

// inWorkspace calls plan with a filter's tag under the workspace's lock. It sets the remaining runs
// in the response.
func (s *Service) inWorkspace(
	ctx context.Context, tagID string, plan func(context.Context, dbx.Tx, *model.Workspace, *model.AutoTag) error,
) error {
	p := principal.Must(ctx)
	if err := s.accounts.ReportRunsRemaining(ctx, p.WorkspaceID); err != nil {
		return err
	}
	return s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		w, err := s.accounts.LockWorkspace(ctx, tx, p.WorkspaceID)
		if err != nil {
			return err
		}
		t, _, err := s.filterAndTag(ctx, tx, p.WorkspaceID, tagIDOf(tagID))
		if err != nil {
			return err
		}
		return plan(ctx, tx, w, t)
	})
}

// backfillRequest is a backfill's principal and mode.
type backfillRequest struct {
	principal.Principal
	dryRun bool
}

// queueBackfill enqueues the job with its reservation and stores its checks. It enqueues nothing if
// a dry run is reading all candidates.
func (s *Service) queueBackfill(
	ctx context.Context, tx dbx.Tx, r backfillRequest, t *model.AutoTag, q *backfillPlan,
	out *api.StartFilterBackfillPayload,
) error {
	if q.selected == 0 {
		return nil
	}
	runs := q.unread
	if len(q.checks) == 0 {
		runs = runsPerDocument // no document is affordable: the reservation returns errs.BudgetExhausted
	}
	started, err := s.metered.EnqueueTx(ctx, tx, job.MeteredRequest{
		Request: job.Request{
			Type: JobBackfill, WorkspaceID: r.WorkspaceID, UserID: r.UserID, Priority: 3,
			Parameters: backfillParameters{TagID: t.ID, DryRun: r.dryRun, Documents: len(q.checks)},
		},
		Operation: opBackfill, Runs: runs,
	})
	if err != nil {
		return err
	}
	for _, c := range q.checks {
		c.JobID, c.State = &started.ID, checkQueued
		if r.dryRun {
			c.State = checkDryRun
		}
	}
	if err := saveChecks(ctx, tx, q.checks); err != nil {
		return err
	}
	out.JobID = &started.ID
	return dbx.InsertRows(ctx, tx, []*backfill{{JobID: started.ID, WorkspaceID: r.WorkspaceID, Hidden: []string{}}})
}

// planBackfill counts the documents that the filter has not read, and selects the first ones up to
// the limit and the remaining runs.
func (s *Service) planBackfill(ctx context.Context, tx dbx.Tx, t *model.AutoTag, limit, left int) (*backfillPlan,
	error) {
	n, err := s.countUnseen(ctx, tx, t)
	if err != nil {
		return nil, err
	}
	rows, err := s.unseenDocuments(ctx, tx, t, limit)
	if err != nil {
		return nil, err
	}
	q := &backfillPlan{candidates: n, selected: len(rows)}
	for _, r := range rows {
		c := newCheck(t, r.DocumentID)
		if c.Verdict = r.Verdict; c.Verdict == nil {
			if q.unread == left {
				break
			}
			q.unread++
		}
		q.checks = append(q.checks, c)
	}
	return q, nil
}
