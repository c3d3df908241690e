package dbx_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/test/kit/dbtest"
)

// readAt is a number and the time at which its transaction began.
type readAt struct {
	Number int       `bun:"number"`
	Time   time.Time `bun:"time"`
}

// readTogether divides 12 by a number on the server. It returns when the statement's transaction
// began.
func readTogether(ctx context.Context, t *testing.T, db *dbx.DB, divisor int) (time.Time, error) {
	t.Helper()
	rows, err := dbx.ReadTogether[readAt](ctx, db,
		db.NewSelect().ColumnExpr("12 / ? AS number, now() AS time", divisor))
	if err != nil {
		return time.Time{}, err
	}
	if len(rows) != 1 || rows[0].Number != 12/divisor {
		t.Errorf("12 divided by %d: %+v", divisor, rows)
	}
	return rows[0].Time, nil
}

// TestTogether_oneRoundTrip runs several calls, nested calls and calls without a statement. Their
// statements are sent in one round trip, which is one transaction of the server, and their next
// statements in another.
func TestTogether_oneRoundTrip(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		if db.InProcess() {
			return // no statement waits there
		}
		ctx, statements := dbx.WithCounter(t.Context())
		var times [2][4]time.Time
		read := func(ctx context.Context, divisor int) {
			for i := range times {
				var err error
				if times[i][divisor-1], err = readTogether(ctx, t, db, divisor); err != nil {
					t.Error(err)
				}
			}
		}
		dbx.Together(ctx, 4, func(ctx context.Context, i int) {
			switch i {
			case 0:
			case 1:
				dbx.Together(ctx, 2, func(ctx context.Context, inner int) { read(ctx, 3+inner) })
			default:
				read(ctx, i-1)
			}
		})
		for i, at := range times {
			if at[0].IsZero() || at[1] != at[0] || at[2] != at[0] || at[3] != at[0] {
				t.Errorf("the statements of round %d began at %v, want one time", i, at)
			}
		}
		if n := statements.Load(); n != 8 || times[0][0].Equal(times[1][0]) {
			t.Errorf("%d statements, of the rounds at %v and %v; want 8, in two rounds", n, times[0][0], times[1][0])
		}
	})
}

// TestTogether_failure returns a statement's error to its caller and rows to the other callers. The
// order of the statements varies.
func TestTogether_failure(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		if db.InProcess() {
			return // no statement waits there
		}
		dbx.Together(t.Context(), 3, func(ctx context.Context, i int) {
			_, err := readTogether(ctx, t, db, i)
			if isDivision := err != nil && strings.Contains(fmt.Sprint(err, errs.From(err).Unwrap()),
				"division by zero"); isDivision != (i == 0) {
				t.Errorf("12 divided by %d: %v", i, err)
			}
		})
		ctx, cancel := context.WithCancel(t.Context())
		dbx.Together(ctx, 3, func(ctx context.Context, i int) {
			if i == 0 {
				cancel()
			} else if _, err := readTogether(ctx, t, db, i); err == nil {
				t.Error("a statement of a cancelled context succeeded")
			}
		})
	})
}

// TestTogether_rows reads the rows of each call, whether they were sent together or not.
func TestTogether_rows(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		addWorkspace(t, db, "w")
		addDocuments(t, db, "w", 40)
		dbx.Together(t.Context(), 40, func(ctx context.Context, i int) {
			id := fmt.Sprintf("w%05d", i)
			for range 3 {
				if docs, err := dbx.ByIDs[model.Document](ctx, db, "w", []string{id}, "id"); err != nil ||
					len(docs) != 1 || docs[0].ID != id {
					t.Errorf("document %s: %v, %v", id, docs, err)
				}
			}
		})
	})
}
