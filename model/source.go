package model

import (
	"time"

	"github.com/uptrace/bun"
)

// Source is a feed, a sitemap, a page or a mailbox whose new entries become documents.
type Source struct {
	bun.BaseModel `bun:"table:source"`

	ID              string           `bun:"id,pk"`
	WorkspaceID     string           `bun:"workspace_id"`
	Kind            SourceKind       `bun:"kind"`
	Name            string           `bun:"name"`
	URL             string           `bun:"url"`
	IntervalMinutes int              `bun:"interval_minutes"`
	Visibility      Visibility       `bun:"visibility"` // of its documents: public or internal
	MediaProvenance *MediaProvenance `bun:"media_provenance"`
	TitleIncludes   []string         `bun:"title_includes,type:jsonb"` // one of them is in the title; empty is any title
	TitleExcludes   []string         `bun:"title_excludes,type:jsonb"` // none of them is in the title
	Tags            []string         `bun:"tags,type:jsonb"`           // labels of its documents
	TakesAll        bool             `bun:"takes_all"`                 // the first poll takes all entries
	CreatedByID     *string          `bun:"created_by_id"`
	CreatedAt       time.Time        `bun:"created_at"`
	Version         string           `bun:"version"`    // changes when somebody changes the source, not with polls
	UpdatedAt       time.Time        `bun:"updated_at"` // when the version changed

	PausedReason *SourcePausedReason `bun:"paused_reason"` // nil while it is polled
	PausedAt     *time.Time          `bun:"paused_at"`

	LastPolledAt        *time.Time   `bun:"last_polled_at"`
	NextPollAt          *time.Time   `bun:"next_poll_at"` // nil while it is paused
	LastError           *SourceError `bun:"last_error,type:jsonb"`
	ConsecutiveFailures int          `bun:"consecutive_failures"` // failed polls since the last success
	Refusals            int          `bun:"refusals"`             // those of them at which a mail server refused the sign-in
	IsFailing           bool         `bun:"is_failing"`           // its latest polls failed, see domain/ingest
	EntriesSeen         int          `bun:"entries_seen"`
	DocumentsCreated    int          `bun:"documents_created"`
	WaitingCount        int          `bun:"waiting_count"` // entries that no document was made of yet

	IsKnown      bool       `bun:"is_known"` // it was read before, so unknown entries are new ones
	ETag         string     `bun:"etag"`     // with LastModified the version that was read
	LastModified string     `bun:"last_modified"`
	LeaseUntil   *time.Time `bun:"lease_until"` // end of the poll's lease; nil while none runs
	LeaseToken   int64      `bun:"lease_token"` // grows with every poll; only the latest may write
	IsSnoozed    bool       `bun:"is_snoozed"`  // its host was at its limit when it was due

	LinkPrefix *string `bun:"link_prefix"` // the links of a page that begin so are its entries; nil for other kinds

	Mailbox  *Mailbox `bun:"mailbox,type:jsonb"` // nil for other kinds
	Password []byte   `bun:"password"`           // of the mailbox, sealed
	// the position in the mailbox: all mails up to UIDSeen were looked at. Those up to UIDOld were
	// there when the reading began anew, so only new ones among them become documents.
	UIDValidity uint32 `bun:"uid_validity"`
	UIDSeen     uint32 `bun:"uid_seen"`
	UIDOld      uint32 `bun:"uid_old"`
}

// IsNode marks the type as a Node.
func (*Source) IsNode() {}

// IsPaused reports whether it is not polled.
func (s *Source) IsPaused() bool { return s.PausedReason != nil }

// Mailbox says how a mailbox is read, without its password.
type Mailbox struct {
	Host     string          `json:"host"`
	Port     int             `json:"port"`
	Username string          `json:"username"`
	Folder   string          `json:"folder"`
	Security MailboxSecurity `json:"security"`
}

// MailboxSecurity is how the connection to a mail server is encrypted.
type MailboxSecurity string

// The values of MailboxSecurity.
const (
	MailboxSecurityTLS      MailboxSecurity = "tls"
	MailboxSecuritySTARTTLS MailboxSecurity = "starttls"
	MailboxSecurityNone     MailboxSecurity = "none"
)

// SourceEntry is an entry that a source has or had.
type SourceEntry struct {
	bun.BaseModel `bun:"table:source_entry"`

	SourceID   string     `bun:"source_id,pk"`
	Key        string     `bun:"entry_key,pk"` // digest of the address without its variations
	FeedKey    string     `bun:"feed_key"`     // digest of the feed's own identifier; empty without one
	Position   int64      `bun:"position"`     // the order in which entries become documents
	URL        string     `bun:"url"`
	Published  *time.Time `bun:"published"`
	IsWaiting  bool       `bun:"is_waiting"`  // it is to become a document
	DocumentID *string    `bun:"document_id"` // nil if it became none
}

// SourceKind is the form of what a source's address gives.
type SourceKind string

// The values of SourceKind.
const (
	SourceKindFeed    SourceKind = "feed"
	SourceKindSitemap SourceKind = "sitemap"
	SourceKindPage    SourceKind = "page"
	SourceKindMailbox SourceKind = "mailbox"
)

// SourcePausedReason is the reason why a source is not polled.
type SourcePausedReason string

// The values of SourcePausedReason.
const (
	SourcePausedReasonOwner   SourcePausedReason = "owner"
	SourcePausedReasonGone    SourcePausedReason = "gone"
	SourcePausedReasonRefused SourcePausedReason = "refused"
)

// SourceOrderField is what sources are ordered by.
type SourceOrderField string

// The values of SourceOrderField.
const (
	SourceOrderFieldCreatedAt    SourceOrderField = "created_at"
	SourceOrderFieldName         SourceOrderField = "name"
	SourceOrderFieldLastPolledAt SourceOrderField = "last_polled_at"
	SourceOrderFieldNextPollAt   SourceOrderField = "next_poll_at"
)

// SourceOrder is an order of sources.
type SourceOrder = ListOrder[SourceOrderField]

// SourceConnection is one page of sources.
type SourceConnection = Connection[Source]

// SourceEdge is a source and its cursor.
type SourceEdge = Edge[Source]
