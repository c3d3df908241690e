package job

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
)

// mutable are the columns that a change may touch; the input, which may be large, is never written again.
var mutable = []string{
	"status", "progress", "note", "result", "error_code", "error_message", "retry_count", "cancelled_by", "cancel_reason",
	"started_at", "completed_at", "updated_at", "position", "queue_id", "lease_until", "lease_token",
}

// errUnchanged ends a change that found nothing to do.
var errUnchanged = errors.New("nothing to change")

// Request asks for a job.
type Request struct {
	Type        string // a registered one
	WorkspaceID string
	DocumentID  string // empty for none
	UserID      string // empty for none
	Parameters  any    // encoded as JSON; nil for none
	Priority    int    // 1 is most urgent, 4 least, 0 means 2
}

// Enqueue makes a job in the caller's transaction: its row, its first event and its place in the queue stand or fall with it, and
// the news of it leave behind the commit. Ending the context afterwards does not end the job.
func (s *Service) Enqueue(ctx context.Context, tx dbx.Tx, r Request) (*model.Job, error) {
	kind, ok := s.kinds[r.Type]
	if !ok {
		return nil, errs.Wrap(fmt.Errorf("no kind is registered for %q", r.Type), errs.Internal, "this work is not known here")
	}
	parameters, err := encode(r.Parameters)
	if err != nil {
		return nil, fmt.Errorf("encode the parameters of a job: %w", err)
	}
	now := model.Now()
	job := &model.Job{
		ID: model.NewID(model.JobPrefix), WorkspaceID: r.WorkspaceID, JobType: r.Type, DocumentID: model.Optional(r.DocumentID),
		UserID: model.Optional(r.UserID), Parameters: parameters, MaxRetries: kind.MaxRetries, Priority: r.Priority,
		Status: model.JobStatusQueued, Position: 1, CreatedAt: now, UpdatedAt: now,
	}
	if job.Priority == 0 {
		job.Priority = defaultPriority
	}
	if err := s.deliver(ctx, tx, job, 0); err != nil {
		return nil, err
	}
	if _, err := tx.NewInsert().Model(job).Exec(ctx); err != nil {
		return nil, dbx.Err(err)
	}
	return job, s.record(ctx, tx, job, model.JobEventKindState)
}

// change is the only way in which a job's row changes: locked, with the next position, and with its event.
// When the change ends the job, the kind's OnEnd belongs to it and is told the cause.
func (s *Service) change(
	ctx context.Context, tx dbx.Tx, id string, kind model.JobEventKind, cause error, alter func(*model.Job) error,
) (*model.Job, error) {
	job := new(model.Job)
	if err := s.db.Locked(tx.NewSelect().Model(job).Where("id = ?", id)).Scan(ctx); err != nil {
		return nil, dbx.Err(err)
	}
	if err := alter(job); err != nil {
		return nil, err
	}
	if end := s.kinds[job.JobType].OnEnd; end != nil && job.Ended() {
		if err := end(ctx, tx, job, cause); err != nil {
			return nil, fmt.Errorf("end job of type %s: %w", job.JobType, err)
		}
	}
	job.Position++
	job.UpdatedAt = model.Now()
	if _, err := tx.NewUpdate().Model(job).Column(mutable...).WherePK().Exec(ctx); err != nil {
		return nil, dbx.Err(err)
	}
	return job, s.record(ctx, tx, job, kind)
}

// end closes a job's row.
func end(job *model.Job, status model.JobStatus) {
	now := model.Now()
	job.Status, job.CompletedAt = status, &now
	job.LeaseUntil = nil
}

// wait puts a job's row back into the queue.
func wait(job *model.Job) {
	job.Status = model.JobStatusQueued
	if job.RetryCount > 0 {
		job.Status = model.JobStatusRetrying
	}
	job.CompletedAt, job.LeaseUntil = nil, nil
}

func waiting(job *model.Job) bool {
	return job.Status == model.JobStatusQueued || job.Status == model.JobStatusRetrying
}

func encode(v any) (*string, error) {
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
