package live_test

import (
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"rostrum/live"
	"rostrum/testkit"
)

// takeAll asks for turns all at once and counts those that are given.
func takeAll(t *testing.T, limiters []*live.Limiter, caller string, perMinute, asks int) int {
	t.Helper()
	var taken atomic.Int64
	var all sync.WaitGroup
	for i := range asks {
		all.Go(func() {
			if limiters[i%len(limiters)].Take(t.Context(), caller, perMinute).Taken {
				taken.Add(1)
			}
		})
	}
	all.Wait()
	return int(taken.Load())
}

func TestLimiter(t *testing.T) {
	testkit.EachRedis(t, func(t *testing.T, kind testkit.RedisKind) {
		t.Run("a_caller_gets_its_turns_and_no_more", func(t *testing.T) {
			limiter := kind.Open(t).NewLimiter()
			for left := 2; left >= 0; left-- {
				if turn := limiter.Take(t.Context(), "ann", 3); !turn.Taken || turn.Remaining != left || turn.Reset <= 0 || turn.Retry != 0 {
					t.Errorf("with %d left the turn is %+v", left, turn)
				}
			}
			turn := limiter.Take(t.Context(), "ann", 3)
			if turn.Taken || turn.Remaining != 0 || turn.Retry <= 0 || turn.Retry > 21*time.Second || turn.Reset < turn.Retry {
				t.Errorf("the fourth of three is %+v", turn)
			}
			if turn := limiter.Take(t.Context(), "bob", 3); !turn.Taken {
				t.Error("one caller's turns were another's")
			}
		})
		t.Run("processes_share_a_callers_turns", func(t *testing.T) {
			config := kind.Config()
			first := testkit.OpenLive(t, config)
			limiters := []*live.Limiter{first.NewLimiter(), first.NewLimiter()}
			const perMinute = 200
			taken := takeAll(t, limiters, "ann", perMinute, 3*perMinute)
			// Turns come back while the test runs, and the other limiter may hold a batch.
			if taken < perMinute-perMinute/20 || taken > perMinute+perMinute/4 {
				t.Errorf("%d turns were given of %d", taken, perMinute)
			}
		})
	})
	t.Run("without_redis_each_process_limits_by_itself", func(t *testing.T) {
		t.Parallel()
		away := testkit.OpenLive(t, live.Config{Address: "redis://127.0.0.1:1", Namespace: "away"})
		limiter := away.NewLimiter()
		const perMinute = 50
		if taken := takeAll(t, []*live.Limiter{limiter}, "ann", perMinute, 4*perMinute); taken < perMinute || taken > 2*perMinute {
			t.Errorf("%d turns were given of %d", taken, perMinute)
		}
		if turn := limiter.Take(t.Context(), "bob", perMinute); !turn.Taken || turn.Remaining < perMinute-2 {
			t.Errorf("a caller's first turn is %+v", turn)
		}
	})
}

// BenchmarkTake measures a turn at the standard limit, one in thirty of which asks the embedded Redis.
func BenchmarkTake(b *testing.B) {
	limiter := testkit.OpenLive(b, live.Config{Namespace: "bench"}).NewLimiter()
	const perMinute = 600
	n := 0
	for b.Loop() {
		if !limiter.Take(b.Context(), strconv.Itoa(n/perMinute), perMinute).Taken {
			b.Fatal("refused")
		}
		n++
	}
}
