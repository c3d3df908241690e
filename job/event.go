package job

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
)

const (
	// keptEvents is how many of a job's latest positions are kept while it goes.
	keptEvents = 1000
	// keptFor is how long the events of a job are kept once it has ended.
	keptFor = 7 * 24 * time.Hour
	// pageEvents is how many events are read at a time.
	pageEvents = 1000
)

// eventRow is a job's change as it is stored: its position, and what the job was then.
type eventRow struct {
	bun.BaseModel `bun:"table:job_event"`

	WorkspaceID string             `bun:"workspace_id"`
	JobID       string             `bun:"job_id"`
	Position    int                `bun:"position"`
	Kind        model.JobEventKind `bun:"kind"`
	State       string             `bun:"state"` // JSON; as a string, since bun's own JSON writing breaks a nested \u0000
	CreatedAt   time.Time          `bun:"created_at"`
}

// record stores the event of a change, drops the one that has become too old, and leaves the news for after the commit.
func (s *Service) record(ctx context.Context, tx dbx.Tx, job *model.Job, kind model.JobEventKind) error {
	state, err := json.Marshal(job)
	if err != nil {
		return fmt.Errorf("encode a job's state: %w", err)
	}
	row := &eventRow{
		WorkspaceID: job.WorkspaceID, JobID: job.ID, Position: job.Position, Kind: kind, State: string(state), CreatedAt: job.UpdatedAt,
	}
	if _, err := tx.NewInsert().Model(row).Exec(ctx); err != nil {
		return dbx.Err(err)
	}
	if job.Position > keptEvents {
		old := tx.NewDelete().Model((*eventRow)(nil)).Where("job_id = ? AND position <= ?", job.ID, job.Position-keptEvents)
		if _, err := old.Exec(ctx); err != nil {
			return dbx.Err(err)
		}
	}
	payload := encodeNews(job, row)
	tx.AfterCommit(func() { s.announce(ctx, job.WorkspaceID, job.ID, payload) })
	return nil
}

// tidy deletes the events of jobs that ended long ago.
func (s *Service) tidy(ctx context.Context) {
	old := model.Now().Add(-keptFor)
	ended := s.db.NewSelect().Model((*model.Job)(nil)).Column("id").Where("completed_at < ?", old)
	_, err := s.db.NewDelete().Model((*eventRow)(nil)).Where("created_at < ?", old).Where("job_id IN (?)", ended).Exec(ctx)
	report(ctx, "delete old job events", err)
}

// then is the job as it was at the event.
func (r *eventRow) then(now *model.Job) (*model.JobEvent, error) {
	job := &model.Job{
		ID: now.ID, WorkspaceID: now.WorkspaceID, JobType: now.JobType, DocumentID: now.DocumentID, UserID: now.UserID,
		Parameters: now.Parameters, MaxRetries: now.MaxRetries, Priority: now.Priority, CreatedAt: now.CreatedAt, Position: r.Position,
	}
	if err := json.Unmarshal([]byte(r.State), job); err != nil {
		return nil, fmt.Errorf("read a job's stored state: %w", err)
	}
	return &model.JobEvent{Position: r.Position, Kind: r.Kind, Job: job}, nil
}

// between reads a job's events behind a position up to where the job stood when it was read, a page at most.
// complete is false when the first of them is no longer kept.
func (s *Service) between(ctx context.Context, job *model.Job, behind int) (events []*model.JobEvent, complete bool, err error) {
	var rows []*eventRow
	err = s.db.NewSelect().Model(&rows).Where("job_id = ? AND position > ? AND position <= ?", job.ID, behind, job.Position).
		Order("position").Limit(pageEvents).Scan(ctx)
	if err != nil {
		return nil, false, dbx.Err(err)
	}
	if len(rows) == 0 || rows[0].Position != behind+1 {
		return nil, behind == job.Position, nil
	}
	for _, row := range rows {
		event, err := row.then(job)
		if err != nil {
			return nil, false, err
		}
		events = append(events, event)
	}
	return events, true, nil
}

// Events reads the kept events of a job behind a position, at most 1000; nil when the workspace has no such job.
// It fails with errs.CursorGone when the position is older than what is kept, or not one that the job has reached.
func (s *Service) Events(ctx context.Context, workspaceID, jobID string, after int) (*model.JobEventPage, error) {
	job, err := s.Get(ctx, workspaceID, jobID)
	if job == nil || err != nil {
		return nil, err
	}
	events, complete, err := s.between(ctx, job, after)
	if err != nil {
		return nil, err
	}
	if !complete {
		return nil, errs.New(errs.CursorGone, "the events behind position %d are not kept; read the job and go on behind %d", after, job.Position).
			With("position", job.Position)
	}
	return &model.JobEventPage{Events: events, NextCursor: after + len(events)}, nil
}
