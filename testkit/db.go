// Package testkit gives tests their databases, their Redis, a whole app each, scenarios and goldens.
package testkit

import (
	"context"
	"crypto/sha256"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"rostrum/dbx"
	"rostrum/model"
)

// standardServer is tried when TEST_DATABASE_URL is not set.
const standardServer = "postgres://postgres@127.0.0.1:5432/test?sslmode=disable"

// Backend is one kind of database that a test runs on.
type Backend struct {
	Name string
	open func(testing.TB) string
}

// Address makes an empty database for the test, which is gone with it, and gives its address for dbx.Open.
func (b Backend) Address(t testing.TB) string { return b.open(t) }

// Open makes a database for the test with the schema in place.
func (b Backend) Open(t testing.TB) *dbx.DB {
	t.Helper()
	db, err := dbx.Open(t.Context(), b.Address(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	if _, err := db.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	return db
}

// Backends lists the databases that are at hand: always the file, and the server unless there is none, which is said loudly.
// With ROSTRUM_TEST_REQUIRE set, as CI sets it, a missing server fails the test.
func Backends(t testing.TB) []Backend {
	list := []Backend{{"sqlite", func(t testing.TB) string { return filepath.Join(t.TempDir(), databaseFile) }}}
	if server := Server(t); server != "" {
		list = append(list, Backend{"postgres", func(t testing.TB) string { return database(t, server) }})
	}
	return list
}

// EachDB runs the test on every database at hand, each time on a fresh one with the schema in place.
func EachDB(t *testing.T, test func(*testing.T, *dbx.DB)) {
	t.Helper()
	for _, b := range Backends(t) {
		t.Run(b.Name, func(t *testing.T) {
			t.Parallel()
			test(t, b.Open(t))
		})
	}
}

// Server gives the address of the Postgres server to test on, or nothing when there is none.
func Server(t testing.TB) string {
	address := os.Getenv("TEST_DATABASE_URL")
	if address == "" {
		address = standardServer
	}
	if err := reach(address, "5432"); err != nil {
		missing(t, "Postgres", err)
		return ""
	}
	return address
}

func reach(address, port string) error {
	u, err := url.Parse(address)
	if err != nil {
		return err
	}
	if p := u.Port(); p != "" {
		port = p
	}
	conn, err := net.DialTimeout("tcp", net.JoinHostPort(u.Hostname(), port), 2*time.Second)
	if err != nil {
		return err
	}
	return conn.Close()
}

var warned sync.Map

// missing says loudly, once for each service, that tests are left out; CI does not accept it.
func missing(t testing.TB, service string, err error) {
	t.Helper()
	if os.Getenv("ROSTRUM_TEST_REQUIRE") != "" {
		t.Fatalf("%s is required and was not reached: %v", service, err)
	}
	if _, said := warned.LoadOrStore(service, true); !said {
		fmt.Fprintf(os.Stderr, "\n*** SKIPPED: no %s, so nothing is tested on it: %v ***\n\n", service, err)
	}
}

// database makes an empty database on the server and drops it after the test.
func database(t testing.TB, server string) string {
	t.Helper()
	sum := sha256.Sum256([]byte(t.Name()))
	name := fmt.Sprintf("rostrum_%x_%s", sum[:3], strings.TrimPrefix(model.NewID("t"), "t_"))
	admin(t, server, "CREATE DATABASE "+name)
	t.Cleanup(func() { admin(t, server, "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)") })
	u, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	u.Path = "/" + name
	return u.String()
}

func admin(t testing.TB, server, statement string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	conn, err := pgx.Connect(ctx, server)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	if _, err := conn.Exec(ctx, statement); err != nil {
		t.Fatal(err)
	}
}
