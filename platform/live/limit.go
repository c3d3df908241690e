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
	// limitedCallers is how many callers a limiter stores. An evicted caller loses at most the
	// tokens reserved for it.
	limitedCallers = 10_000
	// batchFraction is the fraction of a minute's tokens that a process fetches from Redis at once:
	// 1/batchFraction.
	batchFraction = 20
	// limitTimeout limits the time that a request waits for Redis.
	limitTimeout = 250 * time.Millisecond
	// limitRetryDelay is the delay before Redis is asked again after an error.
	limitRetryDelay = time.Second
)

// Limiter limits the requests per minute of each caller (GCRA). All processes of a Redis share a
// caller's tokens. Each fetches a twentieth of a minute's tokens at a time, so that most requests
// cost no round trip. In any minute, all processes together allow at most the limit plus one such
// batch per process; a limit under 40 is exact. While Redis is down each process limits by itself,
// counting the tokens that it used recently.
type Limiter struct {
	live      *Live
	redis     *redis_rate.Limiter
	callers   *lru.Cache[string, *tokenBucket]
	downUntil atomic.Int64 // Redis is not asked before this time; nanoseconds since the Unix epoch
}

// NewLimiter returns a limiter that uses the connection.
func (l *Live) NewLimiter() *Limiter {
	callers, err := lru.New[string, *tokenBucket](limitedCallers)
	if err != nil {
		panic(err) // only for a size below 1
	}
	return &Limiter{live: l, redis: redis_rate.NewLimiter(l.client.WithTimeout(limitTimeout)), callers: callers}
}

// Decision is the result of a request to the limiter.
type Decision struct {
	Allowed    bool
	Remaining  int           // tokens that are left
	ResetAfter time.Duration // time until all tokens are available
	RetryAfter time.Duration // time until the next token; 0 if the request is allowed
}

// tokenBucket is the state of a caller in one process.
type tokenBucket struct {
	mu      sync.Mutex
	held    int           // fetched from Redis and not used yet
	left    int           // tokens left in Redis after the last fetch
	asked   time.Time     // time of the last fetch
	full    time.Time     // time at which all tokens are available
	refused time.Time     // Redis has no token before this time
	own     *rate.Limiter // counts the tokens used here, for times without Redis
}

// Allow takes one of a caller's tokens. It returns no error and waits at most 250 ms, except to
// reconnect to Redis.
func (l *Limiter) Allow(ctx context.Context, caller string, perMinute int) Decision {
	now := time.Now()
	a := l.bucketOf(caller, perMinute)
	a.mu.Lock()
	defer a.mu.Unlock()
	if now.Before(a.refused) {
		return Decision{ResetAfter: a.full.Sub(now), RetryAfter: a.refused.Sub(now)}
	}
	if a.held == 0 && !l.fetchTokens(ctx, a, caller, perMinute) {
		return a.decideLocally(now, perMinute)
	}
	if a.held == 0 {
		return Decision{ResetAfter: a.full.Sub(now), RetryAfter: a.refused.Sub(now)}
	}
	a.held--
	a.own.AllowN(now, 1)
	earned := int(now.Sub(a.asked).Minutes() * float64(perMinute))
	return Decision{Allowed: true, Remaining: min(a.held+a.left+earned, perMinute-1),
		ResetAfter: max(a.full.Sub(now), 0)}
}

func (l *Limiter) bucketOf(caller string, perMinute int) *tokenBucket {
	if a, ok := l.callers.Get(caller); ok {
		return a
	}
	fresh := &tokenBucket{own: rate.NewLimiter(rate.Limit(float64(perMinute)/60), perMinute)}
	if known, ok, _ := l.callers.PeekOrAdd(caller, fresh); ok {
		return known
	}
	return fresh
}

// fetchTokens fetches a batch of tokens from Redis; it returns false while Redis is down.
func (l *Limiter) fetchTokens(ctx context.Context, a *tokenBucket, caller string, perMinute int) bool {
	if time.Now().UnixNano() < l.downUntil.Load() {
		return false
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), limitTimeout)
	defer cancel()
	batch := max(perMinute/batchFraction, 1)
	result, err := l.redis.AllowAtMost(ctx, l.live.Key("limit:"+caller), redis_rate.PerMinute(perMinute), batch)
	now := time.Now()
	if err != nil {
		l.downUntil.Store(now.Add(limitRetryDelay).UnixNano())
		return false
	}
	a.held, a.left, a.asked, a.full = result.Allowed, result.Remaining, now, now.Add(result.ResetAfter)
	if result.Allowed == 0 {
		a.refused = now.Add(result.RetryAfter)
	}
	return true
}

// decideLocally decides without Redis.
func (a *tokenBucket) decideLocally(now time.Time, perMinute int) Decision {
	allowed := a.own.AllowN(now, 1)
	tokens := a.own.TokensAt(now)
	decision := Decision{Allowed: allowed, Remaining: max(int(tokens), 0),
		ResetAfter: durationOfMinutes((float64(perMinute) - tokens) / float64(perMinute))}
	if !allowed {
		decision.RetryAfter = durationOfMinutes((1 - tokens) / float64(perMinute))
	}
	return decision
}

func durationOfMinutes(n float64) time.Duration { return time.Duration(n * float64(time.Minute)) }
