package event

import (
	"context"
	"encoding/json"
	"slices"

	"rostrum/dbx"
	"rostrum/model"
	"rostrum/model/eventdata"
	"rostrum/model/optional"
)

// RecordDocument adds a change of a document to the workspace's feed, as the transaction's last
// work. before is nil for a new document, after for a deleted one. Several changes of a document in
// a transaction are one event. Webhooks do not receive it, and Config.Follow is called. The end of an
// ingestion is an event of its own, which webhooks receive (announceDocument).
func (s *Service) RecordDocument(_ context.Context, tx dbx.Tx, before, after *model.Document) error {
	name, doc := model.EventDocumentUpdated, after
	var data json.RawMessage
	switch {
	case before == nil:
		name = model.EventDocumentCreated
	case after == nil:
		name, doc = model.EventDocumentDeleted, before
	case optional.ValueOr(before.ProcessingStatus, "") != optional.ValueOr(after.ProcessingStatus, ""):
		data = model.IngestionStep
	}
	s.addChange(tx, &model.Event{WorkspaceID: doc.WorkspaceID, Event: name, SubjectID: new(doc.ID), Data: data})
	return s.announceDocument(tx, before, after)
}

// RecordDocuments adds a change of each document to the workspace's feed, as RecordDocument does.
func (s *Service) RecordDocuments(tx dbx.Tx, workspaceID string, ids []string) {
	for _, id := range ids {
		s.addChange(tx, &model.Event{WorkspaceID: workspaceID, Event: model.EventDocumentUpdated, SubjectID: &id})
	}
}

// RecordJob adds a change of a job's state to the workspace's feed, as RecordDocument does.
// Progress is not recorded.
func (s *Service) RecordJob(_ context.Context, tx dbx.Tx, job *model.Job) error {
	data, err := json.Marshal(model.JobChange{Status: job.Status, Position: job.Position})
	s.addChange(tx, &model.Event{WorkspaceID: job.WorkspaceID, Event: model.EventJobChanged, SubjectID: new(job.ID),
		Data: data})
	if err != nil || job.Status != model.JobStatusFailed {
		return err
	}
	return s.announceJob(tx, job)
}

// RecordParty adds a change of a company or an executive to the feed, as RecordDocument does.
func (s *Service) RecordParty(tx dbx.Tx, workspaceID string, kind model.PartyKind, id string) {
	name := model.EventExecutiveChanged
	if kind == model.PartyKindCompany {
		name = model.EventCompanyChanged
	}
	s.addChange(tx, &model.Event{WorkspaceID: workspaceID, Event: name, SubjectID: &id})
}

// RecordChange adds a change of a row to the feed, as RecordDocument does. name is one of
// model.RowChangeNames, for example that of a created link. Webhooks receive those in
// model.EventTypes.
func (s *Service) RecordChange(tx dbx.Tx, workspaceID, name, id string) {
	s.addChange(tx, &model.Event{WorkspaceID: workspaceID, Event: name, SubjectID: &id, Data: s.changeData(name, id)})
}

// RecordDraftComment adds a change of a comment on a draft to the feed, as RecordChange does. thread
// is the id of the comment that a reply belongs to, or the comment's own.
func (s *Service) RecordDraftComment(tx dbx.Tx, workspaceID, name, draftID, thread, id string) {
	page := s.publicURL + "/console/drafts/" + draftID
	data, _ := json.Marshal(eventdata.DraftComment{ //nolint:errchkjson // texts
		Draft: eventdata.Reference{ID: draftID, URL: page}, Comment: eventdata.Reference{ID: id,
			URL: page + "?comment=" + thread}})
	s.addChange(tx, &model.Event{WorkspaceID: workspaceID, Event: name, SubjectID: &draftID, Data: data})
}

// changeData returns the data of a change that webhooks may receive, or nil.
func (s *Service) changeData(name, id string) json.RawMessage {
	var data any
	switch name {
	case model.EventDraftReviewRequested, model.EventDraftApproved, model.EventDraftReturned, model.EventDraftReopened,
		model.EventDraftPublished, model.EventDraftWithdrawn:
		data = eventdata.Draft{Draft: eventdata.Reference{ID: id, URL: s.publicURL + "/console/drafts/" + id}}
	case model.EventSourceFailing, model.EventSourceRecovered:
		data = eventdata.Source{Source: eventdata.Reference{ID: id, URL: s.publicURL + "/console/sources/" + id}}
	case model.EventSummaryStale:
		data = eventdata.SummaryStale{Summary: eventdata.Reference{ID: id, URL: s.publicURL + "/console/audience"}}
	default:
		return nil
	}
	text, _ := json.Marshal(data) //nolint:errchkjson // texts
	return text
}

// changesKey is the key of the changes of a transaction.
type changesKey struct{ *Service }

func (s *Service) addChange(tx dbx.Tx, e *model.Event) {
	tx.BeforeCommit(changesKey{s}, e, func(ctx context.Context, tx dbx.Tx, values []any) error {
		changes := mergeChanges(values)
		if err := s.Append(ctx, tx, changes); err != nil || s.follow == nil {
			return err
		}
		if changed := workspacesOf(changes, model.DocumentChangeNames); len(changed) > 0 {
			return s.follow(ctx, tx, changed)
		}
		return nil
	})
}

// workspacesOf returns the workspaces of the events with one of the names.
func workspacesOf(events []*model.Event, names []string) []string {
	var ids []string
	for _, e := range events {
		if slices.Contains(names, e.Event) && !slices.Contains(ids, e.WorkspaceID) {
			ids = append(ids, e.WorkspaceID)
		}
	}
	return ids
}

// isCovered reports whether the first change of a row also tells the second.
func isCovered(first, second *model.Event) bool {
	if first.Event == model.EventObjectChanged {
		return false
	}
	return second.Event == model.EventObjectChanged || model.IsUpdateAfterCreation(first.Event, second.Event) ||
		second.Event == model.EventDocumentUpdated && second.Data == nil
}

// mergeChanges returns the last change of each row, in the order of first changes. A row that was
// created and then updated counts as created. EventObjectChanged gives way to any other name. An
// update of a document includes a step of its ingestion if one of its updates does. The end of work
// stays beside the change of its row.
func mergeChanges(values []any) []*model.Event {
	var out []*model.Event
	places := map[string]int{}
	for _, value := range values {
		e, _ := value.(*model.Event)
		row := *e.SubjectID
		if slices.Contains(endNames, e.Event) {
			row += " ended"
		}
		place, known := places[row]
		if !known {
			places[row] = len(out)
			out = append(out, e)
			continue
		}
		if !isCovered(out[place], e) {
			out[place] = e
		}
	}
	return slices.DeleteFunc(out, func(e *model.Event) bool { // nobody can read a deleted document
		place, changed := places[*e.SubjectID]
		return slices.Contains(endNames, e.Event) && changed && out[place].Event == model.EventDocumentDeleted
	})
}
