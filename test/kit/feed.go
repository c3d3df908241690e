package kit

import (
	"context"
	"testing"

	"rostrum/dbx"
	"rostrum/domain/event"
	"rostrum/model"
	"rostrum/platform/live"
	"rostrum/test/kit/dbtest"
)

// Feed is the event feed of the app's workspace, as another process on the same database and Redis
// uses it.
type Feed struct {
	*event.Service
	db        *dbx.DB
	workspace string
}

// NewFeed opens the app's database and Redis once more, until the end of the test.
func (a *App) NewFeed(t testing.TB) *Feed {
	t.Helper()
	db := a.OpenDB(t)
	notifications := dbtest.OpenLive(t, live.Config{Address: a.Config.Redis, Namespace: a.Config.Namespace})
	return &Feed{Service: event.New(event.Config{DB: db, Live: notifications}), db: db, workspace: a.WorkspaceID}
}

// Add appends events to the feed of the app's workspace.
func (f *Feed) Add(t testing.TB, events ...*model.Event) {
	t.Helper()
	for _, e := range events {
		e.WorkspaceID = f.workspace
	}
	err := f.db.InTx(t.Context(), func(ctx context.Context, tx dbx.Tx) error { return f.Append(ctx, tx, events) })
	if err != nil {
		t.Fatal(err)
	}
}
