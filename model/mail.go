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
	Detail      *MailRange `bun:"detail,type:jsonb"`     // of a mail about events
	State       MailState  `bun:"state"`
	CreatedAt   time.Time  `bun:"created_at"`
	EndedAt     *time.Time `bun:"ended_at"`
	Error       *string    `bun:"error"` // of the last attempt
}

// MailRange are the events that a mail tells, by their positions in the workspace's feed.
type MailRange struct {
	After int64 `json:"after"`
	Until int64 `json:"until"`
}

// MailText is what a mail says.
type MailText struct {
	Subject string
	Body    string // plain text
	Stop    string // the address of a page on which its reader stops such mails; may be empty
}

// MailSettings are what a user gets by mail from a workspace.
type MailSettings struct {
	bun.BaseModel `bun:"table:mail_settings"`

	WorkspaceID  string      `bun:"workspace_id,pk"`
	UserID       string      `bun:"user_id,pk"`
	Alerts       []EventType `bun:"alerts,type:jsonb,nullzero"` // the events that alerts tell; nil: no alerts
	BriefingHour *int        `bun:"briefing_hour"`              // nil: no briefing
	TimeZone     string      `bun:"time_zone"`                  // an IANA name
	Language     string      `bun:"language"`                   // a BCP-47 tag

	AlertedPosition int64      `bun:"alerted_position"` // the last event that alerts need not tell
	AlertedAt       *time.Time `bun:"alerted_at"`       // when the last alert was queued
	BriefedPosition int64      `bun:"briefed_position"`
	BriefingAt      *time.Time `bun:"briefing_at"` // when the next briefing is due; nil: never
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
