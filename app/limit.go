package app

import (
	"cmp"
	"context"
	"net/http"
	"strconv"
	"time"

	"rostrum/caller"
	"rostrum/errs"
	"rostrum/live"
	"rostrum/model"
)

// limit takes one request's turn and writes the caller's figures into the answer's headers. Who has shown a key or signed in has a
// limit of his own; everybody else shares that of his address. It fails with rate_limited.
func (a *App) limit(ctx context.Context, answer http.Header, r *http.Request) error {
	who, perMinute := "address:"+a.callerAddress(r), a.config.RatePerAddress
	if p, err := model.PrincipalFrom(ctx); err == nil {
		who, perMinute = cmp.Or(p.KeyID, p.UserID), a.config.RatePerKey
	}
	if perMinute <= 0 {
		return nil
	}
	turn := a.limiter.Take(ctx, who, perMinute)
	figures(answer, turn, perMinute)
	if turn.Taken {
		return nil
	}
	wait := seconds(turn.Retry)
	answer.Set("Retry-After", strconv.Itoa(wait))
	return errs.New(errs.RateLimited, "more than %d requests in a minute; come back in %d s", perMinute, wait).With("retry_after", wait)
}

// figures are the headers of draft-ietf-httpapi-ratelimit-headers in their widely read form of three.
func figures(answer http.Header, turn live.Turn, perMinute int) {
	answer.Set("RateLimit-Limit", strconv.Itoa(perMinute))
	answer.Set("RateLimit-Remaining", strconv.Itoa(turn.Remaining))
	answer.Set("RateLimit-Reset", strconv.Itoa(seconds(turn.Reset)))
}

// seconds rounds up, so that who waits so long has not come too early.
func seconds(d time.Duration) int { return int((d + time.Second - 1) / time.Second) }

// callerAddress is what the turns of a request without a key are counted by. An IPv6 network of 64 bits, which is what one
// subscriber has, counts as one address.
func (a *App) callerAddress(r *http.Request) string {
	address := caller.Address(r, a.config.Proxies)
	switch {
	case !address.IsValid():
		return r.RemoteAddr
	case address.Is6():
		network, _ := address.Prefix(64) //nolint:errcheck // 64 bits fit an IPv6 address
		return network.String()
	}
	return address.String()
}
