// Package event stores the workspace's events in one order without gaps, and reads and streams
// them.
//
// Idea: Append runs in the transaction of the change and locks the feed's row until the commit, so
// positions follow the order of the commits. Hooks run in the same transaction; webhooks use one to
// create their deliveries. An event's id is the cursor of every way to read events, so a client can
// switch between webhooks, pages, SSE and subscriptions.
//
// The feed also has changes of documents and job states (RecordDocument, RecordJob) and of drafts,
// links, personas, parties and webhooks (RecordChange, RecordParty). What none of these tells, such
// as a reaction or a key, is object.changed. dbx.Tx.BeforeCommit appends them as the last work of
// the transaction, so that the feed's row is locked briefly. Webhooks and the list of events have
// the names of model.EventTypes only; the other names are in workspaceEvents, documentEvents and
// documentChanges. Saved searches follow the feed: Config.Follow is called after changes of
// documents, and ChangedDocuments reads them.
//
// Query.events is a connection whose endCursor is never null: after an empty page it is the newest
// event, so that a client does not ask for the same range again. Subscribers to documentChanges
// with the same filter and columns are one DocumentView, which reads changed documents once for all
// of them. Views with the same filter share its searches.
//
// Limits: the progress of a job is not in the feed, because each step would be a row. jobProgress
// has the job's own positions, and workspaceJobs continues after a position of the feed
// (CursorTime) with the latest state of each job. Streams of texts that are being written cannot be
// resumed, because their pieces are not stored. Events are kept for 30 days.
//
// Fallback: Redis carries whole events. A subscriber that misses a position reads it from the
// database.
//
// Proof: scenarios compare pages, streams and deliveries of the same events. make faults checks
// that watchers of all three protocols get every event in order.
//
// To add an event that webhooks receive: its name in model.EventTypes and enum EventType, its viewer
// in model/eventviewer or its data in model/eventdata, a line in domain/webhook/message/kind.go and
// a sample in its testdata; its payload, if it has one, in model/event_payload.go and
// graph/event_payload.graphqls. To add a kind of row
// whose changes are events: model.RowChangeNames, its type in model/workspace_event.go and
// graph/workspace_event.graphqls, and RecordChange where the row is written.
package event
