package account

import (
	"context"
	"time"

	"rostrum/errs"
	"rostrum/model"
)

// Authenticate tells whose secret this is. It fails with invalid_key, key_expired or key_revoked, and without asking the
// database when the secret's checksum is wrong.
func (s *Service) Authenticate(ctx context.Context, secret string) (model.Principal, error) {
	if !wellFormed(secret) {
		return model.Principal{}, errInvalidKey
	}
	key, err := s.keyOf(ctx, secret)
	if err != nil {
		return model.Principal{}, err
	}
	now := model.Now()
	switch {
	case key.RevokedAt != nil:
		return model.Principal{}, errs.New(errs.KeyRevoked, "this key was revoked; use another one")
	case key.ExpiresAt != nil && !now.Before(*key.ExpiresAt):
		return model.Principal{}, errs.New(errs.KeyExpired, "this key's time is over; use another one")
	}
	s.touch(key, now)
	return model.Principal{WorkspaceID: key.WorkspaceID, KeyID: key.ID, Scopes: key.Scopes}, nil
}

var errInvalidKey = errs.New(errs.InvalidKey, "this is not a key of this server; check that it was copied whole")

func (s *Service) keyOf(ctx context.Context, secret string) (*model.APIKey, error) {
	hash := hashOf(secret)
	if key, ok := s.keys.Get(string(hash)); ok {
		return key, nil
	}
	key, err := s.keyByHash(ctx, hash)
	if errs.Is(err, errs.NotFound) {
		return nil, errInvalidKey
	}
	if err != nil {
		return nil, err
	}
	s.keys.Add(string(hash), key)
	return key, nil
}

// touch notes the key's use unless that was done within the last minute; when the writer is behind, the next use is noted instead.
func (s *Service) touch(key *model.APIKey, now time.Time) {
	if key.LastUsedAt != nil && now.Sub(*key.LastUsedAt) < time.Minute {
		return
	}
	select {
	case s.touched <- key:
	default:
	}
}
