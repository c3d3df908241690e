package model

import (
	"context"
	"io"
	"slices"
	"strings"
)

// The names of the events of links.
const (
	EventLinkOpened    = "link.opened"
	EventConversion    = "conversion"
	EventFormSubmitted = "form.submitted"
)

// EventSearchMatched is the name of the event that a document came to match a saved search.
const EventSearchMatched = "search.matched"

// The names of changes in the workspace, which the feed has between the events of links.
const (
	EventDocumentCreated = "document.created"
	EventDocumentUpdated = "document.updated"
	EventDocumentDeleted = "document.deleted"
	EventDocumentReady   = "document.ready"
	EventDocumentFailed  = "document.failed"
	EventJobChanged      = "job.changed"
	EventJobFailed       = "job.failed"

	EventCompanyChanged   = "company.changed"
	EventExecutiveChanged = "executive.changed"

	EventDraftCreated = "draft.created"
	EventDraftUpdated = "draft.updated"
	EventDraftDeleted = "draft.deleted"

	EventDraftReviewRequested = "draft.review_requested"
	EventDraftApproved        = "draft.approved"
	EventDraftReturned        = "draft.returned"
	EventDraftReopened        = "draft.reopened"
	EventDraftPublished       = "draft.published"
	EventDraftWithdrawn       = "draft.withdrawn"

	EventDraftCommented       = "draft.commented"
	EventDraftCommentUpdated  = "draft.comment_updated"
	EventDraftCommentDeleted  = "draft.comment_deleted"
	EventDraftCommentResolved = "draft.comment_resolved"
	EventDraftCommentReopened = "draft.comment_reopened"

	EventLinkCreated    = "link.created"
	EventLinkUpdated    = "link.updated"
	EventLinkDeleted    = "link.deleted"
	EventPersonaCreated = "persona.created"
	EventPersonaUpdated = "persona.updated"
	EventPersonaDeleted = "persona.deleted"
	EventWebhookChanged = "webhook.changed"
	EventObjectChanged  = "object.changed"

	EventSourceChanged   = "source.changed"
	EventSourceFailing   = "source.failing"
	EventSourceRecovered = "source.recovered"

	EventWebhookPaused      = "webhook.paused"
	EventWebhookResumed     = "webhook.resumed"
	EventBudgetReached      = "budget.reached"
	EventReactionsCompleted = "reactions.completed"
	EventSummaryStale       = "summary.stale"
)

// PartyChangeNames lists the changes of companies and executives.
var PartyChangeNames = []string{EventCompanyChanged, EventExecutiveChanged}

// RowChangeNames lists the changes of drafts, links, personas, webhooks, sources and other objects.
var RowChangeNames = []string{
	EventDraftCreated, EventDraftUpdated, EventDraftDeleted, EventDraftReviewRequested, EventDraftApproved,
	EventDraftReturned, EventDraftReopened, EventDraftPublished, EventDraftWithdrawn, EventDraftCommented,
	EventDraftCommentUpdated, EventDraftCommentDeleted, EventDraftCommentResolved, EventDraftCommentReopened,
	EventLinkCreated, EventLinkUpdated, EventLinkDeleted,
	EventPersonaCreated, EventPersonaUpdated, EventPersonaDeleted, EventWebhookChanged, EventObjectChanged,
	EventSourceChanged, EventSourceFailing, EventSourceRecovered, EventWebhookPaused, EventWebhookResumed,
	EventBudgetReached, EventReactionsCompleted, EventSummaryStale,
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
	EventTypeSearchMatched EventType = EventSearchMatched

	EventTypeDocumentReady  EventType = EventDocumentReady
	EventTypeDocumentFailed EventType = EventDocumentFailed
	EventTypeJobFailed      EventType = EventJobFailed

	EventTypeDraftReviewRequested EventType = EventDraftReviewRequested
	EventTypeDraftApproved        EventType = EventDraftApproved
	EventTypeDraftReturned        EventType = EventDraftReturned
	EventTypeDraftReopened        EventType = EventDraftReopened
	EventTypeDraftPublished       EventType = EventDraftPublished
	EventTypeDraftWithdrawn       EventType = EventDraftWithdrawn

	EventTypeDraftCommented       EventType = EventDraftCommented
	EventTypeDraftCommentResolved EventType = EventDraftCommentResolved

	EventTypeSourceFailing   EventType = EventSourceFailing
	EventTypeSourceRecovered EventType = EventSourceRecovered

	EventTypeWebhookPaused      EventType = EventWebhookPaused
	EventTypeWebhookResumed     EventType = EventWebhookResumed
	EventTypeBudgetReached      EventType = EventBudgetReached
	EventTypeReactionsCompleted EventType = EventReactionsCompleted
	EventTypeSummaryStale       EventType = EventSummaryStale
)

