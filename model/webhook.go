package model

import (
	"time"

	"github.com/uptrace/bun"
)

// Webhook is an https address that hears of a workspace's events (shared/spec/link-webhooks.md).
type Webhook struct {
	bun.BaseModel `bun:"table:webhook"`

	ID          string    `bun:"id,pk"`
	WorkspaceID string    `bun:"workspace_id"`
	LinkID      *string   `bun:"link_id"` // nil hears of every link
	URL         string    `bun:"url"`
	Label       string    `bun:"label"`
	IsActive    bool      `bun:"is_active"`
	Events      []string  `bun:"events,type:jsonb,nullzero"` // the types it hears of; empty is all
	Ordered     bool      `bun:"ordered"`                    // an event of a link waits until the one before is done
	CreatedAt   time.Time `bun:"created_at"`

	Secret       []byte     `bun:"secret"`        // sealed; nil is not signed
	FormerSecret []byte     `bun:"former_secret"` // sealed; signs beside the new one until FormerUntil
	FormerUntil  *time.Time `bun:"former_until"`

	ConsecutiveFailures int           `bun:"consecutive_failures"` // failed attempts since the last that succeeded
	PausedReason        *PausedReason `bun:"paused_reason"`        // nil while it is active
	PausedAt            *time.Time    `bun:"paused_at"`
	Probes              int           `bun:"probes"`   // how often a webhook paused by failures was tried since
	ProbeAt             *time.Time    `bun:"probe_at"` // when it is tried next

	SigningSecret *string `bun:"-"` // in clear, only in the answer that makes it
}

// IsNode marks the type for node(id:).
func (*Webhook) IsNode() {}

// Signed reports whether what it is sent carries a signature.
func (w *Webhook) Signed() bool { return w.Secret != nil }

// Delivery is one event on its way to one webhook, with what came of each attempt.
type Delivery struct {
	bun.BaseModel `bun:"table:webhook_delivery,alias:delivery"`

	ID            string             `bun:"id,pk"`
	WorkspaceID   string             `bun:"workspace_id"`
	WebhookID     string             `bun:"webhook_id"`
	EventID       string             `bun:"event_id"` // the receiver's webhook-id, the same on every attempt
	Event         string             `bun:"event"`
	Test          bool               `bun:"test"`     // of a sample, which stands in no feed
	Position      int64              `bun:"position"` // the event's in the feed
	LinkID        *string            `bun:"link_id"`
	Status        DeliveryStatus     `bun:"status"`
	Attempts      []*DeliveryAttempt `bun:"attempts,type:jsonb"` // the latest ones, oldest first
	NextAttemptAt *time.Time         `bun:"next_attempt_at"`
	CreatedAt     time.Time          `bun:"created_at"`
	DeliveredAt   *time.Time         `bun:"delivered_at"`

	Tries        int        `bun:"tries"`         // attempts since it was last queued anew
	Turn         int        `bun:"turn"`          // grows with every queueing; only its latest task is valid
	WaitingSince *time.Time `bun:"waiting_since"` // it has no task and waits for its webhook, or for the event before it
	Line         *string    `bun:"line"`          // the link in whose order it stands until it is done; nil stands in none
}

// IsNode marks the type for node(id:).
func (*Delivery) IsNode() {}

// Open reports whether it is still to be delivered.
func (d *Delivery) Open() bool {
	return d.Status == DeliveryStatusPending || d.Status == DeliveryStatusRetrying
}

// DeliveryAttempt is what came of sending an event once.
type DeliveryAttempt struct {
	At        time.Time          `json:"at"`
	Status    *int               `json:"status,omitempty"` // of the answer; nil when there was none
	LatencyMs int                `json:"latency_ms"`
	ErrorCode *DeliveryErrorCode `json:"error_code,omitempty"`
	Error     *string            `json:"error,omitempty"` // for people
	Body      *string            `json:"body,omitempty"`  // the answer's first 1 KiB
}

// DeliveryConnection is one page of deliveries.
type DeliveryConnection struct{ *Connection[Delivery] }

// DeliveryEdge is a delivery and its place in the list.
type DeliveryEdge struct {
	Cursor string
	Node   *Delivery
}

// Edges pairs each delivery with its cursor.
func (c *DeliveryConnection) Edges() []*DeliveryEdge {
	edges := make([]*DeliveryEdge, len(c.Nodes))
	for i, n := range c.Nodes {
		edges[i] = &DeliveryEdge{Cursor: c.Cursor(n), Node: n}
	}
	return edges
}

// Fail says why the attempt did not succeed, as a code and for people.
func (a *DeliveryAttempt) Fail(code DeliveryErrorCode, sentence string) {
	a.ErrorCode, a.Error = &code, &sentence
}
