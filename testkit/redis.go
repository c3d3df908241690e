package testkit

import (
	"os"
	"testing"

	"rostrum/live"
	"rostrum/model"
)

// standardRedis is tried when TEST_REDIS_URL is not set.
const standardRedis = "redis://127.0.0.1:6379"

// RedisKind is one kind of Redis that a test runs on.
type RedisKind struct {
	Name    string
	address string
}

// Config gives a namespace of the test's own on the Redis. Only what is opened with one Config on a real Redis shares its news.
func (k RedisKind) Config() live.Config {
	return live.Config{Address: k.address, Namespace: model.NewID("test")}
}

// Open connects to the Redis under a namespace of the test's own.
func (k RedisKind) Open(t testing.TB) *live.Live { return OpenLive(t, k.Config()) }

// OpenLive connects as the Config says, until the end of the test.
func OpenLive(t testing.TB, config live.Config) *live.Live {
	t.Helper()
	l, err := live.Open(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

// Redises lists the kinds of Redis that are at hand: always the embedded one, and the server unless there is none, which is said loudly.
// With ROSTRUM_TEST_REQUIRE set, as CI sets it, a missing server fails the test.
func Redises(t testing.TB) []RedisKind {
	list := []RedisKind{{Name: "embedded"}}
	if address := RedisServer(t); address != "" {
		list = append(list, RedisKind{"redis", address})
	}
	return list
}

// EachRedis runs the test on every Redis at hand.
func EachRedis(t *testing.T, test func(*testing.T, RedisKind)) {
	t.Helper()
	for _, k := range Redises(t) {
		t.Run(k.Name, func(t *testing.T) {
			t.Parallel()
			test(t, k)
		})
	}
}

// RedisServer gives the address of the Redis server to test on, or nothing when there is none.
func RedisServer(t testing.TB) string {
	address := os.Getenv("TEST_REDIS_URL")
	if address == "" {
		address = standardRedis
	}
	if err := reach(address, "6379"); err != nil {
		missing(t, "Redis", err)
		return ""
	}
	return address
}
