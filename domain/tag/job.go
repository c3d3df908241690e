package tag

import (
	"context"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/job"
	"rostrum/model"
)

// The names of the room's jobs, which are also those of their queues.
const (
	ApplyJob    = "auto_tags"
	BackfillJob = "backfill_filter"
)

// Both kinds fail at once when the text model does: the engine has tried again before.
func (s *Service) register() {
	s.jobs.Register(ApplyJob, job.Kind{Queue: ApplyJob, Work: s.work, OnEnd: s.ended, OnRetry: s.retried})
	s.jobs.Register(BackfillJob, job.Kind{
		Queue: BackfillJob, Timeout: backfillTime, Work: s.workBackfill, OnEnd: s.endedBackfill,
		OnRetry: func(context.Context, dbx.Tx, *model.Job) error {
			return errs.New(errs.InvalidState, "a backfill is not run again; start another one for what remains")
		},
	})
}

// applyParameters are the input of a job that looks through one document.
type applyParameters struct {
	DocumentID string   `json:"document_id"`
	AutoTagIDs []string `json:"auto_tag_ids"`
}

// applyResult is what comes of it.
type applyResult struct {
	DocumentID string        `json:"document_id"`
	AutoTags   []resultValue `json:"auto_tags"`
	Model      string        `json:"model"`
}

type resultValue struct {
	AutoTagID       string   `json:"auto_tag_id"`
	Name            string   `json:"name"`
	ExtractedValue  string   `json:"extracted_value"`
	ConfidenceScore *float64 `json:"confidence_score"`
}

// work looks through a document and keeps what it finds as long as it holds the job's lease.
func (s *Service) work(ctx context.Context, run *job.Run) (any, error) {
	in, err := job.Parameters[applyParameters](run.Job)
	if err != nil {
		return nil, err
	}
	workspaceID := run.Job.WorkspaceID
	doc, err := s.document(ctx, s.db, workspaceID, in.DocumentID)
	if err != nil {
		return nil, job.Permanent(err)
	}
	tags, err := s.definitions(ctx, workspaceID, in.AutoTagIDs)
	if err != nil {
		return nil, err
	}
	found, err := s.look(ctx, doc, tags)
	if err != nil {
		return nil, err
	}
	err = run.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		_, err := s.keep(ctx, tx, workspaceID, tags, []*verdict{found})
		return err
	})
	if err != nil {
		return nil, err
	}
	return s.result(ctx, workspaceID, in.DocumentID, found.model)
}

func (s *Service) result(ctx context.Context, workspaceID, documentID, by string) (*applyResult, error) {
	rows, err := s.appliedRows(ctx, s.db, workspaceID, []string{documentID})
	out := &applyResult{DocumentID: documentID, AutoTags: []resultValue{}, Model: by}
	for _, r := range rows {
		out.AutoTags = append(out.AutoTags, resultValue{r.AutoTagID, r.Name, r.ExtractedValue, r.ConfidenceScore})
	}
	return out, err
}

// ended spends the run of a job that looked and gives back that of one that did not.
func (s *Service) ended(ctx context.Context, tx dbx.Tx, j *model.Job, _ error) error {
	if j.Status == model.JobStatusCompleted {
		return s.runs.Commit(ctx, tx, j.ID)
	}
	return s.runs.Return(ctx, tx, j.ID)
}

// retried reserves anew for a job that a caller runs again.
func (s *Service) retried(ctx context.Context, tx dbx.Tx, again *model.Job) error {
	in, err := job.Parameters[applyParameters](again)
	if err != nil || len(in.AutoTagIDs) == 0 {
		return err
	}
	return s.runs.Reserve(ctx, tx, again.WorkspaceID, opRetry, again.ID, lookRuns)
}
