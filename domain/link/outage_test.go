package link_test

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"rostrum/dbx"
	"rostrum/domain/link"
	"rostrum/platform/slot"
	"rostrum/test/kit/dbtest"
	"rostrum/test/kit/poll"
)

// TestCommitter_stops_in_an_outage opens a link 300 times while the process refuses writes because
// of a newer schema, and stops it. Two other processes store each session once.
func TestCommitter_stops_in_an_outage(t *testing.T) {
	for _, backend := range dbtest.Backends(t) {
		t.Run(backend.Name, func(t *testing.T) {
			t.Parallel()
			address, folder := backend.Address(t), filepath.Join(t.TempDir(), "sessions")
			b := setup(t, openDB(t, address))
			refuseWrites(t, b.DB())
			b.Committer = link.NewCommitter(b.DB(), b.appendEvents, folder)
			ctx, stop := context.WithCancel(t.Context())
			var running, viewers sync.WaitGroup
			running.Go(func() { b.Run(ctx) })
			for _, o := range b.newOpenings(300) {
				viewers.Go(func() { b.Submit(t.Context(), o) })
			}
			viewers.Wait()
			stop()
			running.Wait()
			if err := os.WriteFile(filepath.Join(folder, "broken.json"), []byte("["), 0o600); err != nil {
				t.Fatal(err)
			}

			ctx, stop = context.WithCancel(t.Context())
			for range 2 {
				other := link.NewCommitter(openDB(t, address), b.appendEvents, folder)
				running.Go(func() { other.Run(ctx) })
				b.Committer = other
			}
			poll.Until(t, func() bool { left, err := os.ReadDir(folder); return err == nil && len(left) == 0 },
				"files are left")
			stop()
			running.Wait()
			b.checkStored(t, 300)
		})
	}
}

// refuseWrites makes the DB refuse writes, as after an upgrade by another process. A DB that is
// opened later is not affected.
func refuseWrites(t *testing.T, db *dbx.DB) {
	t.Helper()
	for _, statement := range []string{
		"INSERT INTO bun_migrations (name, group_id) VALUES ('29990101000000', 99)",
		"DELETE FROM bun_migrations WHERE name = '29990101000000'",
	} {
		if _, err := db.Writer().ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
		_ = db.CheckSchema(t.Context())
	}
}

func openDB(t *testing.T, address string) *dbx.DB {
	t.Helper()
	db, err := dbx.Open(t.Context(), address, slot.New)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}
