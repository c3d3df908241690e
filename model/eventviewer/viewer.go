// Package eventviewer defines the JSON of the viewer in events of links: links write it, webhooks
// send it, OpenAPI documents it.
package eventviewer

import "time"

// The doc tags become descriptions in the OpenAPI document.

// Opened is the viewer of link.opened. Unknown values are empty.
type Opened struct {
	Country  string `json:"country" doc:"The country's ISO 3166-1 code; empty when it is not known, as all of these."`
	City     string `json:"city" doc:"The city."`
	Device   string `json:"device" doc:"desktop, mobile or tablet."`
	Browser  string `json:"browser" doc:"The browser's name."`
	OS       string `json:"os" doc:"The operating system's name."`
	Referrer string `json:"referrer" doc:"The page that the viewer came from."`
	// SessionID is empty in events that a release before it stored.
	SessionID string `json:"session_id,omitempty" doc:"The viewer's session, as in a destination with {session_id}."`
}

// Conversion is the viewer of conversion.
type Conversion struct {
	Type      string `json:"type" doc:"cta_click, scroll_25, scroll_50, scroll_75, scroll_100 or custom."`
	Value     string `json:"value" doc:"The value of the conversion, for instance the button's label."`
	VariantID string `json:"variant_id,omitempty" doc:"The variant that the viewer saw; only while the link runs a split test."`
	SessionID string `json:"session_id" doc:"The viewer's session."`
	Country   string `json:"country" doc:"The country's ISO 3166-1 code; empty when it is not known."`
	Device    string `json:"device" doc:"desktop, mobile or tablet; empty when it is not known."`
}

// Form is the viewer of form.submitted: the submission's id, time and values.
type Form struct {
	ID    string         `json:"id" doc:"The submission's id."`
	Email string         `json:"email" doc:"The field email; empty when the form has none."`
	Name  string         `json:"name" doc:"The field name; empty when the form has none."`
	Data  map[string]any `json:"data" doc:"The submitted values by field name, email and name included."`
	// written by FormatTime
	CreatedAt string `json:"created_at" doc:"The time of the submission: ISO 8601 with the offset of UTC."`
	SessionID string `json:"session_id,omitempty" doc:"The viewer's session; absent if the form was sent without one."`
}

// FormatTime returns the time as events carry it: ISO 8601 with microseconds and the offset of UTC,
// +00:00.
func FormatTime(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000000-07:00") }
