package model

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
)

// EventNames lists the events that webhooks and the list of events may have.
var EventNames = []string{EventLinkOpened, EventConversion, EventFormSubmitted}

// PartyChangeNames lists the changes of companies and executives.
var PartyChangeNames = []string{EventCompanyChanged, EventExecutiveChanged}

// DocumentChangeNames lists the changes of documents.
var DocumentChangeNames = []string{EventDocumentCreated, EventDocumentUpdated, EventDocumentDeleted}
