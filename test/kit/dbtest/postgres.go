package dbtest

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"rostrum/dbx"
	"rostrum/model"
	"rostrum/test/kit/poll"
)

// defaultServer is tried when TEST_DATABASE_URL is not set.
const defaultServer = "postgres://postgres@127.0.0.1:5432/test?sslmode=disable"

// PostgresAddress returns the address of the Postgres server to test on, or "" without one.
func PostgresAddress(t testing.TB) string {
	t.Helper()
	return serviceAddress(t, "Postgres", "TEST_DATABASE_URL", defaultServer, "5432")
}

const (
	templatePrefix = "rostrum_template_" // and the schema's hash
	slotInfix      = "_slot_"            // between the name of a template and the number of a slot
	databasePrefix = "rostrum_test_"     // and the hour of its creation since 1970
	// templateLock is the advisory lock under which one test process at a time creates and drops
	// templates.
	templateLock = 0x726f7375
	// staleHours is the age after which a template that no test used, and a database that a killed
	// test left, are dropped.
	staleHours = 24
)

// AwaitLockedStatement waits until a statement on the server's database waits for a lock of another
// transaction.
func AwaitLockedStatement(t testing.TB, db *dbx.DB) {
	t.Helper()
	const query = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
	poll.Until(t, func() bool {
		waiting := 0
		if err := db.SelectRaw(query).Scan(t.Context(), &waiting); err != nil {
			t.Fatal(err)
		}
		return waiting > 0
	}, "no statement waits for a lock")
}

// createDatabase creates a database on the server as a copy of the template, and drops it after the
// test. Commits do not wait for the disk.
func createDatabase(t testing.TB, server, template string) string {
	t.Helper()
	name := fmt.Sprintf("%s%d_%s", databasePrefix, currentHour(), strings.TrimPrefix(model.NewID("t"), "t_"))
	run := func(statement string) {
		t.Helper()
		if err := withConn(server, func(ctx context.Context, conn *pgx.Conn) error {
			return execute(ctx, conn, statement)
		}); err != nil {
			t.Fatal(err)
		}
	}
	run("CREATE DATABASE " + name + " TEMPLATE " + template)
	t.Cleanup(func() { run("DROP DATABASE IF EXISTS " + name + " WITH (FORCE)") })
	address, err := databaseAddress(server, name)
	if err != nil {
		t.Fatal(err)
	}
	return address
}

// pooler is the host of a pooler in front of the server, and empty without one; see test/pooler.sh.
var pooler = os.Getenv("ROSTRUM_TEST_POOLER")

// pooled returns the address through the pooler, if there is one. The pooler refuses settings of a
// session.
func pooled(t testing.TB, address string) string {
	t.Helper()
	if pooler == "" {
		return address
	}
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	u.Host = pooler
	u.RawQuery = fmt.Sprintf("sslmode=disable&pooler=transaction&pool_max_conns=%d", databaseConns)
	return u.String()
}

// SkipPooled skips a test of what a pooler does not pass on: settings and the end of a session. It does
// so only in the runs of test/pooler.sh; all others have the test.
func SkipPooled(t testing.TB) {
	t.Helper()
	if pooler != "" {
		t.Skip("a pooler gives each transaction another session")
	}
}

func currentHour() int64 { return time.Now().Unix() / 3600 }

func databaseAddress(server, name string) (string, error) {
	u, err := url.Parse(server)
	if err != nil {
		return "", err
	}
	u.Path = "/" + name
	query := u.Query()
	query.Set("synchronous_commit", "off")
	query.Set("pool_max_conns", strconv.Itoa(databaseConns))
	// on a busy machine a statement of 8 MB may take long to write
	query.Set("idle_in_transaction_session_timeout", "5min")
	u.RawQuery = query.Encode()
	return u.String(), nil
}

func withConn(address string, use func(context.Context, *pgx.Conn) error) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	conn, err := connect(ctx, address)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	return use(ctx, conn)
}

