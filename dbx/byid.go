package dbx

import (
	"context"
)

// ByIDs returns the workspace's rows of T's table with the ids, in no order, or only the named columns of them.
func ByIDs[T any](ctx context.Context, db *DB, workspaceID string, ids []string, columns ...string) ([]*T, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	q := db.NewSelect().Model((*T)(nil)).Column(columns...)
	return ReadTogether[T](ctx, db, q.Where("workspace_id = ? AND id ?", workspaceID, AnyOf(ids)))
}
