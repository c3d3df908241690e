package model

import (
	"encoding/json"

	"rostrum/model/eventdata"
)

// WorkspaceEvent is an event of the feed, as one type per kind. The pointers have the stored
// event's address.
type WorkspaceEvent interface {
	// Stored returns the event as it is stored.
	Stored() *Event
}

// The types of WorkspaceEvent.
type (
	LinkOpened      Event // a viewer opened a link
	LinkConverted   Event // a viewer did what a link is for
	FormSubmitted   Event // a viewer submitted a form
	SearchMatched   Event // a document came to match a saved search
	DocumentChanged Event // a document was created, updated, deleted, or its ingestion ended
	JobChanged      Event // the state of a job changed
	CompanyChanged  Event // a company's names changed
	// ExecutiveChanged is the event that an executive's names changed.
	ExecutiveChanged Event
	DraftChanged     Event // a draft was created, updated, reviewed, published, commented on or deleted
	LinkChanged      Event // a link was created, updated or deleted
	PersonaChanged   Event // a persona was created, updated or deleted
	WebhookChanged   Event // a webhook or its deliveries changed
	SourceChanged    Event // a source was changed or polled
	ObjectChanged    Event // another object, or what belongs to it, changed
	EventsDropped    Event // events after the reader's position were deleted
)

// Typed returns the event as a WorkspaceEvent, or nil for a name that this version does not know.
func (e *Event) Typed() WorkspaceEvent {
	switch e.EventName() {
	case EventNameLinkOpened:
		return (*LinkOpened)(e)
	case EventNameConversion:
		return (*LinkConverted)(e)
	case EventNameFormSubmitted:
		return (*FormSubmitted)(e)
	case EventNameSearchMatched:
		return (*SearchMatched)(e)
	case EventNameDocumentCreated, EventNameDocumentUpdated, EventNameDocumentDeleted, EventNameDocumentReady,
		EventNameDocumentFailed:
		return (*DocumentChanged)(e)
	case EventNameJobChanged, EventNameJobFailed:
		return (*JobChanged)(e)
	case EventNameCompanyChanged:
		return (*CompanyChanged)(e)
	case EventNameExecutiveChanged:
		return (*ExecutiveChanged)(e)
	case EventNameDraftCreated, EventNameDraftUpdated, EventNameDraftDeleted, EventNameDraftReviewRequested,
		EventNameDraftApproved, EventNameDraftReturned, EventNameDraftReopened,
		EventNameDraftPublished, EventNameDraftWithdrawn, EventNameDraftCommented, EventNameDraftCommentUpdated,
		EventNameDraftCommentDeleted, EventNameDraftCommentResolved, EventNameDraftCommentReopened:
		return (*DraftChanged)(e)
	case EventNameLinkCreated, EventNameLinkUpdated, EventNameLinkDeleted:
		return (*LinkChanged)(e)
	case EventNamePersonaCreated, EventNamePersonaUpdated, EventNamePersonaDeleted:
		return (*PersonaChanged)(e)
	case EventNameWebhookChanged, EventNameWebhookPaused, EventNameWebhookResumed:
		return (*WebhookChanged)(e)
	case EventNameSourceChanged, EventNameSourceFailing, EventNameSourceRecovered:
		return (*SourceChanged)(e)
	case EventNameObjectChanged, EventNameBudgetReached, EventNameReactionsCompleted, EventNameSummaryStale:
		return (*ObjectChanged)(e)
	case EventNameStale:
		return (*EventsDropped)(e)
	case EventNameOther:
	}
	return nil
}

// Stored implements WorkspaceEvent.
func (e *LinkOpened) Stored() *Event { return (*Event)(e) }

// Cursor returns the position after which a reader continues.
func (e *LinkOpened) Cursor() string { return e.ID }

// EventName returns the event's name.
func (e *LinkOpened) EventName() EventName { return e.Stored().EventName() }

// Stored implements WorkspaceEvent.
func (e *LinkConverted) Stored() *Event { return (*Event)(e) }

// Cursor returns the position after which a reader continues.
func (e *LinkConverted) Cursor() string { return e.ID }

// EventName returns the event's name.
func (e *LinkConverted) EventName() EventName { return e.Stored().EventName() }

// Stored implements WorkspaceEvent.
func (e *FormSubmitted) Stored() *Event { return (*Event)(e) }

