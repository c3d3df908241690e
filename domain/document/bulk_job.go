package document

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/platform/job"
)

// The types of the package's jobs. Both have the queue JobBulkUpdate, with BulkWorkers workers in a
// process.
const (
	JobBulkUpdate = "bulk_update"
	JobBulkUndo   = "bulk_undo"

	BulkWorkers = 2
)

const (
	// bulkTime is the timeout of a run: 10,000 documents on a busy database.
	bulkTime = 4 * time.Hour
	// bulkBatch is the number of documents after which a bulk update reports its progress.
	bulkBatch = 50
	// bulkRetries is how often a bulk update continues after an error of the database.
	bulkRetries = 5
	// bulkKept is how long the old values are stored. It is longer than an update waits, runs and can
	// be undone.
	bulkKept = 48 * time.Hour
)

// The reasons for which a document is left alone that no single update has.
var (
	errBulkMissing   = errs.New(errs.NotFound, "there is no such document in this workspace")
	errBulkIngesting = errs.New(errs.InvalidState, "the document is being ingested")
	errBulkNoText    = errs.New(errs.NoText, "the document has no text")
	errBulkSince     = errs.New(errs.Conflict, "the document was changed after the update")
	// errBulkSame ends the transaction of a document that has the values already.
	errBulkSame = errors.New("the document has the values already")
)

// registerBulk registers the package's jobs.
func (s *Service) registerBulk() {
	s.jobs.Register(JobBulkUpdate, job.Kind{Queue: JobBulkUpdate, MaxRetries: bulkRetries, Timeout: bulkTime,
		Work: s.workBulk, OnEnd: s.endBulk})
	s.jobs.Register(JobBulkUndo, job.Kind{Queue: JobBulkUpdate, MaxRetries: bulkRetries, Timeout: bulkTime,
		Work: s.workUndo, OnEnd: s.endUndo})
}

// bulkStep changes one document of a bulk update in a transaction and sets the state of its row.
type bulkStep func(ctx context.Context, tx dbx.Tx, row *model.BulkChange) error

// workBulk changes the documents that wait. After an interruption it continues with the first one
// that is not stored.
func (s *Service) workBulk(ctx context.Context, run *job.Run) (any, error) {
	in, err := job.Parameters[model.BulkUpdateParameters](run.Job)
	if err != nil {
		return nil, err
	}
	steps := map[model.BulkAction]bulkStep{
		model.BulkActionUpdate: func(ctx context.Context, tx dbx.Tx, row *model.BulkChange) error {
			return s.updateRow(ctx, tx, row, in.Values)
		},
		model.BulkActionDelete: func(ctx context.Context, tx dbx.Tx, row *model.BulkChange) error {
			return s.deleteRow(ctx, tx, row, run.Job.UserID)
		},
		model.BulkActionFindStatements: func(ctx context.Context, tx dbx.Tx, row *model.BulkChange) error {
			return s.searchRow(ctx, tx, row, optional.ValueOr(run.Job.UserID, ""))
		},
	}
	rows := bulkRows{column: "job_id", jobID: run.Job.ID, state: model.BulkStateWaiting, left: model.BulkStateSkipped}
	return nil, s.workRows(job.AsOwner(ctx, run.Job), run, rows, steps[in.Action])
}

// workUndo takes back the changes of an update.
func (s *Service) workUndo(ctx context.Context, run *job.Run) (any, error) {
	in, err := job.Parameters[model.BulkUndoParameters](run.Job)
	if err != nil {
		return nil, err
	}
	update, err := s.jobs.Get(ctx, run.Job.WorkspaceID, in.UpdateJobID)
	if err != nil {
		return nil, err
	}
	if update == nil {
		return nil, job.Permanent(errs.New(errs.NotFound, "the update is no longer known"))
	}
	done, err := job.Parameters[model.BulkUpdateParameters](update)
	if err != nil {
		return nil, err
	}
	step := func(ctx context.Context, tx dbx.Tx, row *model.BulkChange) error {
		return s.restoreRow(ctx, tx, row, done.Values)
	}
	if done.Action == model.BulkActionDelete {
		step = s.undeleteRow
	}
	rows := bulkRows{column: "undo_job_id", jobID: run.Job.ID, state: model.BulkStateChanged,
		left: model.BulkStateLeft}
	return nil, s.workRows(job.AsOwner(ctx, run.Job), run, rows, step)
}

// workRows takes the step for each row in the state that waits for it. Each row has a transaction of
// its own, so that a document is locked shortly and an interruption costs one row at most.
func (s *Service) workRows(ctx context.Context, run *job.Run, rows bulkRows, step bulkStep) error {
	total, waiting, err := s.countBulk(ctx, rows)
	if err != nil {
		return err
	}
	for done := total - waiting; ; {
		ids, err := s.nextRows(ctx, rows, bulkBatch)
		if err != nil || len(ids) == 0 {
			return err
		}
		for _, id := range ids {
			if err := s.workRow(ctx, run, rows, id, step); err != nil {
				return err
			}
		}
		done += len(ids)
		if err := run.Progress(ctx, 100*done/total, fmt.Sprintf("%d of %d documents", done, total)); err != nil {
			return err
		}
	}
}

