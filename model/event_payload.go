package model

import "encoding/json"

// EventName is the name of an event.
type EventName string

// The values of EventName.
const (
	EventNameLinkOpened      EventName = "link_opened"
	EventNameConversion      EventName = "conversion"
	EventNameFormSubmitted   EventName = "form_submitted"
	EventNameDocumentCreated EventName = "document_created"
	EventNameDocumentUpdated EventName = "document_updated"
	EventNameDocumentDeleted EventName = "document_deleted"
	EventNameJobChanged      EventName = "job_changed"

	EventNameCompanyChanged   EventName = "company_changed"
	EventNameExecutiveChanged EventName = "executive_changed"

	EventNameDraftCreated   EventName = "draft_created"
	EventNameDraftUpdated   EventName = "draft_updated"
	EventNameDraftDeleted   EventName = "draft_deleted"
	EventNameLinkCreated    EventName = "link_created"
	EventNameLinkUpdated    EventName = "link_updated"
	EventNameLinkDeleted    EventName = "link_deleted"
	EventNamePersonaCreated EventName = "persona_created"
	EventNamePersonaUpdated EventName = "persona_updated"
	EventNamePersonaDeleted EventName = "persona_deleted"
	EventNameWebhookChanged EventName = "webhook_changed"

	EventNameStale EventName = "stale"
	// EventNameOther is a name that this version does not know.
	EventNameOther EventName = "other"
)

// storedNames maps the names of events to those that the feed stores.
var storedNames = map[EventName]string{
	EventNameLinkOpened: EventLinkOpened, EventNameConversion: EventConversion, EventNameFormSubmitted: EventFormSubmitted,
	EventNameDocumentCreated: EventDocumentCreated, EventNameDocumentUpdated: EventDocumentUpdated, EventNameDocumentDeleted: EventDocumentDeleted,
	EventNameJobChanged: EventJobChanged, EventNameCompanyChanged: EventCompanyChanged, EventNameExecutiveChanged: EventExecutiveChanged,
	EventNameDraftCreated: EventDraftCreated, EventNameDraftUpdated: EventDraftUpdated, EventNameDraftDeleted: EventDraftDeleted,
	EventNameLinkCreated: EventLinkCreated, EventNameLinkUpdated: EventLinkUpdated, EventNameLinkDeleted: EventLinkDeleted,
	EventNamePersonaCreated: EventPersonaCreated, EventNamePersonaUpdated: EventPersonaUpdated, EventNamePersonaDeleted: EventPersonaDeleted,
	EventNameWebhookChanged: EventWebhookChanged,
}

// StoredName returns the name that the feed stores, or an empty string for a name that no stored event has.
func (n EventName) StoredName() string { return storedNames[n] }

// EventName returns the event's name.
func (e *Event) EventName() EventName {
	if e.Event == string(EventNameStale) {
		return EventNameStale
	}
	for name, stored := range storedNames {
		if stored == e.Event {
			return name
		}
	}
	return EventNameOther
}

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
	Country         string `json:"country"`
	City            string `json:"city"`
	Device          string `json:"device"`
	Browser         string `json:"browser"`
	OperatingSystem string `json:"os"`
	Referrer        string `json:"referrer"`
	// SessionID is nil in events that a release before it stored.
	SessionID *string `json:"session_id,omitempty"`
}

// IsEventPayload marks the type as a member of the union.
func (*LinkOpenedPayload) IsEventPayload() {}

// ConversionPayload is an action of a viewer.
type ConversionPayload struct {
	ConversionType string  `json:"type"`
	Value          string  `json:"value"`
	VariantID      *string `json:"variant_id,omitempty"`
	SessionID      string  `json:"session_id"`
	Country        string  `json:"country"`
	Device         string  `json:"device"`
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
