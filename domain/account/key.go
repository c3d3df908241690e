package account

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/platform/principal"
)

// maxKeys limits the live keys of a workspace.
const maxKeys = 100

// Keys returns one page of the workspace's keys, newest first, also revoked ones (see dbx.List).
func (s *Service) Keys(ctx context.Context, args model.PageArgs, columns ...string) (*model.ApiKeyConnection, error) {
	return newestKeys(principal.Must(ctx).WorkspaceID, columns).Page(ctx, s.db, args)
}

// newestKeys returns the list of a workspace's keys with the named columns, newest first.
func newestKeys(workspaceID string, columns []string) dbx.List[model.APIKey] {
	return dbx.List[model.APIKey]{
		Order: dbx.Order{Column: "created_at", Time: true, Desc: true}, Columns: columns,
		Key:   func(key *model.APIKey) (any, string) { return key.CreatedAt, key.ID },
		Where: func(q *bun.SelectQuery) *bun.SelectQuery { return q.Where("workspace_id = ?", workspaceID) },
	}
}

// MintKey creates a key with no more scopes than the caller's. It returns errs.InsufficientScope,
// or errs.Conflict if the workspace has 100 live keys.
func (s *Service) MintKey(ctx context.Context, in api.MintKeyInput) (*api.MintKeyPayload, error) {
	p := principal.Must(ctx)
	scopes := in.Scopes.Value()
	if len(scopes) == 0 {
		scopes = p.Scopes
	}
	for _, scope := range scopes {
		if !p.Allows(scope) {
			return nil, errs.New(errs.InsufficientScope, "a key cannot make one that may do more than itself: %s",
				scope)
		}
	}
	return s.Mint(ctx, p.WorkspaceID, p.Actor(), in.Name, scopes, in.ExpiresAt.Value())
}

// Mint creates a key for the operator. It returns errs.ValidationFailed for an expiry in the past,
// or errs.Conflict at the limit.
func (s *Service) Mint(
	ctx context.Context, workspaceID, actor, name string, scopes []model.Scope, expires *time.Time,
) (*api.MintKeyPayload, error) {
	if expires != nil && !expires.After(model.Now()) {
		return nil, errs.Invalid(errs.BodyField("out_of_range", "lies in the past", "expiresAt"))
	}
	key, secret, err := newKey(workspaceID, actor, name, scopes, expires)
	if err != nil {
		return nil, err
	}
	err = s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		if _, err := s.LockWorkspace(ctx, tx, workspaceID); err != nil {
			return err
		}
		n, err := liveKeys(ctx, tx, workspaceID)
		if err != nil {
			return err
		}
		if n >= maxKeys {
			return errs.New(errs.Conflict, "the workspace has %d keys already; revoke one first", maxKeys)
		}
		if err := insertRow(ctx, tx, key); err != nil {
			return err
		}
		return s.insertAudit(ctx, tx, workspaceID, auditRecord{Action: "key.minted", Subject: key.ID,
			Details: keyDetails(key)})
	})
	if err != nil {
		return nil, fmt.Errorf("mint key: %w", err)
	}
	return &api.MintKeyPayload{Key: key, Secret: secret}, nil
}

// keyDetails returns the audit details of a new key, without any part of its secret.
func keyDetails(key *model.APIKey) map[string]any {
	return map[string]any{"name": key.Name, "scopes": key.Scopes, "expires_at": key.ExpiresAt}
}

func newKey(workspaceID, actor, name string, scopes []model.Scope, expires *time.Time) (*model.APIKey, string, error) {
	secret, err := newSecret(secretStart)
	if err != nil {
		return nil, "", fmt.Errorf("make a secret: %w", err)
	}
	return &model.APIKey{
		ID: model.NewID(model.KeyPrefix), WorkspaceID: workspaceID, Name: name, Prefix: secret[:secretShown],
		Hash: hashOf(secret), Scopes: scopes, CreatedBy: actor, CreatedAt: model.Now(), ExpiresAt: expires,
	}, secret, nil
}

// RotateKey replaces a key by a new one with the same name, scopes and expiry. The old key stays
// valid for the overlap, but not after its own expiry. It returns errs.InvalidState for a revoked,
// expired or rotated key.
func (s *Service) RotateKey(ctx context.Context, in api.RotateKeyInput) (*api.RotateKeyPayload, error) {
	p := principal.Must(ctx)
	overlap := time.Duration(optional.ValueOr(in.OverlapSeconds.Value(), 0)) * time.Second
	var out *api.RotateKeyPayload
	err := s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) error {
		old, err := s.keyForUpdate(ctx, tx, p.WorkspaceID, in.KeyID)
		if err != nil {
			return err
		}
		out, err = s.rotateKey(ctx, tx, old, p.Actor(), overlap)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("rotate key: %w", err)
	}
	s.publishKeyChange(ctx)
	return out, nil
}