// workRow takes the step for a row if it still waits. An error that the caller of a single update
// would see leaves the document alone with a reason; any other is returned.
func (s *Service) workRow(ctx context.Context, run *job.Run, rows bulkRows, id string, step bulkStep) error {
	err := s.inRow(ctx, run, rows, id, step)
	if err == nil || errors.Is(err, job.ErrLost) {
		return err
	}
	if errors.Is(err, errBulkSame) {
		return s.inRow(ctx, run, rows, id, func(_ context.Context, _ dbx.Tx, row *model.BulkChange) error {
			row.State = model.BulkStateUnchanged
			return nil
		})
	}
	skip, ok := skipOf(ctx, "", err)
	if !ok {
		return err
	}
	return s.inRow(ctx, run, rows, id, func(_ context.Context, _ dbx.Tx, row *model.BulkChange) error {
		row.State, row.Reason, row.Message = rows.left, &skip.Reason, skip.Message
		return nil
	})
}

// inRow runs the step in a transaction that holds the job and the row, and saves the row. It does
// nothing if the row no longer waits.
func (s *Service) inRow(ctx context.Context, run *job.Run, rows bulkRows, id string, step bulkStep) error {
	return run.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		row, err := s.claimRow(ctx, tx, rows, id)
		if err != nil || row == nil {
			return err
		}
		if err := step(ctx, tx, row); err != nil {
			return err
		}
		return saveRow(ctx, tx, row)
	})
}

// updateRow sets the values in a document, as an update of this document alone does.
func (s *Service) updateRow(ctx context.Context, tx dbx.Tx, row *model.BulkChange, values *model.BulkValues) error {
	before, after, err := s.setTags(ctx, tx, row, values.AutoTagValues)
	if err != nil {
		return err
	}
	fields := bulkFields(values)
	if len(fields) > 0 {
		err = s.updateFields(ctx, tx, row, updateOf(values))
	} else {
		row.Old, row.New = &model.BulkSnapshot{}, &model.BulkSnapshot{}
		err = s.checkIngested(ctx, tx, row)
	}
	if err != nil {
		return err
	}
	if len(differingFields(row.Old, row.New, fields)) == 0 && len(differingTags(before, after)) == 0 {
		return errBulkSame
	}
	row.Old.AutoTags, row.New.AutoTags, row.State = before, after, model.BulkStateChanged
	return nil
}

// setTags sets values of auto-tags in a document and returns what it had and has of them. Call it
// before the document is locked.
func (s *Service) setTags(ctx context.Context, tx dbx.Tx, row *model.BulkChange,
	values []model.BulkAutoTagValue) (before, after []model.AutoTagState, err error) {
	if len(values) == 0 {
		return nil, nil, nil
	}
	return s.tagValues.SetValues(ctx, tx, row.WorkspaceID, row.DocumentID, values)
}

// updateFields changes the fields of a document and sets the snapshots of the row.
func (s *Service) updateFields(ctx context.Context, tx dbx.Tx, row *model.BulkChange,
	update api.UpdateDocumentInput) error {
	doc, err := s.Amend(ctx, tx, row.WorkspaceID, row.DocumentID, func(doc *model.Document) error {
		if isIngesting(doc) {
			return errBulkIngesting
		}
		row.Old = snapshotOf(doc)
		return s.applyUpdate(ctx, tx, doc, update)
	})
	if err == nil {
		row.New = snapshotOf(doc)
	}
	return err
}

// checkIngested returns an error if there is no such document, or if it is being ingested.
func (s *Service) checkIngested(ctx context.Context, tx dbx.Tx, row *model.BulkChange) error {
	doc, err := s.FindByID(ctx, tx, row.WorkspaceID, row.DocumentID, "id", "processing_status")
	if err == nil && isIngesting(doc) {
		err = errBulkIngesting
	}
	return err
}

// restoreRow gives a document the values back that it had before the update, unless one of them was
// changed since.
func (s *Service) restoreRow(ctx context.Context, tx dbx.Tx, row *model.BulkChange, values *model.BulkValues) error {
	if err := s.restoreTags(ctx, tx, row); err != nil {
		return err
	}
	row.State = model.BulkStateUndone
	fields := bulkFields(values)
	if len(fields) == 0 {
		return s.checkIngested(ctx, tx, row)
	}
	_, err := s.Amend(ctx, tx, row.WorkspaceID, row.DocumentID, func(doc *model.Document) error {
		if isIngesting(doc) {
			return errBulkIngesting
		}
		if len(differingFields(snapshotOf(doc), row.New, fields)) > 0 {
			return errBulkSince
		}
		restoreFields(doc, row.Old, fields)
		return nil
	})
	return err
}

