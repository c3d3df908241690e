package model

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/uptrace/bun"
)

// Event is an event of a workspace. The feed, its subscription and webhooks carry it with the same
// id. Webhooks and the list of events have only EventTypes.
type Event struct {
	bun.BaseModel `bun:"table:event"`

	ID          string `bun:"id,pk"`
	WorkspaceID string `bun:"workspace_id"`
	// position in the workspace's feed, from 1, without gaps, in commit order
	Position int64  `bun:"position"`
	Event    string `bun:"event"` // one of the names in event_name.go
	// the row that it is about; nil in events of versions before it was stored
	SubjectID *string         `bun:"subject_id"`
	LinkID    *string         `bun:"link_id"`
	Link      *LinkSummary    `bun:"link,type:jsonb,nullzero"`
	Viewer    json.RawMessage `bun:"viewer,type:jsonb,nullzero"` // JSON of package eventviewer
	Data      json.RawMessage `bun:"data,type:jsonb,nullzero"`
	Timestamp time.Time       `bun:"timestamp"`

	IsUnsent bool `bun:"-" json:"-"` // of a new event: webhooks do not receive it
}

// LinkSummary is a link in an event, with its values at the time of the event.
type LinkSummary struct {
	ID       string `json:"id" doc:"The link's id."`
	Slug     string `json:"slug" doc:"The last part of its short address."`
	Title    string `json:"title" doc:"Its title."`
	ShortURL string `json:"short_url" doc:"Its short address."`
}

// LinkID returns the link's id under the name that is not an id of the summary itself.
func (l *LinkSummary) LinkID() string { return l.ID }

// Scan parses a column's JSON. It returns an error for other values, and for JSON of another shape.
func (l *LinkSummary) Scan(column any) error {
	switch text := column.(type) {
	case string:
		return json.Unmarshal([]byte(text), l)
	case []byte:
		return json.Unmarshal(text, l)
	}
	return fmt.Errorf("a link of an event is JSON, not %T", column)
}

// IsNode marks the type as a Node.
func (*Event) IsNode() {}
