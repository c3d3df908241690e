package dbx

import (
	"context"
	"slices"

	"github.com/uptrace/bun"
)

// ByIDs returns the workspace's rows of T with the ids, in no order. If columns are named, it reads
// only these.
func ByIDs[T any](ctx context.Context, db *DB, workspaceID string, ids []string, columns ...string) ([]*T, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	return ReadTogether[T](ctx, db, rowsByID[T](db, workspaceID, ids).Column(columns...))
}

// TextsByIDs is ByIDs for a table with long texts in the column text. If these texts are read and
// together exceed MaxPageText bytes, it returns errs.LimitExceeded. A single row is always read.
func TextsByIDs[T any](ctx context.Context, db *DB, workspaceID string, ids []string, text string,
	columns ...string) ([]*T, error) {
	if len(ids) < 2 || len(columns) > 0 && !slices.Contains(columns, text) {
		return ByIDs[T](ctx, db, workspaceID, ids, columns...)
	}
	sizes := rowsByID[T](db, workspaceID, ids).ColumnExpr("octet_length(?) AS size", bun.Ident(text))
	total := db.NewSelect().TableExpr("(?) AS texts", sizes).ColumnExpr("coalesce(sum(size), 0)")
	rows, err := ReadTogether[T](ctx, db, rowsByID[T](db, workspaceID, ids).Column(columns...).
		Where("(?) <= ?", total, MaxPageText))
	if err != nil || len(rows) > 0 {
		return rows, err
	}
	return rows, checkSizes(ctx, db, sizes, text, new(int64))
}

func rowsByID[T any](db *DB, workspaceID string, ids []string) *bun.SelectQuery {
	return db.NewSelect().Model((*T)(nil)).Where("workspace_id = ? AND id ?", workspaceID, AnyOf(ids))
}
