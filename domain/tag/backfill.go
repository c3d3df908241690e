package tag

import (
	"context"
	"fmt"

	"rostrum/dbx"
	"rostrum/job"
	"rostrum/model"
)

// defaultBackfill is how many documents a backfill looks through when nothing else is asked for (workspace-api.md, "Limits").
const defaultBackfill = 500

// backfillParameters are the input of a backfill's job; the documents stand in its checks.
type backfillParameters struct {
	TagID     string `json:"tag_id"`
	DryRun    bool   `json:"dry_run"`
	Documents int    `json:"documents"`
}

// queued is what a backfill is about to look through.
type queued struct {
	checks     []*check
	fresh      int // of them those that nothing is known of, which cost a run each
	candidates int
}

// Backfill queues documents that a filter has not seen, newest first, as many as the limit and the run budget allow. What a dry run
// has seen already costs nothing. It fails with not_found for what is no filter, and with budget_exhausted when the budget covers
// not even one document.
func (s *Service) Backfill(
	ctx context.Context, tagID string, in *model.BackfillFilterInput, dryRun, estimate bool,
) (*model.BackfillFilterPayload, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.runs.TellBudget(ctx, p.WorkspaceID); err != nil {
		return nil, err
	}
	limit := defaultBackfill
	if in != nil {
		limit = model.ValueOr(in.Limit.Value(), defaultBackfill)
	}
	r := backfillRequest{Principal: p, tagID: tagID, dryRun: dryRun, estimate: estimate}
	out := &model.BackfillFilterPayload{Limit: limit}
	if err := s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error { return s.begin(ctx, tx, r, out) }); err != nil {
		return nil, fmt.Errorf("backfill a filter: %w", err)
	}
	return out, nil
}

// backfillRequest is who asks for what.
type backfillRequest struct {
	model.Principal
	tagID            string
	dryRun, estimate bool
}

// begin queues what a request asks for, or estimates it.
func (s *Service) begin(ctx context.Context, tx dbx.Tx, r backfillRequest, out *model.BackfillFilterPayload) error {
	w, err := s.lockWorkspace(ctx, tx, r.WorkspaceID)
	if err != nil {
		return err
	}
	t, _, err := s.both(ctx, tx, r.WorkspaceID, r.tagID)
	if err != nil {
		return err
	}
	left := w.RunBudget().Remaining
	if r.estimate {
		left = out.Limit
	}
	q, err := s.candidates(ctx, tx, t, out.Limit, left)
	if err != nil {
		return err
	}
	if r.estimate {
		out.Estimate = &model.Estimate{Runs: q.fresh}
		return nil
	}
	out.Queued, out.Candidates, out.Remaining = len(q.checks), q.candidates, q.candidates-len(q.checks)
	return s.queue(ctx, tx, r, t, q, out)
}

// queue makes the job with its reservation and marks its documents.
func (s *Service) queue(
	ctx context.Context, tx dbx.Tx, r backfillRequest, t *model.AutoTag, q *queued, out *model.BackfillFilterPayload,
) error {
	if q.candidates == 0 {
		return nil
	}
	started, err := s.jobs.Enqueue(ctx, tx, job.Request{
		Type: BackfillJob, WorkspaceID: r.WorkspaceID, UserID: r.UserID, Priority: 3,
		Parameters: backfillParameters{TagID: t.ID, DryRun: r.dryRun, Documents: len(q.checks)},
	})
	if err != nil {
		return err
	}
	if runs := max(q.fresh, lookRuns); q.fresh > 0 || len(q.checks) == 0 {
		if err := s.runs.Reserve(ctx, tx, r.WorkspaceID, opBackfill, started.ID, runs); err != nil {
			return err
		}
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

// candidates counts the documents that the filter has not seen and takes the first of them, until the limit is reached or the runs that
// are left are used up.
func (s *Service) candidates(ctx context.Context, tx dbx.Tx, t *model.AutoTag, limit, left int) (*queued, error) {
	n, err := s.countUnseen(ctx, tx, t)
	if err != nil {
		return nil, err
	}
	rows, err := s.unseen(ctx, tx, t, limit)
	if err != nil {
		return nil, err
	}
	q := &queued{candidates: n}
	for _, r := range rows {
		c := newCheck(t, r.DocumentID)
		c.State = checkQueued
		if c.Verdict = r.Verdict; c.Verdict == nil {
			if q.fresh == left {
				break
			}
			q.fresh++
		}
		q.checks = append(q.checks, c)
	}
	return q, nil
}