// restoreTags gives a document its former values of auto-tags back. Call it before the document is
// locked.
func (s *Service) restoreTags(ctx context.Context, tx dbx.Tx, row *model.BulkChange) error {
	if len(row.Old.AutoTags) == 0 {
		return nil
	}
	err := s.tagValues.RestoreValues(ctx, tx, row.WorkspaceID, row.DocumentID, row.Old.AutoTags, row.New.AutoTags)
	if errs.Is(err, errs.Conflict) {
		return errBulkSince
	}
	return err
}

// deleteRow moves a document to the trash.
func (s *Service) deleteRow(ctx context.Context, tx dbx.Tx, row *model.BulkChange, userID *string) error {
	at, err := s.deleteIn(ctx, tx, row.WorkspaceID, row.DocumentID, userID)
	row.State, row.New = model.BulkStateChanged, &model.BulkSnapshot{DeletedAt: &at}
	return err
}

// undeleteRow restores a document, unless it was restored, erased or deleted again since.
func (s *Service) undeleteRow(ctx context.Context, tx dbx.Tx, row *model.BulkChange) error {
	_, err := s.restoreIn(ctx, tx, row.WorkspaceID, row.DocumentID, func(deleted *model.DeletedDocument) error {
		if !sameTime(&deleted.DeletedAt, row.New.DeletedAt) {
			return errBulkSince
		}
		return nil
	})
	if errs.Is(err, errs.NotFound) {
		return errBulkSince
	}
	row.State = model.BulkStateUndone
	return err
}

// searchRow queues the search for a document's statements.
func (s *Service) searchRow(ctx context.Context, tx dbx.Tx, row *model.BulkChange, userID string) error {
	doc, err := s.FindByID(ctx, tx, row.WorkspaceID, row.DocumentID, "id", "workspace_id", "content",
		"processing_status")
	switch {
	case err != nil:
		return err
	case isIngesting(doc):
		return errBulkIngesting
	case optional.ValueOr(doc.Content, "") == "":
		return errBulkNoText
	}
	isQueued, err := s.findStatements(ctx, tx, doc, userID)
	if err == nil && !isQueued {
		return errBulkSame
	}
	row.State = model.BulkStateChanged
	return err
}

// skipOf returns why a document is left alone; false for an error that is no reason, such as a
// database that is away.
func skipOf(ctx context.Context, id string, err error) (model.BulkSkip, bool) {
	skip, known := model.BulkSkip{DocumentID: id, Reason: model.BulkSkipReasonRefused}, errs.From(err)
	switch {
	case ctx.Err() != nil:
		return skip, false
	case errors.Is(err, errBulkIngesting):
		skip.Reason = model.BulkSkipReasonBeingIngested
	case errors.Is(err, errBulkSince):
		skip.Reason = model.BulkSkipReasonChangedSince
	case known.Code == errs.NoText:
		skip.Reason = model.BulkSkipReasonNoText
	case known.Code == errs.NotFound:
		skip.Reason = model.BulkSkipReasonNotFound
	case known.Code == errs.BudgetExhausted:
		skip.Reason = model.BulkSkipReasonNoRuns
	case known.Code == errs.ValidationFailed && len(known.Fields) == 1 && known.Fields[0].Pointer == "#/embargoedUntil":
		skip.Reason = model.BulkSkipReasonEmbargo
	default:
		class := errs.Lookup(known.Code)
		skip.Message = &known.Message
		return skip, class.Status < 500 && !class.Retry
	}
	return skip, true
}

// endBulk sets the result of an ended update, also of one that failed or was cancelled.
func (s *Service) endBulk(ctx context.Context, tx dbx.Tx, of *model.Job, _ error) error {
	result, err := s.resultOf(ctx, tx, bulkRows{column: "job_id", jobID: of.ID, left: model.BulkStateSkipped})
	if err != nil {
		return err
	}
	in, err := job.Parameters[model.BulkUpdateParameters](of)
	if err == nil && result.ChangedCount > 0 && in.Action != model.BulkActionFindStatements {
		until := of.CompletedAt.Add(model.BulkUndoTime)
		result.UndoableUntil = &until
	}
	return setBulkResult(of, result)
}

// endUndo sets the result of an ended undoing.
func (s *Service) endUndo(ctx context.Context, tx dbx.Tx, of *model.Job, _ error) error {
	result, err := s.resultOf(ctx, tx, bulkRows{column: "undo_job_id", jobID: of.ID, left: model.BulkStateLeft})
	if err != nil {
		return err
	}
	return setBulkResult(of, result)
}

func setBulkResult(of *model.Job, result *model.BulkUpdateResult) error {
	raw, err := json.Marshal(result)
	text := string(raw)
	of.ResultText = &text
	return err
}
