package job

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/model/optional"
)

// mutableColumns are the columns that a change may write. Parameters may be large, so they are
// written only once.
var mutableColumns = []string{
	"status", "progress", "note", "result", "error_code", "error_message", "retry_count", "cancelled_by",
	"cancel_reason",
	"started_at", "completed_at", "updated_at", "position", "queue_id", "fetch_at", "lease_until", "lease_token",
	"rescue_count", "dismissed_at",
}

// errUnchanged ends a transaction that found nothing to change.
var errUnchanged = errors.New("nothing to change")

// Request describes a job to queue.
type Request struct {
	Type        string // a registered type
	WorkspaceID string
	DocumentID  string // empty for none
	DraftID     string // empty for none
	UserID      string // empty for none
	Parameters  any    // encoded as JSON; nil for none
	Priority    int    // 1 is most urgent, 4 least, 0 means 2
}

// Enqueue inserts a job, its first event and its delivery in the caller's transaction. A job that
// calls it in its Work becomes the parent. Cancelling the context afterwards does not cancel the
// job. It returns an error if the type is not registered or the parameters cannot be encoded.
func (s *Service) Enqueue(ctx context.Context, tx dbx.Tx, r Request) (*model.Job, error) {
	kind, ok := s.kinds[r.Type]
	if !ok {
		return nil, errs.Wrap(fmt.Errorf("no kind is registered for %q", r.Type), errs.Internal,
			"this type of job is not registered")
	}
	parameters, err := encodeJSON(r.Parameters)
	if err != nil {
		return nil, fmt.Errorf("encode the parameters of a job: %w", err)
	}
	now := model.Now()
	job := &model.Job{
		ID: model.NewID(model.JobPrefix), WorkspaceID: r.WorkspaceID, JobTypeText: r.Type,
		DocumentID: optional.NonEmpty(r.DocumentID),
		DraftID:    optional.NonEmpty(r.DraftID), UserID: optional.NonEmpty(r.UserID), ParentID: RunningID(ctx),
		ParametersText: parameters, MaxRetries: kind.MaxRetries, Priority: r.Priority,
		Status: model.JobStatusQueued, Position: 1, CreatedAt: now, UpdatedAt: now,
	}
	if job.Priority == 0 {
		job.Priority = defaultPriority
	}
	if err := s.queueDelivery(ctx, tx, job, 0); err != nil {
		return nil, err
	}
	if _, err := tx.NewInsert().Model(job).Exec(ctx); err != nil {
		return nil, dbx.Err(err)
	}
	return job, s.recordEvent(ctx, tx, job, model.JobEventKindState)
}

// changeJob is the only way to change a job's row. It locks the row, assigns the next position and
// records the event. If the change ends the job, it calls OnEnd with the cause. An error of alter
// or OnEnd undoes the change.
func (s *Service) changeJob(
	ctx context.Context, tx dbx.Tx, id string, kind model.JobEventKind, cause error, alter func(*model.Job) error,
) (*model.Job, error) {
	job := new(model.Job)
	if err := s.db.ForUpdate(tx.NewSelect().Model(job).Where("id = ?", id)).Scan(ctx); err != nil {
		return nil, dbx.Err(err)
	}
	if err := alter(job); err != nil {
		return nil, err
	}
	if end := s.kinds[job.JobTypeText].OnEnd; end != nil && job.Ended() {
		if err := end(ctx, tx, job, cause); err != nil {
			return nil, fmt.Errorf("end job of type %s: %w", job.JobTypeText, err)
		}
	}
	job.Position++
	job.UpdatedAt = model.Now()
	if _, err := tx.NewUpdate().Model(job).Column(mutableColumns...).WherePK().Exec(ctx); err != nil {
		return nil, dbx.Err(err)
	}
	return job, s.recordEvent(ctx, tx, job, kind)
}

// endJob sets the fields of an ended job.
func endJob(job *model.Job, status model.JobStatus) {
	now := model.Now()
	job.Status, job.CompletedAt = status, &now
	job.LeaseUntil = nil
}

// setWaiting sets the fields of a job that waits in the queue.
func setWaiting(job *model.Job) {
	job.Status = model.JobStatusQueued
	if job.RetryCount > 0 {
		job.Status = model.JobStatusRetrying
	}
	job.CompletedAt, job.LeaseUntil = nil, nil
}

func isWaiting(job *model.Job) bool {
	return job.Status == model.JobStatusQueued || job.Status == model.JobStatusRetrying
}

func encodeJSON(v any) (*string, error) {
	if v == nil {
		return nil, nil
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	text := string(raw)
	return &text, nil
}
