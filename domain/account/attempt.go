package account

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"math"
	"time"

	"github.com/go-redis/redis_rate/v10"

	"rostrum/errs"
)

// Limits of sign-in attempts: of an address, which several users may share, of an email from one
// address, and of an email from all addresses.
var (
	perAddress = redis_rate.Limit{Rate: 100, Burst: 100, Period: 15 * time.Minute}
	perPair    = redis_rate.Limit{Rate: 10, Burst: 10, Period: 15 * time.Minute}
	perEmail   = redis_rate.Limit{Rate: 100, Burst: 100, Period: time.Hour}
)

// knownTime is how long an address from which a user has signed in is not subject to perEmail, so
// that nobody elsewhere can lock the user out.
const knownTime = 90 * 24 * time.Hour

// CountAttempt counts a sign-in attempt of an address. Call it before reading the credentials, so
// that invalid bodies count too. It returns errs.RateLimited, or errs.Unavailable without Redis,
// because no password may be tried without a limit.
func (s *Service) CountAttempt(ctx context.Context, v SignInOrigin) error {
	return s.takeAttempt(ctx, s.addressKey(v.Address), perAddress)
}

// takeAttempt counts an attempt under a key of Redis unless the key is empty, with CountAttempt's
// errors.
func (s *Service) takeAttempt(ctx context.Context, key string, limit redis_rate.Limit) error {
	if key == "" {
		return nil
	}
	ctx, cancel := s.limitSession(ctx)
	defer cancel()
	result, err := s.limiter.Allow(ctx, key, limit)
	if err != nil {
		return noSessions(err)
	}
	if result.Allowed == 0 {
		seconds := int(math.Ceil(result.RetryAfter.Seconds()))
		return errs.New(errs.RateLimited, "too many attempts to sign in; try again in %d seconds", seconds).
			With("retry_after", seconds)
	}
	return nil
}

// takePasswordAttempt counts an attempt for an email, with CountAttempt's errors. Wrong passwords
// from other addresses do not count at an address from which the user has signed in before.
func (s *Service) takePasswordAttempt(ctx context.Context, email, address string) error {
	if email == "" {
		return nil
	}
	if err := s.takeAttempt(ctx, s.pairKey("pair", email, address), perPair); err != nil {
		return err
	}
	ctx, cancel := s.limitSession(ctx)
	defer cancel()
	known, err := s.live.Client().Exists(ctx, s.pairKey("known", email, address)).Result()
	if err != nil {
		return noSessions(err)
	}
	if known > 0 {
		return nil
	}
	return s.takeAttempt(ctx, s.pairKey("email", email, ""), perEmail)
}

// resetAttempts clears the attempts of a signed-in user from an address, which is known from now
// on. It ignores errors, because attempts expire.
func (s *Service) resetAttempts(ctx context.Context, email, address string) {
	ctx, cancel := s.limitSession(ctx)
	defer cancel()
	_ = s.limiter.Reset(ctx, s.pairKey("pair", email, address))
	_ = s.live.Client().Set(ctx, s.pairKey("known", email, address), "", knownTime).Err()
}

// pairKey returns the key of Redis for an email and an address; an email has no maximum length, so
// the key has a hash.
func (s *Service) pairKey(kind, email, address string) string {
	sum := sha256.Sum256([]byte(email + "\n" + address))
	return s.live.Key("signin:" + kind + ":" + hex.EncodeToString(sum[:16]))
}

func (s *Service) addressKey(address string) string {
	if address == "" {
		return ""
	}
	return s.live.Key("signin:from:" + address)
}