// Cursor returns the position after which a reader continues.
func (e *FormSubmitted) Cursor() string { return e.ID }

// EventName returns the event's name.
func (e *FormSubmitted) EventName() EventName { return e.Stored().EventName() }

// Stored implements WorkspaceEvent.
func (e *SearchMatched) Stored() *Event { return (*Event)(e) }

// Cursor returns the position after which a reader continues.
func (e *SearchMatched) Cursor() string { return e.ID }

// EventName returns the event's name.
func (e *SearchMatched) EventName() EventName { return e.Stored().EventName() }

// SearchID returns the search's id.
func (e *SearchMatched) SearchID() *string { return e.SubjectID }

// DocumentID returns the document's id, or nil if it was stored in an unknown shape.
func (e *SearchMatched) DocumentID() *string {
	if payload, ok := e.Stored().Payload().(*SearchMatchedPayload); ok {
		return &payload.DocumentID
	}
	return nil
}

// Stored implements WorkspaceEvent.
func (e *DocumentChanged) Stored() *Event { return (*Event)(e) }

// Cursor returns the position after which a reader continues.
func (e *DocumentChanged) Cursor() string { return e.ID }

// EventName returns the event's name.
func (e *DocumentChanged) EventName() EventName { return e.Stored().EventName() }

// Stored implements WorkspaceEvent.
func (e *JobChanged) Stored() *Event { return (*Event)(e) }

// Cursor returns the position after which a reader continues.
func (e *JobChanged) Cursor() string { return e.ID }

// EventName returns the event's name.
func (e *JobChanged) EventName() EventName { return e.Stored().EventName() }

// Stored implements WorkspaceEvent.
func (e *CompanyChanged) Stored() *Event { return (*Event)(e) }

// Cursor returns the position after which a reader continues.
func (e *CompanyChanged) Cursor() string { return e.ID }

// EventName returns the event's name.
func (e *CompanyChanged) EventName() EventName { return e.Stored().EventName() }

// Stored implements WorkspaceEvent.
func (e *ExecutiveChanged) Stored() *Event { return (*Event)(e) }

// Cursor returns the position after which a reader continues.
func (e *ExecutiveChanged) Cursor() string { return e.ID }

// EventName returns the event's name.
func (e *ExecutiveChanged) EventName() EventName { return e.Stored().EventName() }

// Stored implements WorkspaceEvent.
func (e *DraftChanged) Stored() *Event { return (*Event)(e) }

// Cursor returns the position after which a reader continues.
func (e *DraftChanged) Cursor() string { return e.ID }

// EventName returns the event's name.
func (e *DraftChanged) EventName() EventName { return e.Stored().EventName() }

// Stored implements WorkspaceEvent.
func (e *LinkChanged) Stored() *Event { return (*Event)(e) }

// Cursor returns the position after which a reader continues.
func (e *LinkChanged) Cursor() string { return e.ID }

// EventName returns the event's name.
func (e *LinkChanged) EventName() EventName { return e.Stored().EventName() }

// Stored implements WorkspaceEvent.
func (e *PersonaChanged) Stored() *Event { return (*Event)(e) }

// Cursor returns the position after which a reader continues.
func (e *PersonaChanged) Cursor() string { return e.ID }

// EventName returns the event's name.
func (e *PersonaChanged) EventName() EventName { return e.Stored().EventName() }

// Stored implements WorkspaceEvent.
func (e *WebhookChanged) Stored() *Event { return (*Event)(e) }

// Cursor returns the position after which a reader continues.
func (e *WebhookChanged) Cursor() string { return e.ID }

// EventName returns the event's name.
func (e *WebhookChanged) EventName() EventName { return e.Stored().EventName() }

// Stored implements WorkspaceEvent.
func (e *SourceChanged) Stored() *Event { return (*Event)(e) }

// Cursor returns the position after which a reader continues.
func (e *SourceChanged) Cursor() string { return e.ID }

// EventName returns the event's name.
func (e *SourceChanged) EventName() EventName { return e.Stored().EventName() }

// Stored implements WorkspaceEvent.
func (e *ObjectChanged) Stored() *Event { return (*Event)(e) }

// Cursor returns the position after which a reader continues.
func (e *ObjectChanged) Cursor() string { return e.ID }

// EventName returns the event's name.
func (e *ObjectChanged) EventName() EventName { return e.Stored().EventName() }