// connect opens one connection. The address may have the settings of a pool, which pgx.Connect
// refuses.
func connect(ctx context.Context, address string) (*pgx.Conn, error) {
	config, err := pgxpool.ParseConfig(address)
	if err != nil {
		return nil, err
	}
	return pgx.ConnectConfig(ctx, config.ConnConfig)
}

func execute(ctx context.Context, conn *pgx.Conn, statements ...string) error {
	for _, statement := range statements {
		if _, err := conn.Exec(ctx, statement); err != nil {
			return fmt.Errorf("%s: %w", statement, err)
		}
	}
	return nil
}

var templates sync.Map // server address → func() (string, error)

// serverTemplate returns the name of a database on the server that has the whole schema. Test
// processes with the same schema share it, also between runs.
func serverTemplate(server string) (string, error) {
	once, _ := templates.LoadOrStore(server, sync.OnceValues(func() (name string, err error) {
		hash, err := schemaHash()
		if err != nil {
			return "", err
		}
		name = templatePrefix + hash
		return name, withConn(server, func(ctx context.Context, conn *pgx.Conn) error {
			return prepareTemplate(ctx, conn, server, name)
		})
	}))
	return once.(func() (string, error))()
}

// prepareTemplate creates the template unless it exists, records its use, and drops what is stale.
// The connection's end releases the lock.
func prepareTemplate(ctx context.Context, conn *pgx.Conn, server, name string) error {
	if err := execute(ctx, conn, fmt.Sprintf("SELECT pg_advisory_lock(%d)", templateLock)); err != nil {
		return err
	}
	var exists bool
	if err := conn.QueryRow(ctx, "SELECT EXISTS (SELECT 1 FROM pg_database WHERE datname = $1)", name).
		Scan(&exists); err != nil {
		return err
	}
	if !exists {
		if err := buildTemplate(ctx, conn, server, name); err != nil {
			return err
		}
	}
	if err := execute(ctx, conn, fmt.Sprintf("COMMENT ON DATABASE %s IS '%d'", name, currentHour())); err != nil {
		return err
	}
	return dropStale(ctx, conn)
}

// buildTemplate migrates a database under another name and renames it, so that a database of the
// template's name is always complete.
func buildTemplate(ctx context.Context, conn *pgx.Conn, server, name string) error {
	building := name + "_building"
	address, err := databaseAddress(server, building)
	if err != nil {
		return err
	}
	if err := execute(ctx, conn, "DROP DATABASE IF EXISTS "+building+" WITH (FORCE)",
		"CREATE DATABASE "+building); err != nil {
		return err
	}
	if err := migrate(ctx, address); err != nil {
		return err
	}
	return execute(ctx, conn, "ALTER DATABASE "+building+" RENAME TO "+name)
}

// dropStale drops templates of other schemas and databases of killed tests. Another process may
// drop the same database first.
func dropStale(ctx context.Context, conn *pgx.Conn) error {
	rows, err := conn.Query(ctx, `SELECT datname, coalesce(shobj_description(oid, 'pg_database'), '') FROM pg_database WHERE datname LIKE 'rostrum\_te%'`)
	if err != nil {
		return err
	}
	comments := map[string]string{}
	var name, comment string
	if _, err := pgx.ForEachRow(rows, []any{&name, &comment},
		func() error { comments[name] = comment; return nil }); err != nil {
		return err
	}
	var stale []string
	for name := range comments {
		if isStale(name, comments) {
			stale = append(stale, "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)")
		}
	}
	return execute(ctx, conn, stale...)
}

// isStale reports whether a database is old by the hour in its name or, for a template and the
// databases of its slots, in the template's comment.
func isStale(name string, comments map[string]string) bool {
	var hour string
	if rest, ok := strings.CutPrefix(name, databasePrefix); ok {
		hour, _, _ = strings.Cut(rest, "_")
	} else if strings.HasPrefix(name, templatePrefix) {
		template, _, _ := strings.Cut(name, slotInfix)
		hour = comments[template]
	}
	used, err := strconv.ParseInt(hour, 10, 64)
	return err == nil && currentHour()-used > staleHours
}
