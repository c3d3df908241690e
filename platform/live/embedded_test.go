package live_test

import (
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"rostrum/platform/live"
	"rostrum/test/kit/dbtest"
)

// TestOpen_embedded_asks_for_a_password connects to the embedded Redis like another program of the
// machine.
func TestOpen_embedded_asks_for_a_password(t *testing.T) {
	t.Parallel()
	l := dbtest.OpenLive(t, live.Config{Namespace: "test"})
	if err := l.Client().Ping(t.Context()).Err(); err != nil {
		t.Fatal(err)
	}
	other := redis.NewClient(&redis.Options{Addr: l.Client().Options().Addr})
	defer other.Close()
	if err := other.Get(t.Context(), "x").Err(); err == nil || !strings.Contains(err.Error(), "NOAUTH") {
		t.Errorf("without the password: %v", err)
	}
}

// TestOpen_hides_the_password opens addresses that cannot be parsed.
func TestOpen_hides_the_password(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"redis://:secret@host:port", "http://:secret@host", "redis://:secret@host:6379/x",
		"redis://:secret%zz@host"} {
		_, err := live.Open(t.Context(), live.Config{Address: address, Namespace: "test"})
		if err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", address, err)
		}
	}
}
