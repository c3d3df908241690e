package model

import (
	"encoding/json"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/uptrace/bun"
)

// SlugPattern is what the slug of a link matches, and SlugRule says it.
const (
	SlugPattern = `^[A-Za-z0-9]([A-Za-z0-9_-]{0,62}[A-Za-z0-9])?$`
	SlugRule    = "must have 1 to 64 letters of a to z, digits, - and _, and begin and end with a letter or digit"
)

// Link is a short address that redirects, downloads a file, or shows a hosted page.
type Link struct {
	bun.BaseModel `bun:"table:link"`

	ID              string    `bun:"id,pk"`
	WorkspaceID     string    `bun:"workspace_id"`
	Slug            string    `bun:"slug"` // as chosen; unique over all workspaces, in either case
	Title           string    `bun:"title"`
	Kind            LinkKind  `bun:"kind"`
	DestinationURL  *string   `bun:"destination_url"` // destination of a redirect without variants
	Body            *string   `bun:"body"`            // sanitized HTML of a page
	Form            *LinkForm `bun:"form,type:jsonb"`
	File            *LinkFile `bun:"file,type:jsonb"`
	IsActive        bool      `bun:"is_active"`
	OpenCount       int       `bun:"opens"`       // new human viewer sessions
	ConversionCount int       `bun:"conversions"` // clicks, custom conversions and submissions
	SubmissionCount int       `bun:"submissions"`
	CreatedBy       string    `bun:"created_by"`
	CreatedAt       time.Time `bun:"created_at"`
	UpdatedAt       time.Time `bun:"updated_at"`
	Version         string    `bun:"version"` // another whenever UpdatedAt changes

	// DraftID is the draft whose text the page shows; nil for a link that was made by itself.
	DraftID          *string    `bun:"draft_id"`
	Language         *string    `bun:"language"`        // BCP 47 tag of a page; nil for en
	EmbargoedUntil   *time.Time `bun:"embargoed_until"` // viewers get no page before
	WithdrawnAt      *time.Time `bun:"withdrawn_at"`    // viewers get WithdrawalReason instead of the page
	WithdrawalReason *string    `bun:"withdrawal_reason"`
	// PublishedAt is since when the text of a draft can be read: since it was published or its embargo
	// ended. It is nil for a page without a draft.
	PublishedAt *time.Time `bun:"published_at"`

	ExpiresAt  *time.Time `bun:"expires_at"`
	MaxOpens   *int       `bun:"max_opens"`
	TakenOpens int        `bun:"taken_opens"` // of MaxOpens; meaningless without it
	// PasswordHash is argon2id in the PHC string format; nil: viewers need no password.
	PasswordHash *string `bun:"password_hash"`
}

// IsNode marks the type as a Node.
func (*Link) IsNode() {}

// HasPassword reports whether viewers need a password.
func (l *Link) HasPassword() bool { return l.PasswordHash != nil }

// EndedReason returns why the link has ended at a time, or nil if it has not.
func (l *Link) EndedReason(now time.Time) *LinkEndedReason {
	switch {
	case l.ExpiresAt != nil && !l.ExpiresAt.After(now):
		return new(LinkEndedReasonExpired)
	case l.MaxOpens != nil && l.TakenOpens >= *l.MaxOpens:
		return new(LinkEndedReasonUsedUp)
	}
	return nil
}

// IsOpen reports whether the text of a draft can be read at a time.
func (l *Link) IsOpen(now time.Time) bool {
	return l.PublishedAt != nil && !l.PublishedAt.After(now) && l.WithdrawnAt == nil
}

// PublishedText is a text to show on the hosted page of its draft.
type PublishedText struct {
	DraftID string
	LinkID  *string // the draft's link, which may have been deleted; nil if it has none
	Title   string
	Body    string  // HTML
	Slug    *string // nil to make one up, or to leave that of the link
	// Language and EmbargoedUntil replace those of the link if they are set.
	Language       graphql.Omittable[*string]
	EmbargoedUntil graphql.Omittable[*time.Time]
	Embargo        *time.Time // until when the draft or its source is under embargo; nil if neither is
}

// LinkForm is the form of a hosted page.
type LinkForm struct {
	Fields []*LinkFormField `json:"fields"`
	Thanks string           `json:"thanks,omitempty"` // what viewers read after they have sent it; empty for the usual words
}

// LinkFormField is a field of a form.
type LinkFormField struct {
	Name     string        `json:"name"` // the key of its answer in a submission's data
	Label    string        `json:"label"`
	Type     FormFieldType `json:"type"`
	Required bool          `json:"required"`
}

// LinkFile is the file of a link. Its bytes are in the store of files (platform/blob).
type LinkFile struct {
	Name      string `json:"name"`
	MediaType string `json:"media_type"`
	Size      int    `json:"size"` // bytes
	Stored    string `json:"stored"`
}

