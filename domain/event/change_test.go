package event_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"rostrum/dbx"
	"rostrum/domain/event"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/live"
	"rostrum/test/kit/dbtest"
	"rostrum/test/kit/poll"
)

// errAbandoned rolls a transaction back.
var errAbandoned = errors.New("abandoned")

// recordChanges records the changes in one transaction, which fails with the given error.
func recordChanges(t *testing.T, db *dbx.DB, failure error, changes ...func(context.Context, dbx.Tx) error) {
	t.Helper()
	err := db.InTx(t.Context(), func(ctx context.Context, tx dbx.Tx) error {
		for _, change := range changes {
			if err := change(ctx, tx); err != nil {
				return err
			}
		}
		return failure
	})
	if (err == nil) != (failure == nil) {
		t.Fatal(err)
	}
}

// documentChange returns a change of a document that is being ingested.
func documentChange(s *event.Service, workspaceID, id, name string) func(context.Context, dbx.Tx) error {
	doc := &model.Document{ID: id, WorkspaceID: workspaceID, ProcessingStatus: new(model.ProcessingStatusFetching)}
	before, after := doc, doc
	switch name {
	case model.EventDocumentCreated:
		before = nil
	case model.EventDocumentDeleted:
		after = nil
	}
	return func(ctx context.Context, tx dbx.Tx) error { return s.RecordDocument(ctx, tx, before, after) }
}

// rowChange returns a change of a row with the name.
func rowChange(s *event.Service, workspaceID, name, id string) func(context.Context, dbx.Tx) error {
	return func(_ context.Context, tx dbx.Tx) error {
		s.RecordChange(tx, workspaceID, name, id)
		return nil
	}
}

func TestRecord(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		hooked := 0
		s := event.New(event.Config{DB: db, Live: dbtest.OpenLive(t, live.Config{Namespace: "record"}),
			Hooks: []event.AppendHook{
				func(context.Context, dbx.Tx, []*model.Event) error { hooked++; return nil },
			}})
		id := createWorkspaces(t, db, 1)[0]
		job := &model.Job{ID: "job_1", WorkspaceID: id, Status: model.JobStatusRunning, Position: 2}
		recordChanges(t, db, nil,
			documentChange(s, id, "doc_1", model.EventDocumentCreated),
			func(ctx context.Context, tx dbx.Tx) error { return s.RecordJob(ctx, tx, job) },
			documentChange(s, id, "doc_1", model.EventDocumentUpdated),
			documentChange(s, id, "doc_2", model.EventDocumentCreated),
			documentChange(s, id, "doc_2", model.EventDocumentDeleted),
			rowChange(s, id, model.EventDraftCreated, "drf_1"),
			rowChange(s, id, model.EventDraftUpdated, "drf_1"), rowChange(s, id, model.EventLinkUpdated, "lnk_1"),
			rowChange(s, id, model.EventLinkDeleted, "lnk_1"),
			rowChange(s, id, model.EventObjectChanged, "doc_1"),
		)
		recordChanges(t, db, errAbandoned, documentChange(s, id, "doc_3", model.EventDocumentCreated))
		recordChanges(t, db, nil, documentChange(s, id, "doc_1", model.EventDocumentUpdated))
		var got []string
		for _, e := range storedEvents(t, db, id) {
			got = append(got, e.Event+" "+*e.SubjectID)
		}
		want := []string{"document.created doc_1", "job.changed job_1", "document.deleted doc_2", "draft.created drf_1",
			"link.deleted lnk_1", "document.updated doc_1"}
		if !slices.Equal(got, want) || hooked > 0 {
			t.Errorf("%v after %d hooks, want %v", got, hooked, want)
		}
		if page := readPage(t, s, id, nil, nil, 10); len(page.Nodes) > 0 || *page.End == event.StartCursor {
			t.Errorf("the list of events has %+v", page)
		}
	})
}

