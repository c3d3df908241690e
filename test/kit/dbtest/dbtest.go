package dbtest

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"rostrum/dbx"
	"rostrum/platform/job"
	"rostrum/platform/slot"
	"rostrum/test/kit/repo"
)

// Backend is one kind of database that a test runs on.
type Backend struct {
	Name   string
	server string // the address of the Postgres server; empty for SQLite
}

// Backends lists the available databases: always SQLite, and Postgres unless no server answers,
// which is printed once. With ROSTRUM_TEST_REQUIRE set, as in CI, a missing server fails the test.
func Backends(t testing.TB) []Backend {
	list := []Backend{{Name: "sqlite"}}
	if server := PostgresAddress(t); server != "" {
		list = append(list, Backend{Name: "postgres", server: server})
	}
	return list
}

// EmptyAddress creates an empty database, which is dropped after the test, and returns its address
// for dbx.Open.
func (b Backend) EmptyAddress(t testing.TB) string {
	t.Helper()
	if b.server == "" {
		return filepath.Join(t.TempDir(), "rostrum.db")
	}
	acquireSlot(t, b.server)
	return pooled(t, createDatabase(t, b.server, "template1"))
}

// Address returns the address of a database with the whole schema and no rows, which no other test
// uses until this one ends.
func (b Backend) Address(t testing.TB) string {
	t.Helper()
	if b.server == "" {
		path := filepath.Join(t.TempDir(), "rostrum.db")
		WriteSQLite(t, path)
		return path
	}
	template, err := serverTemplate(b.server)
	if err != nil {
		t.Fatal(err)
	}
	if slot := acquireSlot(t, b.server); slot > 0 && pooler == "" {
		return reusedDatabase(t, b.server, template, slot)
	}
	return pooled(t, createDatabase(t, b.server, template))
}

// Open opens a database with the whole schema, until the end of the test.
func (b Backend) Open(t testing.TB) *dbx.DB {
	t.Helper()
	address := b.Address(t)
	if b.server != "" {
		address = withParameter(t, address, "connect_timeout", "60") // a busy machine is no outage
	}
	db, err := dbx.Open(t.Context(), address, slot.New)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// withParameter returns the address of a server with a connection parameter.
func withParameter(t testing.TB, address, name, value string) string {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	parameters := u.Query()
	parameters.Set(name, value)
	u.RawQuery = parameters.Encode()
	return u.String()
}

// EachDB runs the test on every available database, each time on a fresh one with the whole schema.
// It runs in parallel with the package's other tests.
func EachDB(t *testing.T, test func(*testing.T, *dbx.DB)) {
	t.Helper()
	runOn(t, Backends(t), test)
}

// EachServer runs the test like EachDB, but only on the databases that are servers.
func EachServer(t *testing.T, test func(*testing.T, *dbx.DB)) {
	t.Helper()
	runOn(t, slices.DeleteFunc(Backends(t), func(b Backend) bool { return b.server == "" }), test)
}

func runOn(t *testing.T, backends []Backend, test func(*testing.T, *dbx.DB)) {
	t.Helper()
	t.Parallel()
	for _, b := range backends {
		t.Run(b.Name, func(t *testing.T) {
			t.Parallel()
			test(t, b.Open(t))
		})
	}
}

// WriteSQLite writes a SQLite file with the whole schema. The migrations run once in a process, as
// they take longer than most tests.
func WriteSQLite(t testing.TB, path string) {
	t.Helper()
	file, err := sqliteTemplate()
	if err == nil {
		err = os.WriteFile(path, file, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

var sqliteTemplate = sync.OnceValues(func() (file []byte, err error) {
	folder, err := os.MkdirTemp("", "rostrum-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	path := filepath.Join(folder, "rostrum.db")
	if err := migrate(context.Background(), path); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})

// migrate creates the program's tables and the queue's.
func migrate(ctx context.Context, address string) (err error) {
	db, err := dbx.Open(ctx, address, slot.New)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if _, err := db.Migrate(ctx); err != nil {
		return err
	}
	return job.Migrate(ctx, db)
}

// schemaHash identifies the schema by the files that define it, which are the migrations, the
// packages that run them, and the version of River, and by those of this package, which say what is
// kept of a database.
var schemaHash = sync.OnceValues(func() (string, error) {
	hash := sha256.New()
	add := func(path string) error {
		text, err := os.ReadFile(path)
		hash.Write(text)
		return err
	}
	err := add(repo.Path("go.sum"))
	for _, folder := range []string{"dbx", "platform/job", "test/kit/dbtest"} {
		err = errors.Join(err, filepath.WalkDir(repo.Path(folder),
			func(path string, entry fs.DirEntry, err error) error {
				if err != nil || entry.IsDir() {
					return err
				}
				return add(path)
			}))
	}
	return fmt.Sprintf("%x", hash.Sum(nil)[:6]), err
})
