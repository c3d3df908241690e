package job

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
)

const (
	// eventRetention is how long the events of an ended job are stored.
	eventRetention = 7 * 24 * time.Hour
	// pageEvents is the maximum number of events per read.
	pageEvents = 1000
)

// eventRow is the stored event of a change: its position and the job's state at that position.
type eventRow struct {
	bun.BaseModel `bun:"table:job_event"`

	WorkspaceID string             `bun:"workspace_id"`
	JobID       string             `bun:"job_id"`
	Position    int                `bun:"position"`
	Kind        model.JobEventKind `bun:"kind"`
	// JSON; as a string, since bun's own JSON writing breaks a nested \u0000
	State     string    `bun:"state"`
	CreatedAt time.Time `bun:"created_at"`
}

// recordEvent stores the event of a change and deletes the oldest event beyond the limit. It
// publishes a notification after the commit.
func (s *Service) recordEvent(ctx context.Context, tx dbx.Tx, job *model.Job, kind model.JobEventKind) error {
	state, err := json.Marshal(job)
	if err != nil {
		return fmt.Errorf("encode a job's state: %w", err)
	}
	row := &eventRow{
		WorkspaceID: job.WorkspaceID, JobID: job.ID, Position: job.Position, Kind: kind, State: string(state),
		CreatedAt: job.UpdatedAt,
	}
	if _, err := tx.NewInsert().Model(row).Exec(ctx); err != nil {
		return dbx.Err(err)
	}
	if job.Position > s.keptEvents {
		old := tx.NewDelete().Model((*eventRow)(nil)).Where("job_id = ? AND position <= ?", job.ID,
			job.Position-s.keptEvents)
		if _, err := old.Exec(ctx); err != nil {
			return dbx.Err(err)
		}
	}
	payload := encodeNotification(job, row)
	tx.AfterCommit(func() { s.publishChange(ctx, job.WorkspaceID, job.ID, payload) })
	return s.notifyHooks(ctx, tx, job, kind)
}

func (s *Service) notifyHooks(ctx context.Context, tx dbx.Tx, job *model.Job, kind model.JobEventKind) error {
	if kind != model.JobEventKindState {
		return nil
	}
	for _, hook := range s.hooks {
		if err := hook(ctx, tx, job); err != nil {
			return err
		}
	}
	return nil
}

// deleteOldEvents deletes the events of jobs that ended more than eventRetention ago.
func (s *Service) deleteOldEvents(ctx context.Context) error {
	old := model.Now().Add(-eventRetention)
	ended := s.db.NewSelect().Model((*model.Job)(nil)).Column("id").Where("completed_at < ?", old)
	_, err := s.db.NewDelete().Model((*eventRow)(nil)).Where("created_at < ?", old).Where("job_id IN (?)", ended).
		Exec(ctx)
	return dbx.Err(err)
}

// jobEvent returns the event with the job as of its position.
func (r *eventRow) jobEvent(now *model.Job) (*model.JobEvent, error) {
	job := &model.Job{
		ID: now.ID, WorkspaceID: now.WorkspaceID, JobTypeText: now.JobTypeText, DocumentID: now.DocumentID,
		DraftID: now.DraftID, UserID: now.UserID,
		ParentID: now.ParentID, ParametersText: now.ParametersText, MaxRetries: now.MaxRetries, Priority: now.Priority,
		CreatedAt: now.CreatedAt, Position: r.Position,
	}
	if err := json.Unmarshal([]byte(r.State), job); err != nil {
		return nil, fmt.Errorf("read a job's stored state: %w", err)
	}
	return &model.JobEvent{JobID: job.ID, Position: r.Position, Kind: r.Kind, State: job}, nil
}

// eventsBetween reads up to one page of events after a position. complete is false if the first of
// them is no longer stored.
func (s *Service) eventsBetween(ctx context.Context, job *model.Job, after int) (events []*model.JobEvent,
	complete bool, err error) {
	var rows []*eventRow
	err = s.db.NewSelect().Model(&rows).Where("job_id = ? AND position > ? AND position <= ?", job.ID, after,
		job.Position).
		Order("position").Limit(pageEvents).Scan(ctx)
	if err != nil {
		return nil, false, dbx.Err(err)
	}
	if len(rows) == 0 || rows[0].Position != after+1 {
		return nil, after == job.Position, nil
	}
	for _, row := range rows {
		event, err := row.jobEvent(job)
		if err != nil {
			return nil, false, err
		}
		events = append(events, event)
	}
	return events, true, nil
}

// Events returns up to 1000 events after a position, or nil if the workspace has no such job. It
// returns errs.CursorGone if the position is no longer stored or lies beyond the job's.
func (s *Service) Events(ctx context.Context, workspaceID, jobID string, after int) (*api.JobEventPage, error) {
	job, err := s.Get(ctx, workspaceID, jobID)
	if job == nil || err != nil {
		return nil, err
	}
	events, complete, err := s.eventsBetween(ctx, job, after)
	if err != nil {
		return nil, err
	}
	if !complete {
		return nil, errs.New(errs.CursorGone, "the events after position %d are not stored; read the job and continue after %d", after, job.Position).
			With("position", job.Position)
	}
	return &api.JobEventPage{Events: events, NextCursor: after + len(events)}, nil
}
