package live_test

import (
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"rostrum/platform/live"
	"rostrum/test/kit/dbtest"
)

// allowAll requests tokens concurrently and counts the allowed requests.
func allowAll(t *testing.T, limiters []*live.Limiter, caller string, perMinute, asks int) int {
	t.Helper()
	var taken atomic.Int64
	var all sync.WaitGroup
	for i := range asks {
		all.Go(func() {
			if limiters[i%len(limiters)].Allow(t.Context(), caller, perMinute).Allowed {
				taken.Add(1)
			}
		})
	}
	all.Wait()
	return int(taken.Load())
}

func TestLimiter(t *testing.T) {
	dbtest.EachRedis(t, func(t *testing.T, kind dbtest.RedisKind) {
		t.Run("a_caller_is_limited_to_its_tokens", func(t *testing.T) {
			limiter := kind.Open(t).NewLimiter()
			for left := 2; left >= 0; left-- {
				if decision := limiter.Allow(t.Context(), "ann", 3); !decision.Allowed || decision.Remaining != left ||
					decision.ResetAfter <= 0 || decision.RetryAfter != 0 {
					t.Errorf("with %d left the decision is %+v", left, decision)
				}
			}
			decision := limiter.Allow(t.Context(), "ann", 3)
			if decision.Allowed || decision.Remaining != 0 || decision.RetryAfter <= 0 ||
				decision.RetryAfter > 21*time.Second || decision.ResetAfter < decision.RetryAfter {
				t.Errorf("the fourth decision of three tokens is %+v", decision)
			}
			if decision := limiter.Allow(t.Context(), "bob", 3); !decision.Allowed {
				t.Error("callers share tokens")
			}
		})
		t.Run("processes_share_a_callers_tokens", func(t *testing.T) {
			config := kind.Config()
			first := dbtest.OpenLive(t, config)
			limiters := []*live.Limiter{first.NewLimiter(), first.NewLimiter()}
			const perMinute = 200
			taken := allowAll(t, limiters, "ann", perMinute, 3*perMinute)
			// Tokens are refilled while the test runs, and the other limiter may hold a batch.
			if taken < perMinute-perMinute/20 || taken > perMinute+perMinute/4 {
				t.Errorf("%d requests were allowed, the limit is %d", taken, perMinute)
			}
		})
	})
	t.Run("without_redis_each_process_limits_by_itself", func(t *testing.T) {
		t.Parallel()
		away := dbtest.OpenLive(t, live.Config{Address: "redis://127.0.0.1:1", Namespace: "away"})
		limiter := away.NewLimiter()
		const perMinute = 50
		if taken := allowAll(t, []*live.Limiter{limiter}, "ann", perMinute, 4*perMinute); taken < perMinute ||
			taken > 2*perMinute {
			t.Errorf("%d requests were allowed, the limit is %d", taken, perMinute)
		}
		if decision := limiter.Allow(t.Context(), "bob", perMinute); !decision.Allowed ||
			decision.Remaining < perMinute-2 {
			t.Errorf("a caller's first decision is %+v", decision)
		}
	})
}

// BenchmarkTake measures a token at the default limit: one query of the embedded Redis per thirty.
func BenchmarkTake(b *testing.B) {
	limiter := dbtest.OpenLive(b, live.Config{Namespace: "bench"}).NewLimiter()
	const perMinute = 600
	n := 0
	for b.Loop() {
		if !limiter.Allow(b.Context(), strconv.Itoa(n/perMinute), perMinute).Allowed {
			b.Fatal("the request was denied")
		}
		n++
	}
}
