package dbtest

import (
	"fmt"
	"net"
	"net/url"
	"os"
	"sync"
	"testing"
	"time"
)

// serviceAddress returns the address in the environment variable or the default one, or "" when
// nothing answers there.
func serviceAddress(t testing.TB, service, variable, standard, port string) string {
	t.Helper()
	address := os.Getenv(variable)
	if address == "" {
		address = standard
	}
	if err := dial(address, port); err != nil {
		Missing(t, service, err)
		return ""
	}
	return address
}

func dial(address, port string) error {
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

var warned sync.Map // by service

// Missing prints once for each service that its tests are skipped. With ROSTRUM_TEST_REQUIRE set,
// as in CI, it fails the test.
func Missing(t testing.TB, service string, err error) {
	t.Helper()
	if os.Getenv("ROSTRUM_TEST_REQUIRE") != "" {
		t.Fatalf("%s is required and was not reached: %v", service, err)
	}
	if _, printed := warned.LoadOrStore(service, true); !printed {
		fmt.Fprintf(os.Stderr, "\n*** SKIPPED: no %s, so its tests do not run: %v ***\n\n", service, err)
	}
}
