package model

import (
	"context"
	"io"
	"slices"
	"strings"
)

// The names of the events of links, which webhooks can subscribe to.
const (
	EventLinkOpened    = "link.opened"
	EventConversion    = "conversion"
	EventFormSubmitted = "form.submitted"
)

// The names of changes in the workspace, which the feed has between the events of links.
const (
	EventDocumentCreated = "document.created"
	EventDocumentUpdated = "document.updated"
	EventDocumentDeleted = "document.deleted"
	EventJobChanged      = "job.changed"

	EventCompanyChanged   = "company.changed"
	EventExecutiveChanged = "executive.changed"

	EventDraftCreated   = "draft.created"
	EventDraftUpdated   = "draft.updated"
	EventDraftDeleted   = "draft.deleted"
	EventLinkCreated    = "link.created"
	EventLinkUpdated    = "link.updated"
	EventLinkDeleted    = "link.deleted"
	EventPersonaCreated = "persona.created"
	EventPersonaUpdated = "persona.updated"
	EventPersonaDeleted = "persona.deleted"
	EventWebhookChanged = "webhook.changed"
	EventObjectChanged  = "object.changed"
)

// PartyChangeNames lists the changes of companies and executives.
var PartyChangeNames = []string{EventCompanyChanged, EventExecutiveChanged}

// RowChangeNames lists the changes of drafts, links, personas, webhooks and other objects.
var RowChangeNames = []string{
	EventDraftCreated, EventDraftUpdated, EventDraftDeleted, EventLinkCreated, EventLinkUpdated, EventLinkDeleted,
	EventPersonaCreated, EventPersonaUpdated, EventPersonaDeleted, EventWebhookChanged, EventObjectChanged,
}

// IsUpdateAfterCreation reports whether a row's second event is the update after its creation, for
// example document.created and then document.updated. Both together are a creation.
func IsUpdateAfterCreation(first, second string) bool {
	return strings.HasSuffix(first, ".created") && strings.HasSuffix(second, ".updated")
}

// DocumentChangeNames lists the changes of documents.
var DocumentChangeNames = []string{EventDocumentCreated, EventDocumentUpdated, EventDocumentDeleted}

// EventType is the type of an event that webhooks and the list of events may have.
type EventType string

// The values of EventType.
const (
	EventTypeLinkOpened    EventType = EventLinkOpened
	EventTypeConversion    EventType = EventConversion
	EventTypeFormSubmitted EventType = EventFormSubmitted
)

// EventTypes lists the values of EventType.
var EventTypes = []EventType{EventTypeLinkOpened, EventTypeConversion, EventTypeFormSubmitted}

// MarshalGQLContext writes the type in the spelling of the API that responds.
func (t EventType) MarshalGQLContext(ctx context.Context, w io.Writer) error {
	return writeEnum(ctx, w, string(t))
}

// UnmarshalGQLContext parses the type's name in the schema, or returns an error if in is not a
// string.
func (t *EventType) UnmarshalGQLContext(_ context.Context, in any) (err error) {
	*t, err = parseDotted(in, EventTypes)
	return err
}

// EventName is the name of an event as the feed stores it.
type EventName string

// The values of EventName.
const (
	EventNameLinkOpened       EventName = EventLinkOpened
	EventNameConversion       EventName = EventConversion
	EventNameFormSubmitted    EventName = EventFormSubmitted
	EventNameDocumentCreated  EventName = EventDocumentCreated
	EventNameDocumentUpdated  EventName = EventDocumentUpdated
	EventNameDocumentDeleted  EventName = EventDocumentDeleted
	EventNameJobChanged       EventName = EventJobChanged
	EventNameCompanyChanged   EventName = EventCompanyChanged
	EventNameExecutiveChanged EventName = EventExecutiveChanged

	EventNameDraftCreated   EventName = EventDraftCreated
	EventNameDraftUpdated   EventName = EventDraftUpdated
	EventNameDraftDeleted   EventName = EventDraftDeleted
	EventNameLinkCreated    EventName = EventLinkCreated
	EventNameLinkUpdated    EventName = EventLinkUpdated
	EventNameLinkDeleted    EventName = EventLinkDeleted
	EventNamePersonaCreated EventName = EventPersonaCreated
	EventNamePersonaUpdated EventName = EventPersonaUpdated
	EventNamePersonaDeleted EventName = EventPersonaDeleted
	EventNameWebhookChanged EventName = EventWebhookChanged
	EventNameObjectChanged  EventName = EventObjectChanged

	// EventNameStale marks dropped events in a stream; no stored event has it.
	EventNameStale EventName = "stale"
	// EventNameOther is a name that this version does not know.
	EventNameOther EventName = "other"
)

// StoredEventNames lists the names of the events that the feed stores.
var StoredEventNames = []EventName{
	EventNameLinkOpened, EventNameConversion, EventNameFormSubmitted, EventNameDocumentCreated,
	EventNameDocumentUpdated,
	EventNameDocumentDeleted, EventNameJobChanged, EventNameCompanyChanged, EventNameExecutiveChanged,
	EventNameDraftCreated, EventNameDraftUpdated, EventNameDraftDeleted, EventNameLinkCreated, EventNameLinkUpdated,
	EventNameLinkDeleted,
	EventNamePersonaCreated, EventNamePersonaUpdated, EventNamePersonaDeleted, EventNameWebhookChanged,
	EventNameObjectChanged,
}

// knownNames lists the names of stored events and EventNameStale.
var knownNames = append(slices.Clone(StoredEventNames), EventNameStale)

// Names returns the values as texts.
func Names[E ~string](values []E) []string {
	names := make([]string, len(values))
	for i, v := range values {
		names[i] = string(v)
	}
	return names
}

// MarshalGQLContext writes the name in the spelling of the API that responds.
func (n EventName) MarshalGQLContext(ctx context.Context, w io.Writer) error {
	return writeEnum(ctx, w, string(n))
}

// UnmarshalGQLContext parses the name in the schema. It returns an error if in is not a string.
func (n *EventName) UnmarshalGQLContext(_ context.Context, in any) (err error) {
	*n, err = parseDotted(in, knownNames)
	return err
}

// EventName returns the event's name.
func (e *Event) EventName() EventName {
	if name := EventName(e.Event); slices.Contains(knownNames, name) {
		return name
	}
	return EventNameOther
}

// parseDotted returns the value with the name in in the schema: with underscores instead of dots,
// for example link.opened for LINK_OPENED. An unknown name is its own value. It returns an error if
// in is not a string.
func parseDotted[E ~string](in any, values []E) (E, error) {
	name, err := parseEnum(in)
	i := slices.IndexFunc(values, func(v E) bool { return strings.ReplaceAll(string(v), ".", "_") == name })
	if i < 0 {
		return E(name), err
	}
	return values[i], nil
}