// Stored implements WorkspaceEvent.
func (e *EventsDropped) Stored() *Event { return (*Event)(e) }

// Cursor returns the position after which a reader continues.
func (e *EventsDropped) Cursor() string { return e.ID }

// EventName returns the event's name.
func (e *EventsDropped) EventName() EventName { return e.Stored().EventName() }

// Payload returns the viewer, or nil if it was stored in an unknown shape.
func (e *LinkOpened) Payload() *LinkOpenedPayload {
	payload, _ := e.Stored().Payload().(*LinkOpenedPayload)
	return payload
}

// Payload returns the action, or nil if it was stored in an unknown shape.
func (e *LinkConverted) Payload() *ConversionPayload {
	payload, _ := e.Stored().Payload().(*ConversionPayload)
	return payload
}

// Payload returns the form, or nil if it was stored in an unknown shape.
func (e *FormSubmitted) Payload() *FormSubmittedPayload {
	payload, _ := e.Stored().Payload().(*FormSubmittedPayload)
	return payload
}

// DocumentID returns the document's id.
func (e *DocumentChanged) DocumentID() *string { return e.SubjectID }

// JobID returns the job's id.
func (e *JobChanged) JobID() *string { return e.SubjectID }

// CompanyID returns the company's id.
func (e *CompanyChanged) CompanyID() *string { return e.SubjectID }

// ExecutiveID returns the executive's id.
func (e *ExecutiveChanged) ExecutiveID() *string { return e.SubjectID }

// DraftID returns the draft's id.
func (e *DraftChanged) DraftID() *string { return e.SubjectID }

// CommentID returns the id of the comment or reply that the change is about, or nil.
func (e *DraftChanged) CommentID() *string {
	var data eventdata.DraftComment
	if len(e.Data) == 0 || !decodeShape(string(e.Data), &data) || data.Comment.ID == "" {
		return nil
	}
	return &data.Comment.ID
}

// PersonaID returns the persona's id.
func (e *PersonaChanged) PersonaID() *string { return e.SubjectID }

// WebhookID returns the webhook's id.
func (e *WebhookChanged) WebhookID() *string { return e.SubjectID }

// SourceID returns the source's id.
func (e *SourceChanged) SourceID() *string { return e.SubjectID }

// ObjectID returns the object's id.
func (e *ObjectChanged) ObjectID() *string { return e.SubjectID }

// JobChange is the data of the event of a job.
type JobChange struct {
	Status   JobStatus `json:"status"`
	Position int       `json:"position"` // in the job's own stream
}

func (e *JobChanged) change() (c JobChange, err error) {
	err = json.Unmarshal(e.Data, &c)
	return c, err
}

// Status returns the state that the job had then.
func (e *JobChanged) Status() (JobStatus, error) {
	c, err := e.change()
	return c.Status, err
}

// JobPosition returns the position of the change in the job's own stream.
func (e *JobChanged) JobPosition() (int, error) {
	c, err := e.change()
	return c.Position, err
}

// DocumentEvent is an event of a document in the feed, or the mark of events that were deleted.
type DocumentEvent Event

// IngestionStep is the data of a document's event after a step of its ingestion.
var IngestionStep = json.RawMessage(`{"ingestion":true}`)

// Cursor returns the position after which a reader continues.
func (e *DocumentEvent) Cursor() string { return e.ID }

// DocumentID returns the document's id; nil if events were deleted.
func (e *DocumentEvent) DocumentID() *string { return e.SubjectID }

// Kind returns the kind of the event, or an empty text for an event that is not of a document.
func (e *DocumentEvent) Kind() DocumentEventKind {
	switch e.Event {
	case EventDocumentCreated:
		return DocumentEventKindCreated
	case EventDocumentDeleted:
		return DocumentEventKindDeleted
	case string(EventNameStale):
		return DocumentEventKindStale
	case EventDocumentUpdated:
		if len(e.Data) > 0 && string(e.Data) != "null" {
			return DocumentEventKindStatus
		}
		return DocumentEventKindUpdated
	}
	return ""
}

// DocumentChange is a change of a list of documents.
type DocumentChange struct {
	ID         string // of the event
	Position   int64  // of the event
	Kind       DocumentChangeKind
	DocumentID *string
	Document   *Document
}

// Cursor returns the position after which a reader continues.
func (c *DocumentChange) Cursor() string { return c.ID }
