package model

import (
	"time"

	"github.com/uptrace/bun"
)

// Job is long work as callers see it; the queue's own row behind it comes and goes.
type Job struct {
	bun.BaseModel `bun:"table:job"`

	ID           string     `bun:"id,pk" json:"-"`
	WorkspaceID  string     `bun:"workspace_id" json:"-"`
	JobType      string     `bun:"job_type" json:"-"`
	DocumentID   *string    `bun:"document_id" json:"-"`
	UserID       *string    `bun:"user_id" json:"-"`
	Parameters   *string    `bun:"parameters" json:"-"` // the input, JSON-encoded
	MaxRetries   int        `bun:"max_retries" json:"-"`
	Priority     int        `bun:"priority" json:"-"`
	CreatedAt    time.Time  `bun:"created_at" json:"-"`
	Status       JobStatus  `bun:"status" json:"status"`
	Progress     int        `bun:"progress" json:"progress"` // percent
	Note         *string    `bun:"note" json:"note,omitempty"`
	Result       *string    `bun:"result" json:"result,omitempty"` // the output, JSON-encoded
	ErrorCode    *string    `bun:"error_code" json:"error_code,omitempty"`
	ErrorMessage *string    `bun:"error_message" json:"error_message,omitempty"`
	RetryCount   int        `bun:"retry_count" json:"retry_count"`
	CancelledBy  *string    `bun:"cancelled_by" json:"cancelled_by,omitempty"`
	CancelReason *string    `bun:"cancel_reason" json:"cancel_reason,omitempty"`
	StartedAt    *time.Time `bun:"started_at" json:"started_at,omitempty"`
	CompletedAt  *time.Time `bun:"completed_at" json:"completed_at,omitempty"`
	UpdatedAt    time.Time  `bun:"updated_at" json:"updated_at"`
	Position     int        `bun:"position" json:"-"` // of its latest event, from 1

	QueueID    *int64     `bun:"queue_id" json:"-"`    // the queue's own row
	LeaseUntil *time.Time `bun:"lease_until" json:"-"` // a running job whose lease is over belongs to nobody
	LeaseToken int        `bun:"lease_token" json:"-"` // grows with every start; only its latest holder may write
}

// IsNode marks the type for node(id:).
func (*Job) IsNode() {}

// Ended reports whether the job will not change again unless it is retried.
func (j *Job) Ended() bool {
	return j.Status == JobStatusCompleted || j.Status == JobStatusFailed || j.Status == JobStatusCancelled
}

// JobEvent is one step of a job's stream: its position, what it is, and the job as it was then.
type JobEvent struct {
	Position int // from 1, without gaps within one job
	Kind     JobEventKind
	Job      *Job
}

// JobRef is what an operation that only queues work answers with.
type JobRef struct {
	JobID   string
	JobType string
	Status  JobStatus
	// Estimate stands alone: nothing was queued where it is given.
	Estimate *Estimate
}
