package tag

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/platform/job"
	"rostrum/platform/principal"
)

// The operations that reserve runs, as the run ledger names them.
const (
	opApply    = "applyAutoTags"
	opBackfill = "backfillFilter"
)

// runsPerDocument is the cost of reading one document, for any number of auto-tags.
const runsPerDocument = 1

// Apply finds the values of auto-tags in a document and waits for the result; without auto-tags it
// costs nothing. The job continues if the caller disconnects. It returns errs.NotFound,
// errs.InvalidState during ingestion or without text, errs.ValidationFailed for an unknown
// auto-tag, errs.BudgetExhausted, and the text model's errors.
func (s *Service) Apply(ctx context.Context, in api.ApplyAutoTagsInput) (*api.ApplyAutoTagsPayload, error) {
	p, ids, err := s.prepareApply(ctx, in)
	if err != nil {
		return nil, err
	}
	out := &api.ApplyAutoTagsPayload{DocumentID: in.DocumentID}
	if len(ids) > 0 {
		if out.Warning, err = s.applyNow(ctx, p, in.DocumentID, ids); err != nil {
			return nil, err
		}
	}
	out.AutoTags, err = s.appliedRows(ctx, s.db, p.WorkspaceID, []string{in.DocumentID})
	return out, err
}

// EstimateApply returns the cost of Apply, and its errors for an invalid request.
func (s *Service) EstimateApply(ctx context.Context, in api.ApplyAutoTagsInput) (*model.Estimate, error) {
	_, ids, err := s.prepareApply(ctx, in)
	if err != nil {
		return nil, err
	}
	return &model.Estimate{Runs: applyCost(ids)}, nil
}

func applyCost(ids []string) int {
	if len(ids) == 0 {
		return 0
	}
	return runsPerDocument
}

// applyNow returns the warning of the job's result.
func (s *Service) applyNow(ctx context.Context, p principal.Principal, documentID string,
	ids []string) (warning *string, err error) {
	started, err := s.queueApply(ctx, p, documentID, ids)
	if err != nil {
		return nil, err
	}
	ended, err := s.waitForJob(ctx, started)
	if err != nil {
		return nil, orElse(s.accounts.ReportRunsRemaining(ctx, p.WorkspaceID), err) // the run was returned
	}
	var result applyResult
	if err := json.Unmarshal([]byte(optional.ValueOr(ended.ResultText, "{}")), &result); err != nil {
		return nil, fmt.Errorf("read the result of job %s: %w", ended.ID, err)
	}
	return optional.NonEmpty(result.Warning), nil
}

// StartApply queues Apply as a job. It returns the same errors, except the text model's.
func (s *Service) StartApply(ctx context.Context, in api.ApplyAutoTagsInput) (*model.StartedJob, error) {
	p, ids, err := s.prepareApply(ctx, in)
	if err != nil {
		return nil, err
	}
	started, err := s.queueApply(ctx, p, in.DocumentID, ids)
	if err != nil {
		return nil, err
	}
	return &model.StartedJob{Job: started}, nil
}

func (s *Service) queueApply(ctx context.Context, p principal.Principal, documentID string, ids []string) (*model.Job,
	error) {
	var started *model.Job
	err := s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) (err error) {
		if _, err := s.accounts.LockWorkspace(ctx, tx, p.WorkspaceID); err != nil {
			return err
		}
		started, err = s.metered.EnqueueTx(ctx, tx, job.MeteredRequest{
			Request: job.Request{
				Type: JobApply, WorkspaceID: p.WorkspaceID, DocumentID: documentID, UserID: p.UserID,
				Parameters: applyParameters{DocumentID: documentID, AutoTagIDs: ids},
			},
			Operation: opApply, Runs: applyCost(ids),
		})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("apply auto-tags: %w", err)
	}
	return started, nil
}

// prepareApply sets the remaining runs in the response. It returns the principal and the requested
// auto-tags.
func (s *Service) prepareApply(ctx context.Context, in api.ApplyAutoTagsInput) (p principal.Principal, ids []string,
	err error) {
	p = principal.Must(ctx)
	if err = s.accounts.ReportRunsRemaining(ctx, p.WorkspaceID); err != nil {
		return p, nil, err
	}
	ids, err = s.requestedTags(ctx, p.WorkspaceID, in)
	return p, ids, err
}

// requestedTags validates a request and returns its auto-tags' ids; by default all enabled ones.
func (s *Service) requestedTags(ctx context.Context, workspaceID string, in api.ApplyAutoTagsInput) ([]string, error) {
	doc, err := s.documentByID(ctx, s.db, workspaceID, in.DocumentID)
	if err != nil {
		return nil, err
	}
	if doc.ProcessingStatus != nil && *doc.ProcessingStatus != model.ProcessingStatusFailed {
		return nil, errs.New(errs.InvalidState, "the document is still being ingested; wait until its processing_status is null")
	}
	if optional.ValueOr(doc.Content, "") == "" {
		return nil, errs.New(errs.InvalidState, "the document has no text")
	}
	if in.AutoTagIds.Value() == nil {
		return s.enabledTagIDs(ctx, s.db, workspaceID)
	}
	return s.namedTags(ctx, workspaceID, in.AutoTagIds.Value())
}

// namedTags returns the ids of existing auto-tags, or errs.ValidationFailed naming every unknown
// id.
func (s *Service) namedTags(ctx context.Context, workspaceID string, ids []string) ([]string, error) {
	rows, err := s.tagsByID(ctx, s.db, workspaceID, ids)
	if err != nil {
		return nil, err
	}
	var invalid errs.FieldErrors
	for i, id := range ids {
		if !slices.ContainsFunc(rows, func(t *model.AutoTag) bool { return t.ID == id && !t.Manual }) {
			invalid.Body("value_error", "is not an auto-tag of this workspace", "autoTagIds", i)
		}
	}
	if err := invalid.Err(); err != nil {
		return nil, err
	}
	return idsOf(rows), nil
}

// waitForJob blocks until a job ends and returns it or its error. It returns errs.ModelTimeout if
// the wait ends first.
func (s *Service) waitForJob(ctx context.Context, started *model.Job) (*model.Job, error) {
	events, err := s.jobs.Watch(ctx, started.WorkspaceID, started.ID, nil)
	if err != nil {
		return nil, err
	}
	last := started
	for event := range events {
		last = event.State
	}
	switch {
	case last.Status == model.JobStatusCompleted:
		return last, nil
	case last.Status == model.JobStatusFailed && last.ErrorCode != nil:
		return nil, errs.New(errs.Code(*last.ErrorCode), "%s", optional.ValueOr(last.ErrorMessage, "the job failed"))
	case last.Status == model.JobStatusCancelled:
		return nil, errs.New(errs.InvalidState, "the job was cancelled")
	}
	return nil, errs.New(errs.ModelTimeout, "job %s is still running; read its result later", started.ID)
}

// AppliedTags returns the values of auto-tags in each document, in order and with one statement.
func (s *Service) AppliedTags(ctx context.Context, docs []*model.Document) ([][]*model.AppliedAutoTag, error) {
	p := principal.Must(ctx)
	rows, err := s.appliedRows(ctx, s.db, p.WorkspaceID, documentIDsOf(docs))
	return dbx.GroupByKey(documentIDsOf(docs), rows, func(t *model.AppliedAutoTag) string { return t.DocumentID }), err
}

func documentIDsOf(docs []*model.Document) []string {
	ids := make([]string, len(docs))
	for i, d := range docs {
		ids[i] = d.ID
	}
	return ids
}
