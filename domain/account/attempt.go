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

// perForgotten limits the links that are asked for an email from all addresses.
var perForgotten = redis_rate.Limit{Rate: 5, Burst: 5, Period: time.Hour}

// perLink limits the wrong passwords for a link from all addresses.
var perLink = redis_rate.Limit{Rate: 1000, Burst: 1000, Period: time.Hour}

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
		return tooManyAttempts(result.RetryAfter)
	}
	return nil
}

func tooManyAttempts(wait time.Duration) error {
	seconds := int(math.Ceil(wait.Seconds()))
	return errs.New(errs.RateLimited, "too many attempts to sign in; try again in %d seconds", seconds).
		With("retry_after", seconds)
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

// TryLinkPassword reports whether a password is that of a link. It limits the attempts of an address as
// those to sign in with an email are. From all addresses together only wrong passwords count, because
// many readers may open a link in the same hour. It returns CountAttempt's errors.
func (s *Service) TryLinkPassword(ctx context.Context, linkID, address, password, hash string) (bool, error) {
	pair, all := s.pairKey("link", linkID, address), s.pairKey("link", linkID, "")
	if err := s.takeAttempt(ctx, pair, perPair); err != nil {
		return false, err
	}
	if err := s.checkWrongPasswords(ctx, all); err != nil {
		return false, err
	}
	same, err := matchPassword(ctx, password, &hash)
	switch {
	case err != nil:
		return false, err
	case !same:
		return false, ignoreLimit(s.takeAttempt(ctx, all, perLink))
	}
	limited, cancel := s.limitSession(ctx)
	defer cancel()
	_ = s.limiter.Reset(limited, pair) // else it expires
	return true, nil
}

// checkWrongPasswords returns an error if the wrong passwords under a key have reached perLink.
func (s *Service) checkWrongPasswords(ctx context.Context, key string) error {
	ctx, cancel := s.limitSession(ctx)
	defer cancel()
	result, err := s.limiter.AllowN(ctx, key, perLink, 0)
	if err != nil {
		return noSessions(err)
	}
	if result.Remaining > 0 {
		return nil
	}
	return tooManyAttempts(perLink.Period / time.Duration(perLink.Rate))
}

// ignoreLimit returns an error of the limiter unless it is errs.RateLimited.
func ignoreLimit(err error) error {
	if errs.Is(err, errs.RateLimited) {
		return nil
	}
	return err
}
