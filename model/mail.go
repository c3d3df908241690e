package model

import (
	"time"

	"github.com/uptrace/bun"
)

// Mail is a mail to one person.
type Mail struct {
	bun.BaseModel `bun:"table:mail"`

	ID          string     `bun:"id,pk"`
	WorkspaceID string     `bun:"workspace_id,nullzero"` // empty for one of no workspace
	Kind        string     `bun:"kind"`                  // who composes it
	SubjectID   string     `bun:"subject_id"`            // what it is about, as its package defines it
	Recipient   string     `bun:"recipient"`             // an email
	Secret      []byte     `bun:"secret"`                // sealed; nil without one and after the end
	State       MailState  `bun:"state"`
	CreatedAt   time.Time  `bun:"created_at"`
	EndedAt     *time.Time `bun:"ended_at"`
	Error       *string    `bun:"error"` // of the last attempt
}

// MailText is what a mail says.
type MailText struct {
	Subject string
	Body    string // plain text
}

// MailState is how far a mail is.
type MailState string

// The values of MailState.
const (
	MailStateWaiting MailState = "waiting"
	MailStateSent    MailState = "sent"
	MailStateFailed  MailState = "failed"
	MailStateDropped MailState = "dropped" // what it told had ended before it was sent
)
