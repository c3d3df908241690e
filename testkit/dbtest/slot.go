package dbtest

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	// databaseConns is the number of connections that one process may open to a test's database.
	databaseConns = 10
	// slotConns is the number of connections that are counted for each database: those of one process, the one that holds the slot, and some
	// for tests with several processes.
	slotConns = 15
	// slotLock is the first key of the advisory locks of the slots.
	slotLock = 0x736c6f74
	// slotWait is the time after which a test runs without a slot, so that tests with several databases cannot block each other for ever.
	slotWait = time.Minute
)

// acquireSlot waits until the server has connections for one more database and reserves them until the end of the test, across all test
// processes: a slot is an advisory lock, which the server releases when a process ends.
func acquireSlot(t testing.TB, server string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), slotWait)
	defer cancel()
	conn, err := pgx.Connect(ctx, server)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(context.Background()) })
	for ctx.Err() == nil {
		if acquired, err := trySlots(conn); err != nil {
			t.Fatal(err)
		} else if acquired {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// trySlots reports whether a slot was free.
func trySlots(conn *pgx.Conn) (acquired bool, err error) {
	const query = `
WITH RECURSIVE slot(n, acquired) AS (
	SELECT 0, false
	UNION ALL
	SELECT n + 1, pg_try_advisory_lock($1, n) FROM slot WHERE NOT acquired AND n < current_setting('max_connections')::int / $2
)
SELECT bool_or(acquired) FROM slot`
	err = conn.QueryRow(context.Background(), query, slotLock, slotConns).Scan(&acquired)
	return acquired, err
}