// EventTypes lists the values of EventType.
var EventTypes = slices.Concat(LinkEventTypes, []EventType{
	EventTypeSearchMatched, EventTypeDocumentReady, EventTypeDocumentFailed, EventTypeJobFailed,
	EventTypeDraftReviewRequested, EventTypeDraftApproved, EventTypeDraftReturned, EventTypeDraftReopened,
	EventTypeDraftPublished, EventTypeDraftWithdrawn, EventTypeDraftCommented, EventTypeDraftCommentResolved,
	EventTypeSourceFailing, EventTypeSourceRecovered, EventTypeWebhookPaused, EventTypeWebhookResumed,
	EventTypeBudgetReached, EventTypeReactionsCompleted, EventTypeSummaryStale,
})

// LinkEventTypes lists the types of the events of links, which a webhook receives that names no
// types.
var LinkEventTypes = []EventType{EventTypeLinkOpened, EventTypeConversion, EventTypeFormSubmitted}

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
	EventNameSearchMatched    EventName = EventSearchMatched
	EventNameDocumentCreated  EventName = EventDocumentCreated
	EventNameDocumentUpdated  EventName = EventDocumentUpdated
	EventNameDocumentDeleted  EventName = EventDocumentDeleted
	EventNameDocumentReady    EventName = EventDocumentReady
	EventNameDocumentFailed   EventName = EventDocumentFailed
	EventNameJobChanged       EventName = EventJobChanged
	EventNameJobFailed        EventName = EventJobFailed
	EventNameCompanyChanged   EventName = EventCompanyChanged
	EventNameExecutiveChanged EventName = EventExecutiveChanged

	EventNameDraftCreated EventName = EventDraftCreated
	EventNameDraftUpdated EventName = EventDraftUpdated
	EventNameDraftDeleted EventName = EventDraftDeleted

	EventNameDraftReviewRequested EventName = EventDraftReviewRequested
	EventNameDraftApproved        EventName = EventDraftApproved
	EventNameDraftReturned        EventName = EventDraftReturned
	EventNameDraftReopened        EventName = EventDraftReopened
	EventNameDraftPublished       EventName = EventDraftPublished
	EventNameDraftWithdrawn       EventName = EventDraftWithdrawn

	EventNameDraftCommented       EventName = EventDraftCommented
	EventNameDraftCommentUpdated  EventName = EventDraftCommentUpdated
	EventNameDraftCommentDeleted  EventName = EventDraftCommentDeleted
	EventNameDraftCommentResolved EventName = EventDraftCommentResolved
	EventNameDraftCommentReopened EventName = EventDraftCommentReopened

	EventNameLinkCreated    EventName = EventLinkCreated
	EventNameLinkUpdated    EventName = EventLinkUpdated
	EventNameLinkDeleted    EventName = EventLinkDeleted
	EventNamePersonaCreated EventName = EventPersonaCreated
	EventNamePersonaUpdated EventName = EventPersonaUpdated
	EventNamePersonaDeleted EventName = EventPersonaDeleted
	EventNameWebhookChanged EventName = EventWebhookChanged
	EventNameObjectChanged  EventName = EventObjectChanged

	EventNameSourceChanged   EventName = EventSourceChanged
	EventNameSourceFailing   EventName = EventSourceFailing
	EventNameSourceRecovered EventName = EventSourceRecovered

	EventNameWebhookPaused      EventName = EventWebhookPaused
	EventNameWebhookResumed     EventName = EventWebhookResumed
	EventNameBudgetReached      EventName = EventBudgetReached
	EventNameReactionsCompleted EventName = EventReactionsCompleted
	EventNameSummaryStale       EventName = EventSummaryStale

	// EventNameStale marks dropped events in a stream; no stored event has it.
	EventNameStale EventName = "stale"
	// EventNameOther is a name that this version does not know.
	EventNameOther EventName = "other"
)

// StoredEventNames lists the names of the events that the feed stores.
var StoredEventNames = []EventName{
	EventNameLinkOpened, EventNameConversion, EventNameFormSubmitted, EventNameSearchMatched, EventNameDocumentCreated,
	EventNameDocumentUpdated, EventNameDocumentDeleted, EventNameDocumentReady, EventNameDocumentFailed,
	EventNameJobChanged, EventNameJobFailed, EventNameCompanyChanged, EventNameExecutiveChanged,
	EventNameDraftCreated, EventNameDraftUpdated, EventNameDraftDeleted, EventNameDraftReviewRequested,
	EventNameDraftApproved, EventNameDraftReturned, EventNameDraftReopened, EventNameDraftPublished,
	EventNameDraftWithdrawn, EventNameDraftCommented, EventNameDraftCommentUpdated, EventNameDraftCommentDeleted,
	EventNameDraftCommentResolved, EventNameDraftCommentReopened, EventNameLinkCreated, EventNameLinkUpdated,
	EventNameLinkDeleted,
	EventNamePersonaCreated, EventNamePersonaUpdated, EventNamePersonaDeleted, EventNameWebhookChanged,
	EventNameObjectChanged, EventNameSourceChanged, EventNameSourceFailing, EventNameSourceRecovered,
	EventNameWebhookPaused, EventNameWebhookResumed, EventNameBudgetReached, EventNameReactionsCompleted,
	EventNameSummaryStale,
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
