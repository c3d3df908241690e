package tag

import (
	"context"
	"fmt"
	"slices"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/job"
	"rostrum/model"
)

// The graph's fields that runs are reserved for.
const (
	opApply    = "applyAutoTags"
	opBackfill = "backfillFilter"
	opRetry    = "retryJob"
)

// lookRuns is what looking through one document costs, for however many auto-tags.
const lookRuns = 1

// Apply looks through a document and waits for what comes of it; it costs nothing where there is no auto-tag to look for. Should the
// caller go before the end, the work is done all the same. It fails with not_found, with invalid_state while the document is being
// made or has no text, with validation_failed for an unknown auto-tag, with budget_exhausted, and as the text model does.
func (s *Service) Apply(ctx context.Context, documentID string, in *model.ApplyAutoTagsInput, estimate bool) (*model.ApplyAutoTagsPayload, error) {
	p, ids, err := s.request(ctx, documentID, in)
	if err != nil {
		return nil, err
	}
	if estimate {
		return &model.ApplyAutoTagsPayload{Estimate: &model.Estimate{Runs: costOf(ids)}}, nil
	}
	if len(ids) > 0 {
		if err := s.applyNow(ctx, p, documentID, ids); err != nil {
			return nil, err
		}
	}
	rows, err := s.appliedRows(ctx, s.db, p.WorkspaceID, []string{documentID})
	return &model.ApplyAutoTagsPayload{AutoTags: rows}, err
}

func costOf(ids []string) int {
	if len(ids) == 0 {
		return 0
	}
	return lookRuns
}

func (s *Service) applyNow(ctx context.Context, p model.Principal, documentID string, ids []string) error {
	started, err := s.startApply(ctx, p, documentID, ids)
	if err != nil {
		return err
	}
	if err := s.wait(ctx, started); err != nil {
		return orElse(s.runs.TellBudget(ctx, p.WorkspaceID), err) // the run was given back
	}
	return nil
}

// ApplyAsync queues the same and does not wait; it fails as Apply does, but for what the text model does.
func (s *Service) ApplyAsync(ctx context.Context, documentID string, in *model.ApplyAutoTagsInput, estimate bool) (*model.JobRef, error) {
	p, ids, err := s.request(ctx, documentID, in)
	if err != nil {
		return nil, err
	}
	if estimate {
		return &model.JobRef{Estimate: &model.Estimate{Runs: costOf(ids)}}, nil
	}
	started, err := s.startApply(ctx, p, documentID, ids)
	if err != nil {
		return nil, err
	}
	return &model.JobRef{JobID: started.ID, JobType: started.JobType, Status: started.Status}, nil
}

func (s *Service) startApply(ctx context.Context, p model.Principal, documentID string, ids []string) (*model.Job, error) {
	var started *model.Job
	err := s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) (err error) {
		if _, err := s.lockWorkspace(ctx, tx, p.WorkspaceID); err != nil {
			return err
		}
		started, err = s.jobs.Enqueue(ctx, tx, job.Request{
			Type: ApplyJob, WorkspaceID: p.WorkspaceID, DocumentID: documentID, UserID: p.UserID,
			Parameters: applyParameters{DocumentID: documentID, AutoTagIDs: ids},
		})
		if err != nil || len(ids) == 0 {
			return err
		}
		return s.runs.Reserve(ctx, tx, p.WorkspaceID, opApply, started.ID, lookRuns)
	})
	if err != nil {
		return nil, fmt.Errorf("apply auto-tags: %w", err)
	}
	return started, nil
}

// request finds who asks, tells how many runs are left, and gives the auto-tags that the request is about.
func (s *Service) request(ctx context.Context, documentID string, in *model.ApplyAutoTagsInput) (p model.Principal, ids []string, err error) {
	if p, err = model.PrincipalFrom(ctx); err != nil {
		return p, nil, err
	}
	if err = s.runs.TellBudget(ctx, p.WorkspaceID); err != nil {
		return p, nil, err
	}
	ids, err = s.asked(ctx, p.WorkspaceID, documentID, in)
	return p, ids, err
}

// asked checks a request and gives the auto-tags that it is about.
func (s *Service) asked(ctx context.Context, workspaceID, documentID string, in *model.ApplyAutoTagsInput) ([]string, error) {
	doc, err := s.document(ctx, s.db, workspaceID, documentID)
	if err != nil {
		return nil, err
	}
	if doc.ProcessingStatus != nil && *doc.ProcessingStatus != model.ProcessingStatusFailed {
		return nil, errs.New(errs.InvalidState, "the document is still being made; wait until its processing_status is null")
	}
	if model.ValueOr(doc.Content, "") == "" {
		return nil, errs.New(errs.InvalidState, "the document has no text")
	}
	if in == nil || in.AutoTagIds.Value() == nil {
		return s.standing(ctx, s.db, workspaceID)
	}
	return s.namedTags(ctx, workspaceID, in.AutoTagIds.Value())
}

// namedTags checks that the workspace has all of the auto-tags and names those that it has not.
func (s *Service) namedTags(ctx context.Context, workspaceID string, ids []string) ([]string, error) {
	rows, err := s.tagsByID(ctx, s.db, workspaceID, ids)
	if err != nil {
		return nil, err
	}
	var bad []errs.Field
	for i, id := range ids {
		if !slices.ContainsFunc(rows, func(t *model.AutoTag) bool { return t.ID == id && !t.Manual }) {
			bad = append(bad, errs.BodyField("value_error", "is no auto-tag of this workspace", "autoTagIds", i))
		}
	}
	if len(bad) > 0 {
		return nil, errs.Invalid(bad...)
	}
	return idsOf(rows), nil
}

// wait follows a job to its end and gives the error that it failed with.
func (s *Service) wait(ctx context.Context, started *model.Job) error {
	events, err := s.jobs.Watch(ctx, started.WorkspaceID, started.ID, nil)
	if err != nil {
		return err
	}
	last := started
	for event := range events {
		last = event.Job
	}
	switch {
	case last.Status == model.JobStatusCompleted:
		return nil
	case last.Status == model.JobStatusFailed && last.ErrorCode != nil:
		return errs.New(errs.Code(*last.ErrorCode), "%s", model.ValueOr(last.ErrorMessage, "the job failed"))
	case last.Status == model.JobStatusCancelled:
		return errs.New(errs.InvalidState, "the job was cancelled")
	}
	return errs.New(errs.ModelTimeout, "there is no answer yet; job %s goes on", started.ID)
}

// Applied reads the values that auto-tags have in documents, all with one statement, in the order of the documents.
func (s *Service) Applied(ctx context.Context, docs []*model.Document) ([][]*model.AppliedAutoTag, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	rows, err := s.appliedRows(ctx, s.db, p.WorkspaceID, documentIDsOf(docs))
	return dbx.Deal(documentIDsOf(docs), rows, func(t *model.AppliedAutoTag) string { return t.DocumentID }), err
}

func documentIDsOf(docs []*model.Document) []string {
	ids := make([]string, len(docs))
	for i, d := range docs {
		ids[i] = d.ID
	}
	return ids
}
