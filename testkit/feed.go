package testkit

import (
	"context"
	"path/filepath"
	"testing"

	"rostrum/dbx"
	"rostrum/domain/event"
	"rostrum/live"
	"rostrum/model"
)

// Feed is the room of events as another process on the app's database and Redis has it.
type Feed struct {
	*event.Service
	db        *dbx.DB
	workspace string
}

// NewFeed opens the app's database once more, until the end of the test.
func (a *App) NewFeed(t testing.TB) *Feed {
	t.Helper()
	address := a.Config.Database
	if address == "" {
		address = filepath.Join(a.Config.DataDir, databaseFile)
	}
	db, err := dbx.Open(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	news := OpenLive(t, live.Config{Address: a.Config.Redis, Namespace: a.Config.Namespace})
	return &Feed{Service: event.New(db, news), db: db, workspace: a.WorkspaceID}
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
