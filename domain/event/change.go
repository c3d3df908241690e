package event

import (
	"context"
	"encoding/json"

	"rostrum/dbx"
	"rostrum/model"
	"rostrum/model/optional"
)

// RecordDocument adds a change of a document to the workspace's feed, as the transaction's last
// work. before is nil for a new document, after for a deleted one. Several changes of a document in
// a transaction are one event. Webhooks do not receive it.
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
	return nil
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
	return err
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
// model.RowChangeNames, for example that of a created link.
func (s *Service) RecordChange(tx dbx.Tx, workspaceID, name, id string) {
	s.addChange(tx, &model.Event{WorkspaceID: workspaceID, Event: name, SubjectID: &id})
}

// changesKey is the key of the changes of a transaction.
type changesKey struct{ *Service }

func (s *Service) addChange(tx dbx.Tx, e *model.Event) {
	tx.BeforeCommit(changesKey{s}, e, func(ctx context.Context, tx dbx.Tx, values []any) error {
		return s.storeEvents(ctx, tx, mergeChanges(values))
	})
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
// update of a document includes a step of its ingestion if one of its updates does.
func mergeChanges(values []any) []*model.Event {
	var out []*model.Event
	places := map[string]int{}
	for _, value := range values {
		e, _ := value.(*model.Event)
		place, known := places[*e.SubjectID]
		if !known {
			places[*e.SubjectID] = len(out)
			out = append(out, e)
			continue
		}
		if !isCovered(out[place], e) {
			out[place] = e
		}
	}
	return out
}