// TestRecord_ends checks that the end of work is an event beside the change of its row, and that the
// hooks get it unless the document is not public.
func TestRecord_ends(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		var hooked []string
		s := event.New(event.Config{DB: db, PublicURL: "http://rostrum.example",
			Live: dbtest.OpenLive(t, live.Config{Namespace: "ends"}),
			Hooks: []event.AppendHook{func(_ context.Context, _ dbx.Tx, events []*model.Event) error {
				for _, e := range events {
					hooked = append(hooked, e.Event+" "+string(e.Data))
				}
				return nil
			}}})
		id := createWorkspaces(t, db, 1)[0]
		document := func(docID string, visible model.Visibility, was, is *model.ProcessingStatus) func(context.Context,
			dbx.Tx) error {
			before := &model.Document{ID: docID, WorkspaceID: id, ProcessingStatus: was}
			after := &model.Document{ID: docID, WorkspaceID: id, Title: "Title", Visibility: visible, ProcessingStatus: is,
				ProcessingError: &model.ProcessingError{Code: model.ProcessingErrorCodeNoText, Message: "no text"}}
			return func(ctx context.Context, tx dbx.Tx) error { return s.RecordDocument(ctx, tx, before, after) }
		}
		fetching, failed := new(model.ProcessingStatusFetching), new(model.ProcessingStatusFailed)
		recordChanges(t, db, nil,
			document("doc_1", model.VisibilityPublic, fetching, nil),
			document("doc_2", model.VisibilityInternal, fetching, nil),
			document("doc_3", model.VisibilityPublic, fetching, failed),
			document("doc_4", model.VisibilityPublic, nil, nil),
			document("doc_5", model.VisibilityPublic, fetching, nil),
			func(ctx context.Context, tx dbx.Tx) error {
				return s.RecordDocument(ctx, tx, &model.Document{ID: "doc_5", WorkspaceID: id}, nil)
			},
			func(ctx context.Context, tx dbx.Tx) error {
				return s.RecordJob(ctx, tx, &model.Job{ID: "job_1", WorkspaceID: id, JobTypeText: "ingest",
					Status: model.JobStatusFailed, ErrorCode: new("no_text"), DocumentID: new("doc_3"), Position: 3})
			},
		)
		var stored []string
		for _, e := range storedEvents(t, db, id) {
			stored = append(stored, e.Event+" "+*e.SubjectID)
		}
		want := []string{"document.updated doc_1", "document.ready doc_1", "document.updated doc_2", "document.ready doc_2",
			"document.updated doc_3", "document.failed doc_3", "document.updated doc_4", "document.deleted doc_5",
			"job.changed job_1", "job.failed job_1"}
		if !slices.Equal(stored, want) {
			t.Errorf("the feed has %v\nwant %v", stored, want)
		}
		address := "http://rostrum.example/console/documents/"
		sent := []string{
			`document.ready {"document":{"id":"doc_1","title":"Title","url":"` + address + `doc_1"}}`,
			`document.failed {"document":{"id":"doc_3","title":"Title","url":"` + address +
				`doc_3"},"reason":{"code":"no_text","message":"no text","retryable":false}}`,
			`job.failed {"status":"failed","position":3,"job":{"id":"job_1","type":"ingest","error_code":"no_text",` +
				`"document_id":"doc_3","url":"` + address + `doc_3"}}`,
		}
		if !slices.Equal(hooked, sent) {
			t.Errorf("webhooks get %v\nwant %v", hooked, sent)
		}
	})
}

func nextOf[E any](t *testing.T, stream <-chan E) (e E) {
	t.Helper()
	select {
	case e, ok := <-stream:
		if !ok {
			t.Fatal("the stream ended")
		}
		return e
	case <-time.After(waitLimit):
		t.Fatal("no entry was received")
	}
	return e
}

// countedView returns a view of doc_2 alone, and the number of its reads.
func countedView() (view event.DocumentView, reads *atomic.Int64) {
	reads = new(atomic.Int64)
	return event.DocumentView{Name: "second", Read: func(_ context.Context, ids []string) (docs []*model.Document,
		err error) {
		reads.Add(1)
		if slices.Contains(ids, "doc_2") {
			docs = append(docs, &model.Document{ID: "doc_2"})
		}
		return docs, nil
	}}, reads
}

func watchView(t *testing.T, s *event.Service, workspaceID, after string,
	view event.DocumentView) <-chan *model.DocumentChange {
	t.Helper()
	stream, err := s.WatchDocuments(t.Context(), workspaceID, &after, view)
	if err != nil {
		t.Fatal(err)
	}
	return stream
}

