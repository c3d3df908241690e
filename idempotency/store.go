package idempotency

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"rostrum/dbx"
)

// storedKey is one key of a workspace and the response to its request. The key is stored as a hash and the response encrypted.
type storedKey struct {
	bun.BaseModel `bun:"table:idempotency"`

	WorkspaceID string    `bun:"workspace_id,pk"`
	KeyHash     []byte    `bun:"key_hash,pk"`
	Fingerprint []byte    `bun:"fingerprint"`
	Attempt     string    `bun:"attempt"` // fencing token of a claim
	LeaseUntil  time.Time `bun:"lease_until"`
	Response    []byte    `bun:"answer"` // encrypted; nil while the request runs
	CreatedAt   time.Time `bun:"created_at"`
}

// insertKey reports whether the key was free. It returns database errors.
func (s *Service) insertKey(ctx context.Context, r *storedKey) (bool, error) {
	result, err := s.db.NewInsert().Model(r).On("CONFLICT (workspace_id, key_hash) DO NOTHING").Exec(ctx)
	if err != nil {
		return false, dbx.Err(err)
	}
	n, err := result.RowsAffected()
	return n == 1, dbx.Err(err)
}

func (s *Service) findKey(ctx context.Context, like *storedKey) (*storedKey, error) {
	found := new(storedKey)
	err := s.db.NewSelect().Model(found).Where("workspace_id = ? AND key_hash = ?", like.WorkspaceID, like.KeyHash).Scan(ctx)
	return found, dbx.Err(err)
}

// replaceAttempt assigns the key to a new attempt; it reports false when another attempt was faster.
func (s *Service) replaceAttempt(ctx context.Context, old string, r *storedKey) (bool, error) {
	result, err := s.db.NewUpdate().Model(r).Column("fingerprint", "attempt", "lease_until", "answer", "created_at").
		Where("workspace_id = ? AND key_hash = ? AND attempt = ?", r.WorkspaceID, r.KeyHash, old).Exec(ctx)
	if err != nil {
		return false, dbx.Err(err)
	}
	n, err := result.RowsAffected()
	return n == 1, dbx.Err(err)
}

func (s *Service) storeResponse(ctx context.Context, c *Claim, sealed []byte) error {
	_, err := s.db.NewUpdate().Model((*storedKey)(nil)).Set("answer = ?", sealed).
		Where("workspace_id = ? AND key_hash = ? AND attempt = ?", c.request.WorkspaceID, hashKey(c.request.Key), c.attempt).Exec(ctx)
	return dbx.Err(err)
}

func (s *Service) deleteKey(ctx context.Context, c *Claim) error {
	_, err := s.db.NewDelete().Model((*storedKey)(nil)).
		Where("workspace_id = ? AND key_hash = ? AND attempt = ?", c.request.WorkspaceID, hashKey(c.request.Key), c.attempt).Exec(ctx)
	return dbx.Err(err)
}

// Prune deletes the keys that have expired at the given time and returns their number.
func (s *Service) Prune(ctx context.Context, now time.Time) (int64, error) {
	result, err := s.db.NewDelete().Model((*storedKey)(nil)).Where("created_at <= ?", now.Add(-Retention)).Exec(ctx)
	if err != nil {
		return 0, dbx.Err(err)
	}
	n, err := result.RowsAffected()
	return n, dbx.Err(err)
}
