package job

import (
	"context"
	"encoding/json"
	"time"

	"rostrum/model"
)

// maxNotificationBytes limits a notification. A larger change is announced without its content, and
// readers load it from the database.
const maxNotificationBytes = 16 << 10

// jobNotification is a change published to subscribers of the job and of its workspace.
type jobNotification struct {
	JobID    string             `json:"job_id"`
	Position int                `json:"position"`
	Kind     model.JobEventKind `json:"kind"`
	State    json.RawMessage    `json:"state,omitempty"` // as stored with the event; absent if too large
	Fixed    *fixedFields       `json:"fixed,omitempty"` // absent with the state
}

// fixedFields are the fields of a job that its stored state omits.
type fixedFields struct {
	JobType    string    `json:"job_type"`
	DocumentID *string   `json:"document_id"`
	DraftID    *string   `json:"draft_id,omitempty"`
	UserID     *string   `json:"user_id"`
	ParentID   *string   `json:"parent_id"`
	Parameters *string   `json:"parameters"`
	MaxRetries int       `json:"max_retries"`
	Priority   int       `json:"priority"`
	CreatedAt  time.Time `json:"created_at"`
}

func encodeNotification(job *model.Job, row *eventRow) []byte {
	n := jobNotification{JobID: job.ID, Position: row.Position, Kind: row.Kind, State: json.RawMessage(row.State),
		Fixed: &fixedFields{
			JobType: job.JobTypeText, DocumentID: job.DocumentID, DraftID: job.DraftID, UserID: job.UserID,
			ParentID:   job.ParentID,
			Parameters: job.ParametersText, MaxRetries: job.MaxRetries, Priority: job.Priority,
			CreatedAt: job.CreatedAt,
		}}
	payload, _ := json.Marshal(n) //nolint:errchkjson // strings, numbers, times and JSON that was just made
	if len(payload) <= maxNotificationBytes {
		return payload
	}
	n.State, n.Fixed = nil, nil
	payload, _ = json.Marshal(n) //nolint:errchkjson // as above
	return payload
}

// rebuildEvent returns the notification's event. It returns nil if the database must be read,
// because the notification has no event or cannot be decoded.
func (n *jobNotification) rebuildEvent(workspaceID string) *model.JobEvent {
	if n.State == nil || n.Fixed == nil {
		return nil
	}
	f := n.Fixed
	job := &model.Job{
		ID: n.JobID, WorkspaceID: workspaceID, JobTypeText: f.JobType, DocumentID: f.DocumentID, DraftID: f.DraftID,
		UserID:   f.UserID,
		ParentID: f.ParentID, ParametersText: f.Parameters, MaxRetries: f.MaxRetries, Priority: f.Priority,
		CreatedAt: f.CreatedAt,
	}
	event, err := (&eventRow{Position: n.Position, Kind: n.Kind, State: string(n.State)}).jobEvent(job)
	if err != nil {
		return nil
	}
	return event
}

func (s *Service) publishChange(ctx context.Context, workspaceID, jobID string, payload []byte) {
	s.live.Publish(ctx, jobTopic(jobID), payload)
	s.live.Publish(ctx, workspaceTopic(workspaceID), payload)
}

func jobTopic(id string) string                { return "job." + id }
func workspaceTopic(workspaceID string) string { return "jobs." + workspaceID }
