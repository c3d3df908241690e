package model

import (
	"time"

	"github.com/uptrace/bun"
)

// Webhook is an https endpoint that receives a workspace's events.
type Webhook struct {
	bun.BaseModel `bun:"table:webhook"`

	ID          string      `bun:"id,pk"`
	WorkspaceID string      `bun:"workspace_id"`
	LinkID      *string     `bun:"link_id"`   // nil subscribes to all links
	SearchID    *string     `bun:"search_id"` // nil subscribes to all saved searches
	URL         string      `bun:"url"`
	Label       string      `bun:"label"`
	IsActive    bool        `bun:"is_active"`
	Events      []EventType `bun:"events,type:jsonb,nullzero"` // subscribed event types; empty is LinkEventTypes
	Ordered     bool        `bun:"ordered"`                    // events of a link are delivered in order
	CreatedAt   time.Time   `bun:"created_at"`

	Secret       []byte     `bun:"secret"`        // sealed; nil sends no signature
	FormerSecret []byte     `bun:"former_secret"` // sealed list of replaced secrets that also sign
	FormerUntil  *time.Time `bun:"former_until"`  // end of the last of them

	ConsecutiveFailures int           `bun:"consecutive_failures"` // failed attempts since the last success
	FailingSince        *time.Time    `bun:"failing_since"`        // time of the first of them
	PausedReason        *PausedReason `bun:"paused_reason"`        // nil while it is active
	PausedAt            *time.Time    `bun:"paused_at"`
	Probes              int           `bun:"probes"`   // probes since the webhook was paused by failures
	ProbeAt             *time.Time    `bun:"probe_at"` // time of the next probe

	Switches  int `bun:"switches"`  // how often it was paused or resumed
	Announced int `bun:"announced"` // the number of the switch that the feed has last

	SigningSecret *string `bun:"-"` // plain text, only in the response that creates it
}

// IsNode marks the type as a Node.
func (*Webhook) IsNode() {}

// Held reports whether its deliveries wait for a probe to succeed.
func (w *Webhook) Held() bool {
	return !w.IsActive && w.PausedReason != nil && *w.PausedReason == PausedReasonFailures
}

// Signed reports whether deliveries carry a signature.
func (w *Webhook) Signed() bool { return w.Secret != nil }

// Delivery is the delivery of an event to a webhook, with its latest attempts.
type Delivery struct {
	bun.BaseModel `bun:"table:webhook_delivery,alias:delivery"`

	ID            string             `bun:"id,pk"`
	WorkspaceID   string             `bun:"workspace_id"`
	WebhookID     string             `bun:"webhook_id"`
	EventID       string             `bun:"event_id"` // the receiver's webhook-id, the same on every attempt
	EventName     EventType          `bun:"event"`
	Test          bool               `bun:"test"`     // delivery of a sample event, which is not in the feed
	Position      int64              `bun:"position"` // position of the event in the feed
	LinkID        *string            `bun:"link_id"`
	Status        DeliveryStatus     `bun:"status"`
	Attempts      []*DeliveryAttempt `bun:"attempts,type:jsonb"` // the latest ones, oldest first
	NextAttemptAt *time.Time         `bun:"next_attempt_at"`
	CreatedAt     time.Time          `bun:"created_at"`
	DeliveredAt   *time.Time         `bun:"delivered_at"`

	Tries int `bun:"tries"` // attempts since it was last enqueued by the owner or an event
	// fencing token: grows with every enqueueing, and only the task of the latest is valid
	Generation int `bun:"generation"`
	// when it was deferred: it has no task until its webhook has a free slot or the earlier event is done
	WaitingSince *time.Time `bun:"waiting_since"`
	// the link that keeps deliveries in order: later ones wait until this one is done; nil is
	// unordered
	OrderingKey *string `bun:"ordering_key"`
}

// IsNode marks the type as a Node.
func (*Delivery) IsNode() {}

// Open reports whether the delivery is not finished.
func (d *Delivery) Open() bool {
	return d.Status == DeliveryStatusPending || d.Status == DeliveryStatusRetrying
}

// DeliveryAttempt is the outcome of one attempt to deliver an event.
type DeliveryAttempt struct {
	At        time.Time          `json:"at"`
	Status    *int               `json:"status,omitempty"` // status of the response; nil without a response
	LatencyMs int                `json:"latency_ms"`
	ErrorCode *DeliveryErrorCode `json:"error_code,omitempty"`
	Error     *string            `json:"error,omitempty"` // for people
	Body      *string            `json:"body,omitempty"`  // first 1 KiB of the response
}

// WebhookConnection is one page of webhooks.
type WebhookConnection = Connection[Webhook]

// WebhookEdge is a webhook and its cursor.
type WebhookEdge = Edge[Webhook]

// DeliveryConnection is one page of deliveries.
type DeliveryConnection = Connection[Delivery]

// DeliveryEdge is a delivery and its cursor.
type DeliveryEdge = Edge[Delivery]

// Fail records the reason of a failed attempt: an error code and a sentence.
func (a *DeliveryAttempt) Fail(code DeliveryErrorCode, sentence string) {
	a.ErrorCode, a.Error = &code, &sentence
}
