package account

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
)

func (s *Service) readWorkspace(ctx context.Context, id string) (*model.Workspace, error) {
	w := new(model.Workspace)
	if err := s.db.NewSelect().Model(w).Where("id = ?", id).Scan(ctx); err != nil {
		return nil, workspaceErr(err, id)
	}
	return w, nil
}

// LockWorkspace locks a workspace's row until the transaction ends, so that dependent changes run
// in sequence. Lock it before rows of other tables. Others can still insert rows that refer to the
// workspace, because the lock allows foreign key checks; so an earlier insert in the same
// transaction cannot deadlock with it. It returns errs.NotFound.
func (s *Service) LockWorkspace(ctx context.Context, tx dbx.Tx, id string) (*model.Workspace, error) {
	w := new(model.Workspace)
	err := s.db.ForUpdate(tx.NewSelect().Model(w).Where("id = ?", id)).Scan(ctx)
	return w, workspaceErr(err, id)
}

// workspaceErr names the workspace in the error of a statement that did not find it.
func workspaceErr(err error, id string) error {
	if err = dbx.Err(err); errs.Is(err, errs.NotFound) {
		return errs.New(errs.NotFound, "there is no workspace %s", id)
	}
	return err
}

// PlanForUpdate returns a workspace's plan and locks it for the transaction, or returns
// errs.NotFound.
func (s *Service) PlanForUpdate(ctx context.Context, tx dbx.Tx, id string) (plan model.Plan, err error) {
	q := s.db.ForUpdate(tx.NewSelect().Model((*model.Workspace)(nil)).Column("plan").Where("id = ?", id))
	return plan, dbx.Err(q.Scan(ctx, &plan))
}

func updatePlan(ctx context.Context, tx dbx.Tx, id string, plan model.Plan) error {
	_, err := tx.NewUpdate().Model((*model.Workspace)(nil)).Set("plan = ?", plan).Where("id = ?", id).Exec(ctx)
	return dbx.Err(err)
}

func (s *Service) keyByHash(ctx context.Context, hash []byte) (*model.APIKey, error) {
	key := new(model.APIKey)
	if err := s.db.NewSelect().Model(key).Where("hash = ?", hash).Scan(ctx); err != nil {
		return nil, dbx.Err(err)
	}
	return key, nil
}

// Key returns a key of the workspace, or errs.NotFound.
func (s *Service) Key(ctx context.Context, workspaceID, id string) (*model.APIKey, error) {
	key := new(model.APIKey)
	err := s.db.NewSelect().Model(key).Where("workspace_id = ? AND id = ?", workspaceID, id).Scan(ctx)
	return key, dbx.Err(err)
}

func (s *Service) keyForUpdate(ctx context.Context, tx dbx.Tx, workspaceID, id string) (*model.APIKey, error) {
	key := new(model.APIKey)
	q := tx.NewSelect().Model(key).Where("workspace_id = ? AND id = ?", workspaceID, id)
	return key, dbx.Err(s.db.ForUpdate(q).Scan(ctx))
}

func liveKeys(ctx context.Context, tx dbx.Tx, workspaceID string) (int64, error) {
	n, err := whereLive(tx.NewSelect().Model((*model.APIKey)(nil)).Where("workspace_id = ?", workspaceID)).Count(ctx)
	return n, dbx.Err(err)
}

// whereLive selects keys that are neither revoked nor expired.
func whereLive(q *bun.SelectQuery) *bun.SelectQuery {
	return q.Where("revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)", model.Now())
}

func updateKey(ctx context.Context, tx dbx.Tx, key *model.APIKey) error {
	_, err := tx.NewUpdate().Model(key).Column("expires_at", "revoked_at", "rotated_to").
		Where("workspace_id = ? AND id = ?", key.WorkspaceID, key.ID).Exec(ctx)
	return dbx.Err(err)
}

// touchKey stores a last use, never an earlier one.
func (s *Service) touchKey(ctx context.Context, key *model.APIKey, at time.Time) error {
	_, err := s.db.NewUpdate().Model((*model.APIKey)(nil)).Set("last_used_at = ?", at).
		Where("workspace_id = ? AND id = ?", key.WorkspaceID, key.ID).
		Where("last_used_at IS NULL OR last_used_at < ?", at.Add(-useInterval)).Exec(ctx)
	return dbx.Err(err)
}

// Empty reports whether no workspace exists.
func (s *Service) Empty(ctx context.Context) (bool, error) {
	found, err := s.db.NewSelect().Model((*model.Workspace)(nil)).Exists(ctx)
	return !found, dbx.Err(err)
}
