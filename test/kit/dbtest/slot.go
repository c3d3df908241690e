package dbtest

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

const (
	// databaseConns is the number of connections that one process may open to a test's database.
	databaseConns = 10
	// slotConns is the number of connections that are counted for each database: those of one
	// process, and some for tests with several.
	slotConns = 12
	// otherConns is the number of connections that are not counted for a database: one of each test
	// process, and those that create databases.
	otherConns = 12
	// slotLock is the first key of the advisory locks of the slots.
	slotLock = 0x736c6f74
	// slotWait is the time after which a test runs without a slot, so that tests with several
	// databases cannot block each other for ever.
	slotWait = 2 * time.Minute
	// tooManyConnections is Postgres's code of a refused connection.
	tooManyConnections = "53300"
)

// slotKeeper reserves connections of a server across all test processes. A slot is an advisory
// lock, which the server releases when a process ends. All slots of a process are held by one
// connection.
type slotKeeper struct {
	mu   sync.Mutex
	conn *pgx.Conn
	held []int32
}

var keepers sync.Map // server address → func() (*slotKeeper, error)

// keeperOf returns the server's keeper. It returns an error if the server cannot be reached.
func keeperOf(server string) (*slotKeeper, error) {
	once, _ := keepers.LoadOrStore(server, sync.OnceValues(func() (*slotKeeper, error) {
		conn, err := connectPatiently(server)
		return &slotKeeper{conn: conn}, err
	}))
	return once.(func() (*slotKeeper, error))()
}

// connectPatiently connects to a server whose connections others may use too: it waits for one.
func connectPatiently(server string) (conn *pgx.Conn, err error) {
	for deadline := time.Now().Add(slotWait); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		conn, err = pgx.Connect(context.Background(), server)
		if refused := (*pgconn.PgError)(nil); !errors.As(err, &refused) || refused.Code != tooManyConnections {
			return conn, err
		}
	}
	return conn, err
}

// acquireSlot waits until the server has connections for one more database, also beside other users
// of the server, and reserves them until the end of the test. It returns the number of the slot, or 0 if none became free.
func acquireSlot(t testing.TB, server string) int32 {
	t.Helper()
	keeper, err := keeperOf(server)
	if err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(slotWait); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		n, err := keeper.tryAcquire()
		if err != nil {
			t.Fatal(err)
		}
		if n > 0 {
			t.Cleanup(func() { keeper.release(t, n) })
			return n
		}
	}
	return 0
}

// reserving is held while a test waits for further slots, so that two tests that have one each
// cannot wait for each other's.
var reserving sync.Mutex

// ReserveConns reserves the connections of n further processes on the test's Postgres database,
// until the end of the test.
func ReserveConns(t testing.TB, n int) {
	t.Helper()
	reserving.Lock()
	defer reserving.Unlock()
	for range n {
		acquireSlot(t, PostgresAddress(t))
	}
}

// tryAcquire returns the number of a slot that was free, or 0.
func (k *slotKeeper) tryAcquire() (n int32, err error) {
	const query = `
WITH RECURSIVE slot(n, acquired) AS (
	SELECT 0, false
	UNION ALL
	SELECT n + 1, CASE WHEN n + 1 = ANY($4) THEN false ELSE pg_try_advisory_lock($1, n + 1) END FROM slot
	WHERE NOT acquired AND n < (current_setting('max_connections')::int - $3) / $2
		AND (SELECT count(*) FROM pg_stat_activity) + $2 + $3 <= current_setting('max_connections')::int
)
SELECT coalesce(max(n) FILTER (WHERE acquired), 0) FROM slot`
	k.mu.Lock()
	defer k.mu.Unlock()
	err = k.conn.QueryRow(context.Background(), query, slotLock, slotConns, otherConns, k.held).Scan(&n)
	if n > 0 {
		k.held = append(k.held, n)
	}
	return n, err
}

func (k *slotKeeper) release(t testing.TB, n int32) {
	t.Helper()
	k.mu.Lock()
	defer k.mu.Unlock()
	k.held = slices.DeleteFunc(k.held, func(held int32) bool { return held == n })
	if _, err := k.conn.Exec(context.Background(), "SELECT pg_advisory_unlock($1, $2)", slotLock, n); err != nil {
		t.Error(err)
	}
}
