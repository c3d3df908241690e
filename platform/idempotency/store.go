package idempotency

import (
	"context"
	"database/sql"
	"time"

	"github.com/uptrace/bun"

	"rostrum/dbx"
)

// storedKey is one key of a workspace and the response to its request. The key is hashed, the
// response encrypted.
type storedKey struct {
	bun.BaseModel `bun:"table:idempotency"`

	WorkspaceID string    `bun:"workspace_id,pk"`
	KeyHash     []byte    `bun:"key_hash,pk"`
	Fingerprint []byte    `bun:"fingerprint"`
	Attempt     string    `bun:"attempt"` // fencing token of a claim
	LeaseUntil  time.Time `bun:"lease_until"`
	Response    []byte    `bun:"answer"`    // encrypted; nil while the request runs, and if the response is not kept
	Committed   bool      `bun:"committed"` // a transaction of the attempt was committed
	CreatedAt   time.Time `bun:"created_at"`
}

// isLeased reports whether a claim excludes others. A lease that ends much later than a new one
// would counts as ended, because it was written with a clock that was ahead. A little later is
// normal: the claim is concurrent, or another process's clock differs a little.
func (r *storedKey) isLeased(now time.Time) bool {
	left := r.LeaseUntil.Sub(now)
	return left > 0 && left <= 2*leaseDuration
}

// insertKey reports whether the key was free. It returns database errors.
func (s *Service) insertKey(ctx context.Context, r *storedKey) (bool, error) {
	return reportChanged(s.db.NewInsert().Model(r).On("CONFLICT (workspace_id, key_hash) DO NOTHING").Exec(ctx))
}

func (s *Service) findKey(ctx context.Context, like *storedKey) (*storedKey, error) {
	found := new(storedKey)
	err := s.db.NewSelect().Model(found).Where("workspace_id = ? AND key_hash = ?", like.WorkspaceID, like.KeyHash).
		Scan(ctx)
	return found, dbx.Err(err)
}

// replaceAttempt assigns the key to a new attempt. It reports false if another attempt was faster,
// or if a key that has not expired has committed. It waits for an open transaction of the old
// attempt.
func (s *Service) replaceAttempt(ctx context.Context, known, r *storedKey, expired bool) (bool, error) {
	q := s.db.NewUpdate().Model(r).Column("fingerprint", "attempt", "lease_until", "answer", "committed", "created_at").
		Where("workspace_id = ? AND key_hash = ? AND attempt = ?", r.WorkspaceID, r.KeyHash, known.Attempt)
	if !expired {
		q = q.Where("NOT committed")
	}
	return reportChanged(q.Exec(ctx))
}

// reportChanged reports whether a statement changed a row.
func reportChanged(result sql.Result, err error) (bool, error) {
	if err != nil {
		return false, dbx.Err(err)
	}
	n, err := result.RowsAffected()
	return n > 0, dbx.Err(err)
}

// ownRow restricts a statement to the row of a claim that no other attempt has replaced.
func ownRow[Q interface{ Where(string, ...any) Q }](q Q, c *Claim) Q {
	return q.Where("workspace_id = ? AND key_hash = ? AND attempt = ?", c.request.WorkspaceID, hashKey(c.request.Key),
		c.attempt)
}

func (s *Service) storeResponse(ctx context.Context, c *Claim, sealed []byte) error {
	_, err := ownRow(s.db.NewUpdate().Model((*storedKey)(nil)).Set("answer = ?", sealed), c).Exec(ctx)
	return dbx.Err(err)
}

// markCommitted records in a transaction of the claim that it was committed. It reports false if
// another attempt has replaced the claim.
func markCommitted(ctx context.Context, tx dbx.Tx, c *Claim) (bool, error) {
	return reportChanged(ownRow(tx.NewUpdate().Model((*storedKey)(nil)).Set("committed = ?", true), c).Exec(ctx))
}

// deleteKey deletes the key unless a transaction of the claim was committed, and reports whether it
// did. It waits for a transaction with a commit in doubt.
func (s *Service) deleteKey(ctx context.Context, c *Claim) (bool, error) {
	return reportChanged(ownRow(s.db.NewDelete().Model((*storedKey)(nil)), c).Where("NOT committed").Exec(ctx))
}

// extendLease renews the lease of a claim, unless it has ended or another claim has replaced this
// one.
func (s *Service) extendLease(ctx context.Context, c *Claim) error {
	now := s.db.Now()
	_, err := ownRow(s.db.NewUpdate().Model((*storedKey)(nil)).Set("lease_until = ?", now.Add(leaseDuration)), c).
		Where("lease_until > ?", now).Exec(ctx)
	return dbx.Err(err)
}

// endLease ends the lease of a claim without a kept response.
func (s *Service) endLease(ctx context.Context, c *Claim) error {
	_, err := ownRow(s.db.NewUpdate().Model((*storedKey)(nil)).Set("lease_until = ?", s.db.Now()), c).Exec(ctx)
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