// TestWatchDocuments changes documents of two workspaces while 20 watchers follow a view of one.
func TestWatchDocuments(t *testing.T) {
	const watchers, changes = 20, 150 // more changes than one query reads
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		s := newProcess(t, db, live.Config{Namespace: "views"})
		ids := createWorkspaces(t, db, 2)
		view, reads := countedView()
		recordChanges(t, db, nil, documentChange(s, ids[0], "doc_2", model.EventDocumentCreated))
		after, err := s.Cursor(t.Context(), ids[0])
		if err != nil {
			t.Fatal(err)
		}
		var streams []<-chan *model.DocumentChange
		for range watchers {
			streams = append(streams, watchView(t, s, ids[0], after, view))
		}
		typed, err := s.WatchTyped(t.Context(), ids[0], &after, nil)
		if err != nil {
			t.Fatal(err)
		}
		for n := range changes {
			recordChanges(t, db, nil, documentChange(s, ids[1], "doc_2", model.EventDocumentCreated),
				documentChange(s, ids[0], "doc_1", model.EventDocumentCreated))
			if change, _ := nextOf(t, typed).(*model.DocumentChanged); change == nil ||
				*change.DocumentID() != "doc_1" || change.WorkspaceID != ids[0] {
				t.Fatalf("event %d is %+v", n, change)
			}
		}
		recordChanges(t, db, nil, documentChange(s, ids[0], "doc_2", model.EventDocumentUpdated))
		recordChanges(t, db, nil, documentChange(s, ids[0], "doc_1", model.EventDocumentUpdated))
		for _, stream := range append(streams, watchView(t, s, ids[0], after, view)) {
			updated, removed := nextOf(t, stream), nextOf(t, stream)
			if updated.Kind != model.DocumentChangeKindUpdated || updated.Document == nil ||
				removed.Kind != model.DocumentChangeKindRemoved || *removed.DocumentID != "doc_1" {
				t.Fatalf("received %+v and %+v", updated, removed)
			}
		}
		if n := reads.Load(); n > 2*(changes+2)+5*watchers {
			t.Errorf("%d watchers of a view read it %d times for %d changes", watchers, n, changes+2)
		}
	})
}

// ingestionStep returns a change of a document after a step of its ingestion.
func ingestionStep(s *event.Service, workspaceID, id string) func(context.Context, dbx.Tx) error {
	return func(ctx context.Context, tx dbx.Tx) error {
		before := &model.Document{ID: id, WorkspaceID: workspaceID,
			ProcessingStatus: new(model.ProcessingStatusFetching)}
		return s.RecordDocument(ctx, tx, before, &model.Document{ID: id, WorkspaceID: workspaceID})
	}
}

// TestWatchDocumentEvents receives documents' events as they happen, and again after each of them.
func TestWatchDocumentEvents(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		s := newProcess(t, db, live.Config{Namespace: "documents"})
		ids := createWorkspaces(t, db, 2)
		watch := func(after, documentID *string) <-chan *model.DocumentEvent {
			stream, err := s.WatchDocumentEvents(t.Context(), ids[0], after, documentID)
			if err != nil {
				t.Fatal(err)
			}
			return stream
		}
		all, one := watch(nil, nil), watch(nil, new("doc_2"))
		recordChanges(t, db, nil, documentChange(s, ids[1], "doc_2", model.EventDocumentCreated))
		recordChanges(t, db, nil, documentChange(s, ids[0], "doc_1", model.EventDocumentCreated))
		recordChanges(t, db, nil, documentChange(s, ids[0], "doc_2", model.EventDocumentCreated))
		appendAll(t, db, s, newEvents(ids[0], 1))
		recordChanges(t, db, nil, documentChange(s, ids[0], "doc_2", model.EventDocumentUpdated))
		recordChanges(t, db, nil, ingestionStep(s, ids[0], "doc_2"),
			documentChange(s, ids[0], "doc_2", model.EventDocumentUpdated))
		recordChanges(t, db, nil, documentChange(s, ids[0], "doc_2", model.EventDocumentDeleted))
		want := []model.DocumentEventKind{
			model.DocumentEventKindCreated, model.DocumentEventKindUpdated, model.DocumentEventKindStatus,
			model.DocumentEventKindDeleted,
		}
		first := nextOf(t, all)
		if first.Kind() != model.DocumentEventKindCreated || *first.DocumentID() != "doc_1" {
			t.Errorf("the first event is %+v", first)
		}
		after := first.Cursor()
		for i, kind := range want {
			e, same, again := nextOf(t, all), nextOf(t, one), nextOf(t, watch(&after, new("doc_2")))
			if e.Kind() != kind || *e.DocumentID() != "doc_2" || same.ID != e.ID || again.ID != e.ID {
				t.Errorf("event %d is %+v, %+v of one document, and %+v after a position", i, e, same, again)
			}
			after = e.Cursor()
		}
	})
}

