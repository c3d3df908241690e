package document

import (
	"context"
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

const (
	// maxBulkIDs and maxBulkMatches limit the documents that a bulk update selects by ids and by a
	// filter.
	maxBulkIDs, maxBulkMatches = 1_000, 10_000
	// maxBulkSkips is the number of documents that a result names with the reasons why they were
	// left alone.
	maxBulkSkips = 100
)

// FindStatementsFunc queues the search for a document's statements in the caller's transaction. It
// reports false if those of its current text were found before, and returns errs.BudgetExhausted
// without runs.
type FindStatementsFunc func(ctx context.Context, tx dbx.Tx, doc *model.Document, userID string) (bool, error)

// FindStatementsBy sets how bulk updates find statements. Call it before the first one.
func (s *Service) FindStatementsBy(find FindStatementsFunc) { s.findStatements = find }

// TagValues sets values of auto-tags in documents; domain/tag implements it.
type TagValues interface {
	// CheckValues returns the values as they are stored. It returns errs.ValidationFailed naming every
	// one that cannot be.
	CheckValues(ctx context.Context, workspaceID string, given []*api.BulkAutoTagValueInput) ([]model.BulkAutoTagValue,
		error)
	// States returns what documents have of auto-tags, in the order of these.
	States(ctx context.Context, db dbx.Reader, workspaceID string, documentIDs, tagIDs []string) (
		map[string][]model.AutoTagState, error)
	// SetValues sets values in a document that the transaction has not locked yet, and returns what it
	// had and has of the auto-tags.
	SetValues(ctx context.Context, tx dbx.Tx, workspaceID, documentID string, values []model.BulkAutoTagValue) (
		before, after []model.AutoTagState, err error)
	// RestoreValues takes SetValues back. It returns errs.Conflict if a value was changed since.
	RestoreValues(ctx context.Context, tx dbx.Tx, workspaceID, documentID string, before,
		after []model.AutoTagState) error
}

// SetTagsBy sets how bulk updates set values of auto-tags. Call it before the first one.
func (s *Service) SetTagsBy(tags TagValues) { s.tagValues = tags }

// bulkRequest is a valid bulk update.
type bulkRequest struct {
	action model.BulkAction
	values *model.BulkValues // nil unless the action changes fields
	ids    []string          // of the selected documents
}

// StartBulk selects documents and queues the job that changes them, or previews the changes. It
// returns errs.ValidationFailed for a selection or values that are missing, contradictory or too
// many.
func (s *Service) StartBulk(ctx context.Context, in api.StartBulkUpdateInput) (*api.StartBulkUpdatePayload, error) {
	p := principal.Must(ctx)
	request := bulkRequest{action: optional.ValueOr(in.Action.Value(), model.BulkActionUpdate)}
	var err error
	if request.values, err = readBulkValues(request.action, in.Set.Value()); err != nil {
		return nil, err
	}
	if err = s.readTagValues(ctx, p.WorkspaceID, request.values, in.Set.Value()); err != nil {
		return nil, err
	}
	if request.ids, err = s.selectBulk(ctx, p.WorkspaceID, in); err != nil {
		return nil, err
	}
	out := &api.StartBulkUpdatePayload{DocumentCount: len(request.ids)}
	switch {
	case optional.ValueOr(in.DryRun.Value(), false):
		out.Preview, err = s.previewBulk(ctx, p.WorkspaceID, request)
	case len(request.ids) > 0:
		out.JobID, err = s.queueBulk(ctx, p, request)
	}
	if err != nil {
		return nil, fmt.Errorf("start a bulk update: %w", err)
	}
	return out, nil
}

// selectBulk returns the ids of the selected documents: those given, or those that match the
// filter, newest first.
func (s *Service) selectBulk(ctx context.Context, workspaceID string, in api.StartBulkUpdateInput) ([]string, error) {
	ids, filter := in.DocumentIds.Value(), in.Filter.Value()
	switch {
	case ids == nil && filter == nil:
		return nil, errs.Invalid(errs.BodyField("missing", "is required without a filter", "documentIds"))
	case ids != nil && filter != nil:
		return nil, errs.Invalid(errs.BodyField("value_error", "cannot be combined with ids", "filter"))
	case len(ids) > maxBulkIDs:
		return nil, errs.Invalid(errs.BodyField("too_long", fmt.Sprintf("must have at most %d ids", maxBulkIDs),
			"documentIds"))
	case filter == nil:
		return distinctLabels(ids), nil
	}
	found, err := s.matchingBulk(ctx, workspaceID, filter)
	if err == nil && len(found) > maxBulkMatches {
		err = errs.Invalid(errs.BodyField("too_many",
			fmt.Sprintf("matches more than %d documents: narrow it", maxBulkMatches), "filter"))
	}
	return found, err
}

// matchingBulk returns the ids of the documents that match the filter, at most one more than a bulk
// update may select.
func (s *Service) matchingBulk(ctx context.Context, workspaceID string, filter *api.DocumentFilter) ([]string, error) {
	asked, err := s.readQuery(ctx, workspaceID, filter)
	if err != nil {
		return nil, err
	}
	conditions := s.conditions(workspaceID, asked)
	if err := conditions.Check(filter); err != nil {
		return nil, err
	}
	found := []string{}
	q := s.db.NewSelect().Model((*model.Document)(nil)).Column("id").Where("workspace_id = ?", workspaceID)
	err = conditions.Apply(q, filter).Order("created_at DESC", "id DESC").Limit(maxBulkMatches+1).Scan(ctx, &found)
	return found, dbx.Err(err)
}

// queueBulk stores the selection with the job, and returns the job's id.
func (s *Service) queueBulk(ctx context.Context, p principal.Principal, request bulkRequest) (*string, error) {
	var queued *model.Job
	err := s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) (err error) {
		queued, err = s.jobs.Enqueue(ctx, tx, job.Request{
			Type: JobBulkUpdate, WorkspaceID: p.WorkspaceID, UserID: p.UserID,
			Parameters: model.BulkUpdateParameters{Action: request.action, DocumentCount: len(request.ids),
				Values: request.values},
		})
		if err != nil {
			return err
		}
		rows, now := make([]*model.BulkChange, len(request.ids)), model.Now()
		for i, id := range request.ids {
			rows[i] = &model.BulkChange{ID: model.NewID(model.BulkChangePrefix), WorkspaceID: p.WorkspaceID,
				JobID: queued.ID, Position: i, DocumentID: id, State: model.BulkStateWaiting, CreatedAt: now}
		}
		return dbx.InsertRows(ctx, tx, rows)
	})
	if err != nil {
		return nil, err
	}
	return &queued.ID, nil
}

