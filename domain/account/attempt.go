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

// Limits of sign-in attempts, per user and per address, which several users may share.
var (
	perEmail   = redis_rate.Limit{Rate: 10, Burst: 10, Period: 15 * time.Minute}
	perAddress = redis_rate.Limit{Rate: 100, Burst: 100, Period: 15 * time.Minute}
)

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

// resetAttempts clears the attempts of a signed-in user. It ignores errors, because attempts
// expire.
func (s *Service) resetAttempts(ctx context.Context, email string) {
	ctx, cancel := s.limitSession(ctx)
	defer cancel()
	_ = s.limiter.Reset(ctx, s.emailKey(email))
}

func (s *Service) emailKey(email string) string {
	if email == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(email)) // the length of an email is not limited
	return s.live.Key("signin:email:" + hex.EncodeToString(sum[:16]))
}

func (s *Service) addressKey(address string) string {
	if address == "" {
		return ""
	}
	return s.live.Key("signin:from:" + address)
}
