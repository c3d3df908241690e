package model

import "time"

// The names of the events that a link gives (link-webhooks.md, "Events").
const (
	EventLinkOpened    = "link.opened"
	EventConversion    = "conversion"
	EventFormSubmitted = "form.submitted"
)

// EventNames are all events that the feed may carry.
var EventNames = []string{EventLinkOpened, EventConversion, EventFormSubmitted}

// OpenedViewer is the viewer of link.opened; what is not known of one is empty.
type OpenedViewer struct {
	Country  string `json:"country"`
	City     string `json:"city"`
	Device   string `json:"device"`
	Browser  string `json:"browser"`
	OS       string `json:"os"`
	Referrer string `json:"referrer"`
}

// ConversionViewer is the viewer of a conversion.
type ConversionViewer struct {
	Type      string `json:"type"`                 // cta_click, scroll_25, scroll_50, scroll_75, scroll_100, custom
	Value     string `json:"value"`                // for instance the button's label
	VariantID string `json:"variant_id,omitempty"` // empty unless the link runs a split test
	SessionID string `json:"session_id"`
	Country   string `json:"country"`
	Device    string `json:"device"`
}

// FormViewer is the viewer of form.submitted: who filled the form in, and with what.
type FormViewer struct {
	ID        string         `json:"id"`
	Email     string         `json:"email"` // empty when the form has none, as the name
	Name      string         `json:"name"`
	Data      map[string]any `json:"data"`       // what was submitted, by the fields' names, email and name among them
	CreatedAt string         `json:"created_at"` // as Instant writes it
}

// Instant writes an instant as events carry it: ISO 8601 at the microsecond with the offset of UTC, +00:00.
func Instant(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000000-07:00") }
