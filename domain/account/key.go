package account

import (
	"context"
	"fmt"
	"time"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
)

// maxKeys bounds the live keys of one workspace.
const maxKeys = 100

// Keys lists the caller's workspace's keys, newest first, revoked ones included.
func (s *Service) Keys(ctx context.Context) ([]*model.APIKey, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	return s.keysOf(ctx, p.WorkspaceID)
}

// MintKey makes a key no wider than its maker's own; 100 keys may live in one workspace at a time.
func (s *Service) MintKey(ctx context.Context, in model.MintKeyInput) (*model.MintKeyPayload, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	scopes := in.Scopes.Value()
	if len(scopes) == 0 {
		scopes = p.Scopes
	}
	for _, scope := range scopes {
		if !p.Allows(scope) {
			return nil, errs.New(errs.InsufficientScope, "a key cannot make one that may do more than itself: %s", scope)
		}
	}
	return s.Mint(ctx, p.WorkspaceID, p.Actor(), in.Name, scopes, in.ExpiresAt.Value())
}

// Mint makes a key for a workspace on the operator's word.
func (s *Service) Mint(
	ctx context.Context, workspaceID, actor, name string, scopes []model.Scope, expires *time.Time,
) (*model.MintKeyPayload, error) {
	if expires != nil && !expires.After(model.Now()) {
		return nil, errs.Invalid(errs.BodyField("out_of_range", "lies in the past", "expiresAt"))
	}
	key, secret, err := newKey(workspaceID, actor, name, scopes, expires)
	if err != nil {
		return nil, err
	}
	err = s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		if err := s.lockWorkspace(ctx, tx, workspaceID); err != nil {
			return err
		}
		n, err := liveKeys(ctx, tx, workspaceID)
		if err != nil {
			return err
		}
		if n >= maxKeys {
			return errs.New(errs.Conflict, "the workspace has %d keys already; revoke one first", maxKeys)
		}
		if err := insert(ctx, tx, key); err != nil {
			return err
		}
		return note(ctx, tx, workspaceID, noted{Action: "key.minted", Subject: key.ID, Details: about(key)})
	})
	if err != nil {
		return nil, fmt.Errorf("mint key: %w", err)
	}
	return &model.MintKeyPayload{Key: key, Secret: secret}, nil
}

// about is what the audit log says of a new key: not a character of its secret.
func about(key *model.APIKey) map[string]any {
	return map[string]any{"name": key.Name, "scopes": key.Scopes, "expires_at": key.ExpiresAt}
}

func newKey(workspaceID, actor, name string, scopes []model.Scope, expires *time.Time) (*model.APIKey, string, error) {
	secret, err := newSecret()
	if err != nil {
		return nil, "", fmt.Errorf("make a secret: %w", err)
	}
	return &model.APIKey{
		ID: model.NewID(model.KeyPrefix), WorkspaceID: workspaceID, Name: name, Prefix: secret[:secretShown],
		Hash: hashOf(secret), Scopes: scopes, CreatedBy: actor, CreatedAt: model.Now(), ExpiresAt: expires,
	}, secret, nil
}

// RotateKey replaces a key by one with the same name, scopes and expiry. The old one lives on for the overlap, but never
// beyond its own expiry; a revoked or already rotated key fails with invalid_state.
func (s *Service) RotateKey(ctx context.Context, id string, in *model.RotateKeyInput) (*model.RotateKeyPayload, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	var overlap time.Duration
	if in != nil {
		if seconds := in.OverlapSeconds.Value(); seconds != nil {
			overlap = time.Duration(*seconds) * time.Second
		}
	}
	var out *model.RotateKeyPayload
	err = s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		old, err := s.keyForUpdate(ctx, tx, p.WorkspaceID, id)
		if err != nil {
			return err
		}
		out, err = rotate(ctx, tx, old, p.Actor(), overlap)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("rotate key: %w", err)
	}
	s.tell(ctx)
	return out, nil
}

func rotate(ctx context.Context, tx dbx.Tx, old *model.APIKey, actor string, overlap time.Duration) (*model.RotateKeyPayload, error) {
	now := model.Now()
	switch {
	case old.RevokedAt != nil:
		return nil, errs.New(errs.InvalidState, "the key was revoked and cannot be rotated")
	case old.RotatedTo != nil:
		return nil, errs.New(errs.InvalidState, "the key was rotated already; rotate %s instead", *old.RotatedTo)
	case old.ExpiresAt != nil && !now.Before(*old.ExpiresAt):
		return nil, errs.New(errs.InvalidState, "the key's time is over and it cannot be rotated")
	}
	key, secret, err := newKey(old.WorkspaceID, actor, old.Name, old.Scopes, old.ExpiresAt)
	if err != nil {
		return nil, err
	}
	until := now.Add(overlap)
	if old.ExpiresAt != nil && old.ExpiresAt.Before(until) {
		until = *old.ExpiresAt
	}
	old.RotatedTo, old.ExpiresAt = &key.ID, &until
	if overlap == 0 {
		old.RevokedAt = &now
	}
	if err := insert(ctx, tx, key); err != nil {
		return nil, err
	}
	if err := updateKey(ctx, tx, old); err != nil {
		return nil, err
	}
	details := map[string]any{"name": old.Name, "rotated_to": key.ID, "valid_until": until}
	if err := note(ctx, tx, old.WorkspaceID, noted{Action: "key.rotated", Subject: old.ID, Details: details}); err != nil {
		return nil, err
	}
	return &model.RotateKeyPayload{Key: key, Secret: secret, Previous: &model.PreviousKey{ID: old.ID, ValidUntil: until}}, nil
}

// RevokeKey ends a key at once, in every process; ending an ended key changes nothing. A key cannot revoke the workspace's
// last one, itself: that fails with conflict and needs a signed-in user.
func (s *Service) RevokeKey(ctx context.Context, id string) (*model.RevokeKeyPayload, error) {
	p, err := model.PrincipalFrom(ctx)
	if err != nil {
		return nil, err
	}
	var key *model.APIKey
	err = s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		if err := s.lockWorkspace(ctx, tx, p.WorkspaceID); err != nil {
			return err
		}
		if key, err = s.keyForUpdate(ctx, tx, p.WorkspaceID, id); err != nil || key.RevokedAt != nil {
			return err
		}
		n, err := liveKeys(ctx, tx, p.WorkspaceID)
		if err != nil {
			return err
		}
		if n == 1 && p.KeyID == key.ID {
			return errs.New(errs.Conflict, "this is the workspace's last key; mint another one first, or revoke it when signed in")
		}
		now := model.Now()
		key.RevokedAt = &now
		if err := updateKey(ctx, tx, key); err != nil {
			return err
		}
		return note(ctx, tx, p.WorkspaceID, noted{Action: "key.revoked", Subject: key.ID, Details: map[string]any{"name": key.Name}})
	})
	if err != nil {
		return nil, fmt.Errorf("revoke key: %w", err)
	}
	s.tell(ctx)
	return &model.RevokeKeyPayload{Key: key}, nil
}

// tell makes every process forget what it knows of keys.
func (s *Service) tell(ctx context.Context) {
	s.keys.Purge()
	s.live.Publish(context.WithoutCancel(ctx), revocations, nil)
}