func (s *Service) rotateKey(ctx context.Context, tx dbx.Tx, old *model.APIKey, actor string,
	overlap time.Duration) (*api.RotateKeyPayload, error) {
	now := model.Now()
	switch {
	case old.RevokedAt != nil:
		return nil, errs.New(errs.InvalidState, "the key was revoked and cannot be rotated")
	case old.RotatedTo != nil:
		return nil, errs.New(errs.InvalidState, "the key was rotated already; rotate %s instead", *old.RotatedTo)
	case old.ExpiresAt != nil && !now.Before(*old.ExpiresAt):
		return nil, errs.New(errs.InvalidState, "the key has expired and cannot be rotated")
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
	if err := insertRow(ctx, tx, key); err != nil {
		return nil, err
	}
	if err := updateKey(ctx, tx, old); err != nil {
		return nil, err
	}
	details := map[string]any{"name": old.Name, "rotated_to": key.ID, "valid_until": until}
	if err := s.insertAudit(ctx, tx, old.WorkspaceID,
		auditRecord{Action: "key.rotated", Subject: old.ID, Details: details}); err != nil {
		return nil, err
	}
	return &api.RotateKeyPayload{Key: key, Secret: secret,
		Previous: &api.PreviousKey{KeyID: old.ID, ValidUntil: until}}, nil
}

// RevokeKey revokes a key in every process; again does nothing. A key cannot revoke itself if it is
// the workspace's last one: it returns errs.Conflict, because this needs a signed-in user.
func (s *Service) RevokeKey(ctx context.Context, id string) (*api.RevokeKeyPayload, error) {
	p := principal.Must(ctx)
	key, err := s.revokeKey(ctx, p.WorkspaceID, id, func(key *model.APIKey, live int64) error {
		if live == 1 && p.KeyID == key.ID {
			return errs.New(errs.Conflict, "this is the workspace's last key; mint another one first, or revoke it when signed in")
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return &api.RevokeKeyPayload{Key: key}, nil
}

// revokeKey revokes a key unless check returns an error for it and the number of live keys.
func (s *Service) revokeKey(ctx context.Context, workspaceID, id string,
	check func(key *model.APIKey, live int64) error) (key *model.APIKey, err error) {
	err = s.db.InTx(ctx, func(ctx context.Context, tx dbx.Tx) (err error) {
		if _, err := s.LockWorkspace(ctx, tx, workspaceID); err != nil {
			return err
		}
		if key, err = s.keyForUpdate(ctx, tx, workspaceID, id); err != nil || key.RevokedAt != nil {
			return err
		}
		n, err := liveKeys(ctx, tx, workspaceID)
		if err != nil {
			return err
		}
		if err := check(key, n); err != nil {
			return err
		}
		now := model.Now()
		key.RevokedAt = &now
		if err := updateKey(ctx, tx, key); err != nil {
			return err
		}
		return s.insertAudit(ctx, tx, workspaceID,
			auditRecord{Action: "key.revoked", Subject: key.ID, Details: map[string]any{"name": key.Name}})
	})
	if err != nil {
		return nil, fmt.Errorf("revoke key: %w", err)
	}
	s.publishKeyChange(ctx)
	return key, nil
}

// publishKeyChange clears the key cache of every process.
func (s *Service) publishKeyChange(ctx context.Context) {
	s.keys.Purge()
	s.live.Publish(context.WithoutCancel(ctx), revocationTopic, nil)
}

// KeyPages returns a page of keys per value of the column parent, newest first (see dbx.Nested).
func (s *Service) KeyPages(
	ctx context.Context, workspaceID, parent string, values []string, args model.PageArgs, columns ...string,
) ([]*model.Connection[model.APIKey], error) {
	return dbx.Nested[model.APIKey]{List: newestKeys(workspaceID, columns), Parent: parent}.Pages(ctx, s.db, values,
		args)
}

// KeysByID returns the workspace's keys with the ids (see dbx.ByIDs).
func (s *Service) KeysByID(ctx context.Context, workspaceID string, ids []string, columns ...string) ([]*model.APIKey,
	error) {
	return dbx.ByIDs[model.APIKey](ctx, s.db, workspaceID, ids, columns...)
}