// LinkVariant is a variant of a split test. A viewer session keeps its variant.
type LinkVariant struct {
	bun.BaseModel `bun:"table:link_variant"`

	ID              string `bun:"id,pk"`
	WorkspaceID     string `bun:"workspace_id"`
	LinkID          string `bun:"link_id"`
	Position        int    `bun:"position"`
	DestinationURL  string `bun:"destination_url"`
	Weight          int    `bun:"weight"` // its share of the sum of all weights
	OpenCount       int    `bun:"opens"`
	ConversionCount int    `bun:"conversions"` // clicks and custom conversions
	ConvertedCount  int    `bun:"converted"`   // sessions with a conversion
}

// LinkSession is a viewer session of a link: a person's visits with less than 30 minutes between
// them. Unknown origin and device are empty; the IP address is not stored.
type LinkSession struct {
	bun.BaseModel `bun:"table:link_session"`

	ID          string     `bun:"id,pk"`
	WorkspaceID string     `bun:"workspace_id"`
	LinkID      string     `bun:"link_id"`
	VariantID   *string    `bun:"variant_id"`
	Country     string     `bun:"country"`
	City        string     `bun:"city"`
	Device      DeviceType `bun:"device"`
	Browser     string     `bun:"browser"`
	OS          string     `bun:"os"`
	Referrer    string     `bun:"referrer"`
	UTMSource   string     `bun:"utm_source"` // the parameters of the opened address
	UTMMedium   string     `bun:"utm_medium"`
	UTMCampaign string     `bun:"utm_campaign"`
	UTMTerm     string     `bun:"utm_term"`
	UTMContent  string     `bun:"utm_content"`
	OpenedAt    time.Time  `bun:"opened_at"`
	ConvertedAt *time.Time `bun:"converted_at"` // its first conversion or submission; nil without one
}

// IsNode marks the type as a Node.
func (*LinkSession) IsNode() {}

// DeviceText returns the device, or an empty text if it is unknown.
func (s *LinkSession) DeviceText() string { return string(s.Device) }

// LinkConversion is an action of a viewer session, stored once per type and value.
type LinkConversion struct {
	bun.BaseModel `bun:"table:link_conversion"`

	ID          string         `bun:"id,pk"`
	WorkspaceID string         `bun:"workspace_id"`
	LinkID      string         `bun:"link_id"`
	SessionID   string         `bun:"session_id"`
	VariantID   *string        `bun:"variant_id"`
	Type        ConversionType `bun:"type"`
	Value       string         `bun:"value"` // such as a button's label; empty when there is none
	CreatedAt   time.Time      `bun:"created_at"`
}

// IsNode marks the type as a Node.
func (*LinkConversion) IsNode() {}

// LinkSubmission is a submission of a hosted page's form.
type LinkSubmission struct {
	bun.BaseModel `bun:"table:link_submission"`

	ID          string          `bun:"id,pk"`
	WorkspaceID string          `bun:"workspace_id"`
	LinkID      string          `bun:"link_id"`
	SessionID   *string         `bun:"session_id"`
	Email       string          `bun:"email"` // value of the field of that name or type; empty without one
	Name        string          `bun:"name"`
	Data        json.RawMessage `bun:"data,type:jsonb"` // every field's answer by its name
	CreatedAt   time.Time       `bun:"created_at"`
}

// IsNode marks the type as a Node.
func (*LinkSubmission) IsNode() {}

// LinkActivity is what happened to links in a span of time.
type LinkActivity struct {
	StartsAt        time.Time
	OpenCount       int // new human viewer sessions
	ConversionCount int // clicks, custom conversions and submissions
	SubmissionCount int
}

// LinkBreakdown is how the opens of a link divide by a dimension.
type LinkBreakdown struct {
	OpenCount      int // viewer sessions that began in the time
	ConvertedCount int // those with a conversion or submission
	UnknownCount   int // those without a value of the dimension
	Rows           []*LinkBreakdownRow
}

// LinkBreakdownRow are the viewer sessions with a value of a dimension.
type LinkBreakdownRow struct {
	Value          string
	OpenCount      int
	ConvertedCount int
}

// ConversionRate is the share of viewer sessions that converted, with its 95 % interval.
type ConversionRate struct {
	Rate, Low, High float64
}

// LinkSplitTest is what the variants of a split test tell so far.
type LinkSplitTest struct {
	Verdict     SplitTestVerdict
	BestVariant *LinkVariant // nil unless the verdict is SplitTestVerdictBetter
}

// LinkTag is a tag of links and how many have it.
type LinkTag struct {
	Name      string
	LinkCount int
}
