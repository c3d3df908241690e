package model

import (
	"time"

	"github.com/uptrace/bun"
)

// Job is asynchronous work as callers see it. The queue's own row is separate and may be pruned.
type Job struct {
	bun.BaseModel `bun:"table:job"`

	ID             string     `bun:"id,pk" json:"-"`
	WorkspaceID    string     `bun:"workspace_id" json:"-"`
	JobTypeText    string     `bun:"job_type" json:"-"`
	DocumentID     *string    `bun:"document_id" json:"-"`
	DraftID        *string    `bun:"draft_id" json:"-"`
	UserID         *string    `bun:"user_id" json:"-"`
	ParentID       *string    `bun:"parent_id" json:"-"`  // the job that started it from its Work
	ParametersText *string    `bun:"parameters" json:"-"` // the input, JSON-encoded
	MaxRetries     int        `bun:"max_retries" json:"-"`
	Priority       int        `bun:"priority" json:"-"`
	CreatedAt      time.Time  `bun:"created_at" json:"-"`
	Status         JobStatus  `bun:"status" json:"status"`
	Progress       int        `bun:"progress" json:"progress"` // percent
	Note           *string    `bun:"note" json:"note,omitempty"`
	ResultText     *string    `bun:"result" json:"result,omitempty"` // the output, JSON-encoded
	ErrorCode      *string    `bun:"error_code" json:"error_code,omitempty"`
	ErrorMessage   *string    `bun:"error_message" json:"error_message,omitempty"`
	RetryCount     int        `bun:"retry_count" json:"retry_count"`
	CancelledBy    *string    `bun:"cancelled_by" json:"cancelled_by,omitempty"`
	CancelReason   *string    `bun:"cancel_reason" json:"cancel_reason,omitempty"`
	StartedAt      *time.Time `bun:"started_at" json:"started_at,omitempty"`
	CompletedAt    *time.Time `bun:"completed_at" json:"completed_at,omitempty"`
	DismissedAt    *time.Time `bun:"dismissed_at" json:"-"` // when somebody said that its failure needs no attention
	UpdatedAt      time.Time  `bun:"updated_at" json:"updated_at"`
	Position       int        `bun:"position" json:"-"` // position of its latest event, from 1

	QueueID *int64 `bun:"queue_id" json:"-"` // id of the queue's row
	// rank among waiting jobs, see package job; nil until it is queued
	FetchAt    *time.Time `bun:"fetch_at" json:"-"`
	LeaseUntil *time.Time `bun:"lease_until" json:"-"` // a running job with an expired lease returns to the queue
	// fencing token: grows with every start; only the latest holder may write
	LeaseToken int `bun:"lease_token" json:"-"`

	// how often a worker died with the job, since it was queued or retried
	RescueCount int `bun:"rescue_count" json:"-"`
}

// IsNode marks the type as a Node.
func (*Job) IsNode() {}

// Ended reports whether the job will not change again unless it is retried.
func (j *Job) Ended() bool {
	return j.Status == JobStatusCompleted || j.Status == JobStatusFailed || j.Status == JobStatusCancelled
}

// JobEvent is an event of a job's stream: its position, kind, and the job's state at that time.
type JobEvent struct {
	JobID    string
	Position int // from 1, without gaps within one job
	Kind     JobEventKind
	State    *Job
}

// Then returns the state as REST's events have it: with the fields of the job that never change.
func (e *JobEvent) Then() *Job { return e.State }

// StartedJob is the response of an operation that queues a job.
type StartedJob struct {
	Job *Job
}

// Estimate is the price of a model-backed operation that did not run.
type Estimate struct {
	// Runs is how many runs the operation would take from the budget; 0 if it would start nothing.
	Runs int `json:"runs"`
}
