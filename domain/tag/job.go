package tag

import (
	"context"
	"time"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/job"
)

// The types of the package's jobs. Each type has a queue of the same name.
const (
	JobApply    = "auto_tags"
	JobBackfill = "backfill_filter"
)

// registerTagJobs registers the package's jobs. They have no retries, because the engine retries
// its calls.
func (s *Service) registerTagJobs() {
	s.metered.Register(JobApply, job.MeteredKind{Kind: job.Kind{Queue: JobApply, Work: s.workApply},
		RetryRuns: retryCost})
	s.metered.Register(JobBackfill, job.MeteredKind{
		Kind: job.Kind{
			Queue: JobBackfill, Timeout: backfillTimeout, Work: s.workBackfill,
			OnEnd: func(ctx context.Context, tx dbx.Tx, j *model.Job, _ error) error {
				return releaseChecks(ctx, tx, j.ID)
			},
		},
		SpentRuns: s.spentRuns,
		RetryRuns: func(context.Context, *model.Job) (int, error) {
			return 0, errs.New(errs.InvalidState, "a backfill cannot be retried; start another one for the remaining documents")
		},
	})
}

// applyParameters is the public input of an apply job.
type applyParameters struct {
	DocumentID string   `json:"document_id"`
	AutoTagIDs []string `json:"auto_tag_ids"`
}

// applyResult is the public result of an apply job: that of REST's synchronous route, with document
// and model.
type applyResult struct {
	DocumentID string        `json:"document_id"`
	AutoTags   []resultValue `json:"auto_tags"`
	Model      string        `json:"model"`
	Warning    string        `json:"warning,omitempty"` // the values that were refused
}

// resultValue has the members of a value in REST's lists, in the same order.
type resultValue struct {
	ID              string              `json:"id"`
	AutoTagID       string              `json:"auto_tag_id"`
	Name            string              `json:"name"`
	TagType         *string             `json:"tag_type"`
	Description     string              `json:"description"`
	ExtractedValue  string              `json:"extracted_value"`
	Extraction      string              `json:"extraction"`
	ConfidenceScore *float64            `json:"confidence_score"`
	CreatedAt       *time.Time          `json:"created_at"`
	Source          model.AutoTagSource `json:"source"`
	Model           *string             `json:"model"`
	Quote           *string             `json:"quote"`
	Start           *int                `json:"start"`
	End             *int                `json:"end"`
}

func newResultValue(t *model.AppliedAutoTag) resultValue {
	return resultValue{
		ID: t.ID, AutoTagID: t.AutoTagID, Name: t.Name, TagType: t.TagType, Description: t.Description,
		ExtractedValue: t.ExtractedValue,
		Extraction:     t.ExtractedValue, ConfidenceScore: t.ConfidenceScore, CreatedAt: t.CreatedAt, Source: t.Source,
		Model: t.Model,
		Quote: t.Quote, Start: t.Start, End: t.End,
	}
}

// workApply finds a document's values and stores them if the lease is still valid. It returns the
// engine's errors.
func (s *Service) workApply(ctx context.Context, run *job.Run) (any, error) {
	in, err := job.Parameters[applyParameters](run.Job)
	if err != nil {
		return nil, err
	}
	workspaceID := run.Job.WorkspaceID
	doc, err := s.documentByID(ctx, s.db, workspaceID, in.DocumentID)
	if err != nil {
		return nil, job.Permanent(err)
	}
	tags, err := s.loadDefinitions(ctx, workspaceID, in.AutoTagIDs)
	if err != nil {
		return nil, err
	}
	found, err := s.findValues(ctx, doc, tags)
	if err != nil {
		return nil, err
	}
	err = run.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		_, err := s.storeFindings(ctx, tx, workspaceID, tags, []*documentFindings{found})
		return err
	})
	if err != nil {
		return nil, err
	}
	return s.applyResult(ctx, workspaceID, found)
}

func (s *Service) applyResult(ctx context.Context, workspaceID string, found *documentFindings) (*applyResult, error) {
	rows, err := s.appliedRows(ctx, s.db, workspaceID, []string{found.documentID})
	out := &applyResult{DocumentID: found.documentID, AutoTags: []resultValue{}, Model: found.model,
		Warning: found.warning()}
	for _, r := range rows {
		out.AutoTags = append(out.AutoTags, newResultValue(r))
	}
	return out, err
}

// retryCost returns the runs that a retry of an apply job reserves.
func retryCost(_ context.Context, j *model.Job) (int, error) {
	in, err := job.Parameters[applyParameters](j)
	return applyCost(in.AutoTagIDs), err
}
