package account

import (
	"context"
	"sync/atomic"
	"time"

	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/principal"
)

// Authenticate returns the principal of a key's secret. It returns errs.InvalidKey, errs.KeyExpired
// or errs.KeyRevoked. A wrong checksum is rejected without a query.
func (s *Service) Authenticate(ctx context.Context, secret string) (principal.Principal, error) {
	if !wellFormed(secretStart, secret) {
		return principal.Principal{}, errInvalidKey
	}
	key, err := s.keyOf(ctx, secret)
	if err != nil {
		return principal.Principal{}, err
	}
	now := model.Now()
	p, err := principalOf(key.APIKey, now)
	if err == nil {
		s.recordUse(key, now)
	}
	return p, err
}

// principalOf returns the principal of a key, or errs.KeyRevoked or errs.KeyExpired.
func principalOf(key *model.APIKey, now time.Time) (principal.Principal, error) {
	switch {
	case key.RevokedAt != nil:
		return principal.Principal{}, errs.New(errs.KeyRevoked, "this key was revoked; use another one")
	case key.ExpiresAt != nil && !now.Before(*key.ExpiresAt):
		return principal.Principal{}, errs.New(errs.KeyExpired, "this key has expired; use another key")
	}
	return principal.Principal{WorkspaceID: key.WorkspaceID, KeyID: key.ID, Scopes: key.Scopes}, nil
}

// Principal returns a key, or else a member, as the principal that it is now, for work that a
// request has started. It returns errs.KeyRevoked or errs.KeyExpired for a key, and
// errs.WorkspaceMismatch for a user who is no member any more.
func (s *Service) Principal(ctx context.Context, workspaceID, keyID, userID string) (principal.Principal, error) {
	if userID == "" {
		key, err := s.Key(ctx, workspaceID, keyID)
		if errs.Is(err, errs.NotFound) {
			return principal.Principal{}, errInvalidKey
		}
		if err != nil {
			return principal.Principal{}, err
		}
		return principalOf(key, model.Now())
	}
	role, err := s.RoleOf(ctx, workspaceID, userID)
	if err == nil && role == "" {
		err = errs.New(errs.WorkspaceMismatch, "the user is not a member of this workspace any more")
	}
	return principal.Principal{WorkspaceID: workspaceID, UserID: userID, Role: role, Scopes: role.Scopes()}, err
}

// cachedKey is a key with the time, in nanoseconds, from which its next use is recorded.
type cachedKey struct {
	*model.APIKey
	nextUse atomic.Int64
}

// useInterval is how often the use of a key is stored.
const useInterval = time.Minute

var errInvalidKey = errs.New(errs.InvalidKey, "this is not a key of this server; check that it was copied whole")

func (s *Service) keyOf(ctx context.Context, secret string) (*cachedKey, error) {
	hash := hashOf(secret)
	if key, ok := s.keys.Get(string(hash)); ok {
		return key, nil
	}
	key, err := withDeadline(ctx, s.credentialTime,
		func(ctx context.Context) (*model.APIKey, error) { return s.keyByHash(ctx, hash) })
	if errs.Is(err, errs.NotFound) {
		return nil, errInvalidKey
	}
	if err != nil {
		return nil, err
	}
	cached := &cachedKey{APIKey: key}
	if key.LastUsedAt != nil {
		cached.nextUse.Store(key.LastUsedAt.Add(useInterval).UnixNano())
	}
	s.keys.Add(string(hash), cached)
	return cached, nil
}

// defaultCredentialTime is the default of Config.CredentialTime.
const defaultCredentialTime = 3 * time.Second

// withDeadline reads credentials. It returns errs.Unavailable after the time limit.
func withDeadline[T any](ctx context.Context, limit time.Duration, read func(context.Context) (T, error)) (T, error) {
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	found, err := read(limited)
	if err != nil && limited.Err() != nil && ctx.Err() == nil {
		err = errs.Wrap(err, errs.Unavailable, "the credentials could not be checked because the database does not answer; retry later")
	}
	return found, err
}

// recordUse queues the key's last use, at most once in useInterval. If the queue is full, it drops
// the use and records the next one.
func (s *Service) recordUse(key *cachedKey, now time.Time) {
	due := key.nextUse.Load()
	if now.UnixNano() < due || !key.nextUse.CompareAndSwap(due, now.Add(useInterval).UnixNano()) {
		return
	}
	select {
	case s.touched <- key.APIKey:
	default:
		key.nextUse.Store(due)
	}
}