func TestCursorTime(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		s := newProcess(t, db, live.Config{Namespace: "times"})
		ids := createWorkspaces(t, db, 2)
		kept, dropped := newEvents(ids[0], 1), oldEvents(ids[0], 1, event.Retention+time.Hour)
		appendAll(t, db, s, kept)
		for cursor, want := range map[string]time.Time{
			kept[0].ID: kept[0].Timestamp, dropped[0].ID: dropped[0].Timestamp.Truncate(time.Millisecond),
			event.StartCursor: time.Unix(0, 0),
		} {
			if got, err := s.CursorTime(t.Context(), ids[0], cursor); err != nil || !got.Equal(want) {
				t.Errorf("%s is of %s (%v), want %s", cursor, got, err, want)
			}
		}
		_, err := s.CursorTime(t.Context(), ids[1], kept[0].ID)
		wantInvalidField(t, err, "after")
	})
}

func TestWatch_refused(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		s := newProcess(t, db, live.Config{Namespace: "refused"})
		ids := createWorkspaces(t, db, 2)
		view, _ := countedView()
		theirs := newEvents(ids[1], 1)
		appendAll(t, db, s, theirs)
		_, err := s.WatchDocuments(t.Context(), ids[0], &theirs[0].ID, view)
		wantInvalidField(t, err, "after")
		_, err = s.WatchTyped(t.Context(), ids[0], &theirs[0].ID, nil)
		wantInvalidField(t, err, "after")
		_, err = s.WatchTyped(t.Context(), ids[0], nil, []model.EventName{model.EventNameStale})
		wantInvalidField(t, err, "types")
	})
}

// TestWatchDocuments_filters watches one filter in three views, and more filters than a workspace
// may watch. A change is one search for a filter.
func TestWatchDocuments_filters(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		s := newProcess(t, db, live.Config{Namespace: "filters"})
		ids := createWorkspaces(t, db, 2)
		after, err := s.Cursor(t.Context(), ids[0])
		if err != nil {
			t.Fatal(err)
		}
		var searches atomic.Int64
		viewOf := func(filter, columns string) event.DocumentView {
			return event.DocumentView{Name: filter + columns, Filter: filter,
				Match: func(_ context.Context, ids []string) ([]string, error) {
					if len(ids) > 0 {
						searches.Add(1)
					}
					return slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return id != "doc_2" }), nil
				},
				Read: func(_ context.Context, ids []string) (docs []*model.Document, err error) {
					for _, id := range ids {
						docs = append(docs, &model.Document{ID: id})
					}
					return docs, nil
				}}
		}
		var streams []<-chan *model.DocumentChange
		for _, columns := range []string{"id", "title", "content"} {
			streams = append(streams, watchView(t, s, ids[0], after, viewOf("filter 0", columns)))
		}
		recordChanges(t, db, nil, documentChange(s, ids[0], "doc_1", model.EventDocumentUpdated))
		for _, stream := range streams {
			if removed := nextOf(t, stream); removed.Kind != model.DocumentChangeKindRemoved {
				t.Fatalf("received %+v", removed)
			}
		}
		recordChanges(t, db, nil, documentChange(s, ids[0], "doc_2", model.EventDocumentCreated))
		for _, stream := range streams {
			if created := nextOf(t, stream); created.Kind != model.DocumentChangeKindCreated || created.Document == nil {
				t.Fatalf("received %+v", created)
			}
		}
		if n := searches.Load(); n > 4 { // a view may have read both changes together
			t.Errorf("two changes were %d searches of one filter", n)
		}
		ctx, cancel := context.WithCancel(t.Context())
		for n := 1; n < event.MaxFilters; n++ {
			if _, err := s.WatchDocuments(ctx, ids[0], nil, viewOf(fmt.Sprint("filter ", n), "id")); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := s.WatchDocuments(t.Context(), ids[0], nil, viewOf("one more", "id")); !errs.Is(err, errs.RateLimited) {
			t.Errorf("one filter too many: %v", err)
		}
		for _, watch := range []struct{ workspace, filter string }{{ids[0], "filter 0"}, {ids[0], ""}, {ids[1], "one more"}} {
			if _, err := s.WatchDocuments(t.Context(), watch.workspace, nil, viewOf(watch.filter, "id")); err != nil {
				t.Errorf("%v: %v", watch, err)
			}
		}
		cancel()
		poll.Until(t, func() bool {
			_, err := s.WatchDocuments(t.Context(), ids[0], nil, viewOf("one more", "id"))
			return err == nil
		}, "no filter can be watched after others have ended")
	})
}
