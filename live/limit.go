package live

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-redis/redis_rate/v10"
	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/time/rate"
)

const (
	// limitedCallers is how many callers a limiter remembers; who is forgotten loses at most the turns that were held for him.
	limitedCallers = 10_000
	// batchPart is the part of a minute's turns that a process takes from Redis at a time: one in so many.
	batchPart = 20
	// limitTimeout is how long a request waits for Redis to say whether it is its turn.
	limitTimeout = 250 * time.Millisecond
	// limitPause is how long a Redis that failed is not asked again.
	limitPause = time.Second
)

// Limiter gives callers turns, so many at once and as many again over each minute that follows (GCRA). All processes of a Redis
// share a caller's turns. Each takes a twentieth of a minute's turns at a time, so that most requests cost no round trip; in no
// minute do all processes together give more than what Redis gave plus one such batch each. A limit under 40 is exact.
// While Redis is away each process limits by itself, going on from the turns that it has given lately.
type Limiter struct {
	live    *Live
	redis   *redis_rate.Limiter
	callers *lru.Cache[string, *allowance]
	awayTo  atomic.Int64 // Redis is not asked before this time, in nanoseconds of the Unix epoch
}

// NewLimiter makes a limiter on the connection.
func (l *Live) NewLimiter() *Limiter {
	callers, err := lru.New[string, *allowance](limitedCallers)
	if err != nil {
		panic(err) // only a size below one fails
	}
	return &Limiter{live: l, redis: redis_rate.NewLimiter(l.client.WithTimeout(limitTimeout)), callers: callers}
}

// Turn is what a caller is told of its limit.
type Turn struct {
	Taken     bool
	Remaining int           // turns that are left at once
	Reset     time.Duration // until all of them are back
	Retry     time.Duration // until the next one; 0 when this one was taken
}

// allowance is what one process knows of a caller's turns.
type allowance struct {
	mu      sync.Mutex
	held    int           // taken from Redis and not given yet
	left    int           // what Redis had beside them
	asked   time.Time     // when it said so
	full    time.Time     // when all are back
	refused time.Time     // until when Redis has none
	own     *rate.Limiter // counts what this process gives, for when Redis is away
}

// Take asks for one turn of a caller who has so many in a minute. It never fails and waits for a quarter of a second at most,
// its tries to reach Redis again aside.
func (l *Limiter) Take(ctx context.Context, caller string, perMinute int) Turn {
	now := time.Now()
	a := l.of(caller, perMinute)
	a.mu.Lock()
	defer a.mu.Unlock()
	if now.Before(a.refused) {
		return Turn{Reset: a.full.Sub(now), Retry: a.refused.Sub(now)}
	}
	if a.held == 0 && !l.fetch(ctx, a, caller, perMinute) {
		return a.alone(now, perMinute)
	}
	if a.held == 0 {
		return Turn{Reset: a.full.Sub(now), Retry: a.refused.Sub(now)}
	}
	a.held--
	a.own.AllowN(now, 1)
	earned := int(now.Sub(a.asked).Minutes() * float64(perMinute))
	return Turn{Taken: true, Remaining: min(a.held+a.left+earned, perMinute-1), Reset: max(a.full.Sub(now), 0)}
}

func (l *Limiter) of(caller string, perMinute int) *allowance {
	if a, ok := l.callers.Get(caller); ok {
		return a
	}
	fresh := &allowance{own: rate.NewLimiter(rate.Limit(float64(perMinute)/60), perMinute)}
	if known, ok, _ := l.callers.PeekOrAdd(caller, fresh); ok {
		return known
	}
	return fresh
}

// fetch takes a batch of turns from Redis; it reports false when Redis is away.
func (l *Limiter) fetch(ctx context.Context, a *allowance, caller string, perMinute int) bool {
	if time.Now().UnixNano() < l.awayTo.Load() {
		return false
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), limitTimeout)
	defer cancel()
	batch := max(perMinute/batchPart, 1)
	result, err := l.redis.AllowAtMost(ctx, l.live.Key("limit:"+caller), redis_rate.PerMinute(perMinute), batch)
	now := time.Now()
	if err != nil {
		l.awayTo.Store(now.Add(limitPause).UnixNano())
		return false
	}
	a.held, a.left, a.asked, a.full = result.Allowed, result.Remaining, now, now.Add(result.ResetAfter)
	if result.Allowed == 0 {
		a.refused = now.Add(result.RetryAfter)
	}
	return true
}

// alone decides without Redis.
func (a *allowance) alone(now time.Time, perMinute int) Turn {
	taken := a.own.AllowN(now, 1)
	tokens := a.own.TokensAt(now)
	turn := Turn{Taken: taken, Remaining: max(int(tokens), 0), Reset: minutes((float64(perMinute) - tokens) / float64(perMinute))}
	if !taken {
		turn.Retry = minutes((1 - tokens) / float64(perMinute))
	}
	return turn
}

func minutes(n float64) time.Duration { return time.Duration(n * float64(time.Minute)) }
