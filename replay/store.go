package replay

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"rostrum/dbx"
)

// row is one key of a workspace, with the answer once there is one. Neither the key nor the answer stands in it in clear.
type row struct {
	bun.BaseModel `bun:"table:idempotency"`

	WorkspaceID string    `bun:"workspace_id,pk"`
	KeyHash     []byte    `bun:"key_hash,pk"`
	Fingerprint []byte    `bun:"fingerprint"`
	Attempt     string    `bun:"attempt"` // fences a claim that was lost
	LeaseUntil  time.Time `bun:"lease_until"`
	Answer      []byte    `bun:"answer"` // sealed; nil while the request runs
	CreatedAt   time.Time `bun:"created_at"`
}

// insert reports whether the key was free.
func (s *Service) insert(ctx context.Context, r *row) (bool, error) {
	result, err := s.db.NewInsert().Model(r).On("CONFLICT (workspace_id, key_hash) DO NOTHING").Exec(ctx)
	if err != nil {
		return false, dbx.Err(err)
	}
	n, err := result.RowsAffected()
	return n == 1, dbx.Err(err)
}

func (s *Service) find(ctx context.Context, like *row) (*row, error) {
	found := new(row)
	err := s.db.NewSelect().Model(found).Where("workspace_id = ? AND key_hash = ?", like.WorkspaceID, like.KeyHash).Scan(ctx)
	return found, dbx.Err(err)
}

// replace gives the key to a new attempt; it reports false when another was faster.
func (s *Service) replace(ctx context.Context, old string, r *row) (bool, error) {
	result, err := s.db.NewUpdate().Model(r).Column("fingerprint", "attempt", "lease_until", "answer", "created_at").
		Where("workspace_id = ? AND key_hash = ? AND attempt = ?", r.WorkspaceID, r.KeyHash, old).Exec(ctx)
	if err != nil {
		return false, dbx.Err(err)
	}
	n, err := result.RowsAffected()
	return n == 1, dbx.Err(err)
}

func (s *Service) finish(ctx context.Context, c *Claim, sealed []byte) error {
	_, err := s.db.NewUpdate().Model((*row)(nil)).Set("answer = ?", sealed).
		Where("workspace_id = ? AND key_hash = ? AND attempt = ?", c.request.WorkspaceID, hashOf(c.request.Key), c.attempt).Exec(ctx)
	return dbx.Err(err)
}

func (s *Service) remove(ctx context.Context, c *Claim) error {
	_, err := s.db.NewDelete().Model((*row)(nil)).
		Where("workspace_id = ? AND key_hash = ? AND attempt = ?", c.request.WorkspaceID, hashOf(c.request.Key), c.attempt).Exec(ctx)
	return dbx.Err(err)
}

// Prune removes what has been kept long enough at a time and gives the number of keys that it forgot.
func (s *Service) Prune(ctx context.Context, now time.Time) (int64, error) {
	result, err := s.db.NewDelete().Model((*row)(nil)).Where("created_at <= ?", now.Add(-Kept)).Exec(ctx)
	if err != nil {
		return 0, dbx.Err(err)
	}
	n, err := result.RowsAffected()
	return n, dbx.Err(err)
}
