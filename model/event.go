package model

import (
	"encoding/json"
	"time"

	"github.com/uptrace/bun"
)

// Event is something that happened in a workspace and that other systems may hear of: the feed, its subscription and webhooks
// carry it under the same id (link-webhooks.md, "Events").
type Event struct {
	bun.BaseModel `bun:"table:event"`

	ID          string          `bun:"id,pk"`
	WorkspaceID string          `bun:"workspace_id"`
	Position    int64           `bun:"position"` // its place in the workspace's feed, from 1, without gaps, in the order of commits
	Event       string          `bun:"event"`    // link.opened, conversion, form.submitted
	LinkID      *string         `bun:"link_id"`
	Link        *LinkSummary    `bun:"link,type:jsonb,nullzero"`
	Viewer      json.RawMessage `bun:"viewer,type:jsonb,nullzero"` // its shape depends on the event
	Data        json.RawMessage `bun:"data,type:jsonb,nullzero"`
	Timestamp   time.Time       `bun:"timestamp"`
}

// LinkSummary is a link as events show it, as it was then.
type LinkSummary struct {
	ID       string `json:"id" doc:"The link's id."`
	Slug     string `json:"slug" doc:"The last part of its short address."`
	Title    string `json:"title" doc:"Its title."`
	ShortURL string `json:"short_url" doc:"Its short address."`
}

// IsNode marks the type for node(id:).
func (*Event) IsNode() {}
