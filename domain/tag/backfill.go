package tag

import (
	"context"
	"fmt"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/job"
	"rostrum/model"
	"rostrum/optional"
	"rostrum/principal"
)

// defaultBackfill is the default limit of documents per backfill (workspace-api.md, "Limits").
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
}

// Backfill queues documents that a filter has not read, newest first, up to the limit and the run budget. Results of a dry run are reused
// without cost. It returns errors with the codes errs.NotFound for an unknown filter and errs.BudgetExhausted if the budget does not cover a
// single document.
func (s *Service) Backfill(
	ctx context.Context, tagID string, in *api.BackfillFilterInput, dryRun, estimate bool,
) (*api.BackfillFilterPayload, error) {
	p := principal.Must(ctx)
	if err := s.accounts.ReportRunsRemaining(ctx, p.WorkspaceID); err != nil {
		return nil, err
	}
	limit := defaultBackfill
	if in != nil {
		limit = optional.ValueOr(in.Limit.Value(), defaultBackfill)
	}
	r := backfillRequest{Principal: p, tagID: tagID, dryRun: dryRun, estimate: estimate}
	out := &api.BackfillFilterPayload{Limit: limit}
	if err := s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error { return s.startBackfill(ctx, tx, r, out) }); err != nil {
		return nil, fmt.Errorf("backfill a filter: %w", err)
	}
	return out, nil
}

// backfillRequest is a backfill's arguments with the principal.
type backfillRequest struct {
	principal.Principal
	tagID            string
	dryRun, estimate bool
}

// startBackfill queues a requested backfill, or estimates it.
func (s *Service) startBackfill(ctx context.Context, tx dbx.Tx, r backfillRequest, out *api.BackfillFilterPayload) error {
	w, err := s.accounts.LockWorkspace(ctx, tx, r.WorkspaceID)
	if err != nil {
		return err
	}
	t, _, err := s.filterAndTag(ctx, tx, r.WorkspaceID, r.tagID)
	if err != nil {
		return err
	}
	left := w.RunBudget().Remaining
	if r.estimate {
		left = out.Limit
	}
	q, err := s.planBackfill(ctx, tx, t, out.Limit, left)
	if err != nil {
		return err
	}
	if r.estimate {
		out.Estimate = &model.Estimate{Runs: q.unread}
		return nil
	}
	out.Queued, out.Candidates, out.Remaining = len(q.checks), q.candidates, q.candidates-len(q.checks)
	return s.queueBackfill(ctx, tx, r, t, q, out)
}

// queueBackfill enqueues the job with its reservation and stores its checks.
func (s *Service) queueBackfill(
	ctx context.Context, tx dbx.Tx, r backfillRequest, t *model.AutoTag, q *backfillPlan, out *api.BackfillFilterPayload,
) error {
	if q.candidates == 0 {
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
		c.JobID = &started.ID
	}
	if err := saveChecks(ctx, tx, q.checks); err != nil {
		return err
	}
	out.JobID = &started.ID
	return insertAll(ctx, tx, []*backfill{{JobID: started.ID, WorkspaceID: r.WorkspaceID, Hidden: []string{}}})
}

// planBackfill counts the documents that the filter has not read and selects the first of them, up to the limit and the remaining runs.
func (s *Service) planBackfill(ctx context.Context, tx dbx.Tx, t *model.AutoTag, limit, left int) (*backfillPlan, error) {
	n, err := s.countUnseen(ctx, tx, t)
	if err != nil {
		return nil, err
	}
	rows, err := s.unseenDocuments(ctx, tx, t, limit)
	if err != nil {
		return nil, err
	}
	q := &backfillPlan{candidates: n}
	for _, r := range rows {
		c := newCheck(t, r.DocumentID)
		c.State = checkQueued
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
