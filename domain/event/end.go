package event

import (
	"cmp"
	"encoding/json"

	"rostrum/dbx"
	"rostrum/domain/visibility"
	"rostrum/model"
	"rostrum/model/eventdata"
	"rostrum/model/optional"
)

// endNames are the events that work on a row has ended. They are added beside the change of the row.
var endNames = []string{model.EventDocumentReady, model.EventDocumentFailed, model.EventJobFailed,
	model.EventReactionsCompleted}

// announceDocument adds document.ready or document.failed to the feed if the change ends the
// document's ingestion. Webhooks receive it for a public document, and nobody the words of another one.
func (s *Service) announceDocument(tx dbx.Tx, before, after *model.Document) error {
	if after == nil {
		return nil
	}
	was, is := model.ProcessingStatusFetching, optional.ValueOr(after.ProcessingStatus, "")
	if before != nil {
		was = optional.ValueOr(before.ProcessingStatus, "")
	}
	if was == is || is != "" && is != model.ProcessingStatusFailed {
		return nil
	}
	doc, isPublic := s.describe(after)
	name, body := model.EventDocumentReady, any(eventdata.DocumentReady{Document: doc})
	if is == model.ProcessingStatusFailed {
		name, body = model.EventDocumentFailed, eventdata.DocumentFailed{Document: doc, Reason: reasonOf(after)}
	}
	data, err := json.Marshal(body)
	s.addChange(tx, &model.Event{WorkspaceID: after.WorkspaceID, Event: name, SubjectID: &doc.ID, Data: data,
		IsUnsent: !isPublic})
	return err
}

// describe returns what events tell of a document, and whether it is public.
func (s *Service) describe(doc *model.Document) (eventdata.Document, bool) {
	told := eventdata.Document{ID: doc.ID, URL: s.publicURL + "/console/documents/" + doc.ID}
	isPublic := visibility.Current(doc.Visibility, doc.EmbargoedUntil, s.db.Now()) == model.VisibilityPublic
	if isPublic {
		told.Title, told.SourceURL = &doc.Title, doc.SourceURL
	}
	return told, isPublic
}

func reasonOf(doc *model.Document) eventdata.Reason {
	reason := optional.ValueOr(doc.ProcessingError, model.ProcessingError{})
	return eventdata.Reason{Code: string(reason.Code), Message: reason.Message, Retryable: reason.Retryable}
}

// announceJob adds job.failed to the feed. Its data has the members of job.changed too.
func (s *Service) announceJob(tx dbx.Tx, job *model.Job) error {
	url := s.publicURL + "/console/"
	switch {
	case job.DocumentID != nil:
		url += "documents/" + *job.DocumentID
	case job.DraftID != nil:
		url += "drafts/" + *job.DraftID
	}
	data, err := json.Marshal(struct {
		model.JobChange
		eventdata.JobFailed
	}{model.JobChange{Status: job.Status, Position: job.Position}, eventdata.JobFailed{Job: eventdata.Job{
		ID: job.ID, Type: job.JobTypeText, ErrorCode: cmp.Or(optional.ValueOr(job.ErrorCode, ""), "internal"),
		DocumentID: job.DocumentID, DraftID: job.DraftID, URL: url}}})
	s.addChange(tx, &model.Event{WorkspaceID: job.WorkspaceID, Event: model.EventJobFailed, SubjectID: new(job.ID),
		Data: data})
	return err
}
