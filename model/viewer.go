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

// The doc tags of the viewers are the OpenAPI document's text.

// OpenedViewer is the viewer of link.opened; what is not known of one is empty.
type OpenedViewer struct {
	Country  string `json:"country" doc:"The country's ISO 3166-1 code; empty when it is not known, as all of these."`
	City     string `json:"city" doc:"The city."`
	Device   string `json:"device" doc:"desktop, mobile or tablet."`
	Browser  string `json:"browser" doc:"The browser's name."`
	OS       string `json:"os" doc:"The operating system's name."`
	Referrer string `json:"referrer" doc:"The page that the viewer came from."`
}

// ConversionViewer is the viewer of a conversion.
type ConversionViewer struct {
	Type      string `json:"type" doc:"cta_click, scroll_25, scroll_50, scroll_75, scroll_100 or custom."`
	Value     string `json:"value" doc:"What was reached, for instance the button's label."`
	VariantID string `json:"variant_id,omitempty" doc:"The variant that the viewer saw; only while the link runs a split test."`
	SessionID string `json:"session_id" doc:"The viewer's session."`
	Country   string `json:"country" doc:"The country's ISO 3166-1 code; empty when it is not known."`
	Device    string `json:"device" doc:"desktop, mobile or tablet; empty when it is not known."`
}

// FormViewer is the viewer of form.submitted: who filled the form in, and with what.
type FormViewer struct {
	ID        string         `json:"id" doc:"The submission's id."`
	Email     string         `json:"email" doc:"The field email; empty when the form has none."`
	Name      string         `json:"name" doc:"The field name; empty when the form has none."`
	Data      map[string]any `json:"data" doc:"What was submitted, by the fields' names, email and name among them."`
	CreatedAt string         `json:"created_at" doc:"When it was submitted: ISO 8601 with the offset of UTC."` // as Instant writes it
}

// Instant writes an instant as events carry it: ISO 8601 at the microsecond with the offset of UTC, +00:00.
func Instant(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000000-07:00") }