// UndoBulk queues the job that takes a bulk update back. It returns errs.NotFound for an unknown
// update, and errs.InvalidState for one that runs, that found statements, that ended more than an
// hour ago, of which nothing is left to undo, or that is being undone.
func (s *Service) UndoBulk(ctx context.Context, jobID string) (*api.UndoBulkUpdatePayload, error) {
	p := principal.Must(ctx)
	if err := s.checkUndoable(ctx, p.WorkspaceID, jobID); err != nil {
		return nil, err
	}
	out := new(api.UndoBulkUpdatePayload)
	err := s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		queued, err := s.jobs.Enqueue(ctx, tx, job.Request{Type: JobBulkUndo, WorkspaceID: p.WorkspaceID,
			UserID: p.UserID, Parameters: model.BulkUndoParameters{UpdateJobID: jobID}})
		if err != nil {
			return err
		}
		out.JobID = queued.ID
		n, err := assignUndo(ctx, tx, p.WorkspaceID, jobID, queued.ID)
		if err == nil && n == 0 {
			err = errs.New(errs.InvalidState, "nothing is left to undo")
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("undo a bulk update: %w", err)
	}
	return out, nil
}

func (s *Service) checkUndoable(ctx context.Context, workspaceID, jobID string) error {
	update, err := s.jobs.Get(ctx, workspaceID, jobID)
	if err != nil {
		return err
	}
	if update == nil || update.JobTypeText != JobBulkUpdate {
		return errs.New(errs.NotFound, "there is no bulk update %s in this workspace", jobID)
	}
	in, err := job.Parameters[model.BulkUpdateParameters](update)
	switch {
	case err != nil:
		return err
	case in.Action == model.BulkActionFindStatements:
		return errs.New(errs.InvalidState, "statements that were found are not undone")
	case !update.Ended():
		return errs.New(errs.InvalidState, "the update is still running: cancel it first")
	case s.db.Now().After(update.CompletedAt.Add(model.BulkUndoTime)):
		return errs.New(errs.InvalidState, "the update ended more than an hour ago")
	}
	return s.checkNotUndoing(ctx, workspaceID, jobID)
}

// checkNotUndoing returns errs.InvalidState if a job undoes the update now.
func (s *Service) checkNotUndoing(ctx context.Context, workspaceID, jobID string) error {
	undoing, err := s.undoJobs(ctx, workspaceID, jobID)
	if err != nil {
		return err
	}
	for _, id := range slices.Sorted(slices.Values(undoing)) {
		undo, err := s.jobs.Get(ctx, workspaceID, id, "status")
		if err != nil {
			return err
		}
		if undo != nil && !undo.Ended() {
			return errs.New(errs.InvalidState, "the update is being undone by job %s", id)
		}
	}
	return nil
}
