package model

import "strings"

// The names of the events of links (link-webhooks.md, "Events").
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
)

// EventNames lists the events that webhooks and the list of events may have.
var EventNames = []string{EventLinkOpened, EventConversion, EventFormSubmitted}

// PartyChangeNames lists the changes of companies and executives.
var PartyChangeNames = []string{EventCompanyChanged, EventExecutiveChanged}

// RowChangeNames lists the changes of drafts, links, personas and webhooks.
var RowChangeNames = []string{
	EventDraftCreated, EventDraftUpdated, EventDraftDeleted, EventLinkCreated, EventLinkUpdated, EventLinkDeleted,
	EventPersonaCreated, EventPersonaUpdated, EventPersonaDeleted, EventWebhookChanged,
}

// IsUpdateAfterCreation reports whether the second event of a row is its update after the first one, its creation: both together are a creation.
func IsUpdateAfterCreation(first, second string) bool {
	return strings.HasSuffix(first, ".created") && strings.HasSuffix(second, ".updated")
}

// DocumentChangeNames lists the changes of documents.
var DocumentChangeNames = []string{EventDocumentCreated, EventDocumentUpdated, EventDocumentDeleted}
