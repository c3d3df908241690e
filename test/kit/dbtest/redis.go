package dbtest

import (
	"testing"

	"rostrum/model"
	"rostrum/platform/live"
)

// defaultRedis is tried when TEST_REDIS_URL is not set.
const defaultRedis = "redis://127.0.0.1:6379"

// RedisAddress returns the address of the Redis server to test on, or "" without one.
func RedisAddress(t testing.TB) string {
	t.Helper()
	return serviceAddress(t, "Redis", "TEST_REDIS_URL", defaultRedis, "6379")
}

// RedisKind is one kind of Redis that a test runs on.
type RedisKind struct {
	Name    string
	address string
}

// Config returns a config with a namespace of its own. On a real Redis, connections share
// notifications when they share a Config.
func (k RedisKind) Config() live.Config {
	return live.Config{Address: k.address, Namespace: model.NewID("test")}
}

// Open connects to the Redis under a namespace of its own, until the end of the test.
func (k RedisKind) Open(t testing.TB) *live.Live { return OpenLive(t, k.Config()) }

// OpenLive connects to Redis until the end of the test.
func OpenLive(t testing.TB, config live.Config) *live.Live {
	t.Helper()
	l, err := live.Open(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

// RedisKinds lists the available kinds of Redis: always the embedded one, and the server unless
// none answers, which is printed once. With ROSTRUM_TEST_REQUIRE set, as in CI, a missing server
// fails the test.
func RedisKinds(t testing.TB) []RedisKind {
	list := []RedisKind{{Name: "embedded"}}
	if address := RedisAddress(t); address != "" {
		list = append(list, RedisKind{"redis", address})
	}
	return list
}

// EachRedis runs the test on every available kind of Redis.
func EachRedis(t *testing.T, test func(*testing.T, RedisKind)) {
	t.Helper()
	for _, k := range RedisKinds(t) {
		t.Run(k.Name, func(t *testing.T) {
			t.Parallel()
			test(t, k)
		})
	}
}
