package dbx_test

import (
	"testing"
	"time"

	"rostrum/dbx"
	"rostrum/test/kit/dbtest"
)

// TestNow_follows_the_server sets the known clock an hour off until it is compared again.
func TestNow_follows_the_server(t *testing.T) {
	dbtest.EachServer(t, func(t *testing.T, db *dbx.DB) {
		db.SetClock(time.Hour)
		if ahead := time.Until(db.Now()); ahead < 50*time.Minute {
			t.Fatalf("the clock is %v ahead", ahead)
		}
		if err := db.SyncClock(t.Context()); err != nil {
			t.Fatal(err)
		}
		if ahead := time.Until(db.Now()); ahead.Abs() > 10*time.Minute { // the server runs on this machine
			t.Errorf("after the comparison it is %v ahead", ahead)
		}
	})
}
