package job

import (
	"context"
	"encoding/json"
	"time"

	"rostrum/model"
)

// largestNews is how many bytes of news are sent; a larger change is announced without its content and read from the database.
const largestNews = 16 << 10

// news is a change on its way to the followers of the job and of its workspace.
type news struct {
	JobID    string             `json:"job_id"`
	Position int                `json:"position"`
	Kind     model.JobEventKind `json:"kind"`
	State    json.RawMessage    `json:"state,omitempty"` // as it is stored with the event; absent when it was too large
	Fixed    *fixed             `json:"fixed,omitempty"` // absent with the state
}

// fixed is what a job's stored state does not repeat.
type fixed struct {
	JobType    string    `json:"job_type"`
	DocumentID *string   `json:"document_id"`
	UserID     *string   `json:"user_id"`
	Parameters *string   `json:"parameters"`
	MaxRetries int       `json:"max_retries"`
	Priority   int       `json:"priority"`
	CreatedAt  time.Time `json:"created_at"`
}

func encodeNews(job *model.Job, row *eventRow) []byte {
	n := news{JobID: job.ID, Position: row.Position, Kind: row.Kind, State: json.RawMessage(row.State), Fixed: &fixed{
		JobType: job.JobType, DocumentID: job.DocumentID, UserID: job.UserID, Parameters: job.Parameters,
		MaxRetries: job.MaxRetries, Priority: job.Priority, CreatedAt: job.CreatedAt,
	}}
	payload, _ := json.Marshal(n) //nolint:errchkjson // strings, numbers, times and JSON that was just made
	if len(payload) <= largestNews {
		return payload
	}
	n.State, n.Fixed = nil, nil
	payload, _ = json.Marshal(n) //nolint:errchkjson // as above
	return payload
}

// event rebuilds the change; nil when the news do not carry it, or cannot be read, and the database must be.
func (n *news) event(workspaceID string) *model.JobEvent {
	if n.State == nil || n.Fixed == nil {
		return nil
	}
	f := n.Fixed
	job := &model.Job{
		ID: n.JobID, WorkspaceID: workspaceID, JobType: f.JobType, DocumentID: f.DocumentID, UserID: f.UserID,
		Parameters: f.Parameters, MaxRetries: f.MaxRetries, Priority: f.Priority, CreatedAt: f.CreatedAt,
	}
	event, err := (&eventRow{Position: n.Position, Kind: n.Kind, State: string(n.State)}).then(job)
	if err != nil {
		return nil
	}
	return event
}

func (s *Service) announce(ctx context.Context, workspaceID, jobID string, payload []byte) {
	s.live.Publish(ctx, jobTopic(jobID), payload)
	s.live.Publish(ctx, workspaceTopic(workspaceID), payload)
}

func jobTopic(id string) string                { return "job." + id }
func workspaceTopic(workspaceID string) string { return "jobs." + workspaceID }
