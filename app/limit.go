package app

import (
	"cmp"
	"context"
	"net/http"
	"strconv"
	"time"

	"rostrum/errs"
	"rostrum/platform/live"
	"rostrum/platform/principal"
	"rostrum/platform/web"
)

// limitRequest takes a token for the request and sets the rate limit headers. Keys and users have
// their own limit; other requests share their address's. It returns errs.RateLimited.
func (a *App) limitRequest(ctx context.Context, answer http.Header, r *http.Request) error {
	who, perMinute := "address:"+a.rateLimitAddress(r), a.config.RatePerAddress
	if p, err := principal.From(ctx); err == nil {
		who, perMinute = cmp.Or(p.KeyID, p.UserID), a.config.RatePerKey
	}
	if perMinute <= 0 {
		return nil
	}
	turn := a.limiter.Allow(ctx, who, perMinute)
	setRateHeaders(answer, turn, perMinute)
	if turn.Allowed {
		return nil
	}
	wait := ceilSeconds(turn.RetryAfter)
	answer.Set("Retry-After", strconv.Itoa(wait))
	return errs.New(errs.RateLimited, "more than %d requests in a minute; retry in %d s", perMinute, wait).
		With("retry_after", wait)
}

// limitPublic takes a token of the address's limit for each request.
func (a *App) limitPublic(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := a.limitRequest(r.Context(), w.Header(), r); err != nil {
			http.Error(w, errs.From(err).Message, errs.From(err).Status())
			return
		}
		next.ServeHTTP(w, r)
	})
}

// newSessionLimit returns a func that reports whether a request's address may start another viewer
// session. Its limiter is separate, so that visits do not evict the tokens of keys.
func (a *App) newSessionLimit() func(*http.Request) bool {
	perMinute := a.config.LinkSessions
	if perMinute <= 0 {
		return func(*http.Request) bool { return true }
	}
	limiter := a.live.NewLimiter()
	return func(r *http.Request) bool {
		return limiter.Allow(r.Context(), "session:"+a.rateLimitAddress(r), perMinute).Allowed
	}
}

// setRateHeaders sets the three widely supported headers of draft-ietf-httpapi-ratelimit-headers.
func setRateHeaders(answer http.Header, turn live.Decision, perMinute int) {
	answer.Set("RateLimit-Limit", strconv.Itoa(perMinute))
	answer.Set("RateLimit-Remaining", strconv.Itoa(turn.Remaining))
	answer.Set("RateLimit-Reset", strconv.Itoa(ceilSeconds(turn.ResetAfter)))
}

// ceilSeconds rounds up, so that a client that waits that long is not too early.
func ceilSeconds(d time.Duration) int { return int((d + time.Second - 1) / time.Second) }

// rateLimitAddress returns the address that limits requests without a key. An IPv6 network of 64
// bits counts as one address, because one subscriber has it.
func (a *App) rateLimitAddress(r *http.Request) string {
	address := web.ClientAddress(r, a.config.Proxies)
	switch {
	case !address.IsValid():
		return r.RemoteAddr
	case address.Is6():
		network, _ := address.Prefix(64) // 64 bits fit an IPv6 address
		return network.String()
	}
	return address.String()
}
