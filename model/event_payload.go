package model

import (
	"encoding/json"

	"rostrum/model/eventdata"
)

// EventPayload is what an event is about.
type EventPayload interface{ IsEventPayload() }

// Payload returns what the event is about, or nil if it has no viewer or one of an unknown shape.
func (e *Event) Payload() EventPayload {
	switch e.Event {
	case EventLinkOpened:
		return payloadOf[LinkOpenedPayload](e.Viewer)
	case EventConversion:
		return payloadOf[ConversionPayload](e.Viewer)
	case EventFormSubmitted:
		return payloadOf[FormSubmittedPayload](e.Viewer)
	case EventSearchMatched:
		var match eventdata.SearchMatched
		if decodeShape(string(e.Data), &match) {
			return &SearchMatchedPayload{SearchID: match.Search.ID, SearchName: match.Search.Name,
				DocumentID: match.Document.ID, DocumentTitle: match.Document.Title}
		}
	}
	return nil
}

func payloadOf[T any, P interface {
	*T
	EventPayload
}](viewer json.RawMessage) EventPayload {
	if value := new(T); decodeShape(string(viewer), value) {
		return P(value)
	}
	return nil
}

// LinkOpenedPayload is the viewer that opened a link. Unknown values are empty.
type LinkOpenedPayload struct {
	Country         string     `json:"country"`
	City            string     `json:"city"`
	Device          DeviceType `json:"device"`
	Browser         string     `json:"browser"`
	OperatingSystem string     `json:"os"`
	Referrer        string     `json:"referrer"`
	// SessionID is nil in events that a release before it stored.
	SessionID *string `json:"session_id,omitempty"`
}

// IsEventPayload marks the type as a member of the union.
func (*LinkOpenedPayload) IsEventPayload() {}

// ConversionPayload is an action of a viewer.
type ConversionPayload struct {
	ConversionType ConversionType `json:"type"`
	Value          string         `json:"value"`
	VariantID      *string        `json:"variant_id,omitempty"`
	SessionID      string         `json:"session_id"`
	Country        string         `json:"country"`
	Device         DeviceType     `json:"device"`
}

// IsEventPayload marks the type as a member of the union.
func (*ConversionPayload) IsEventPayload() {}

// FormSubmittedPayload is the form that a viewer submitted.
type FormSubmittedPayload struct {
	SubmissionID string          `json:"id"`
	Email        string          `json:"email"`
	Name         string          `json:"name"`
	Data         json.RawMessage `json:"data"`
	SessionID    *string         `json:"session_id,omitempty"`
}

// IsEventPayload marks the type as a member of the union.
func (*FormSubmittedPayload) IsEventPayload() {}

// SearchMatchedPayload is the document that came to match a saved search.
type SearchMatchedPayload struct {
	SearchID, SearchName string
	DocumentID           string
	DocumentTitle        *string // nil for one that was internal or under embargo
}

// IsEventPayload marks the type as a member of the union.
func (*SearchMatchedPayload) IsEventPayload() {}
