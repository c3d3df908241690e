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
	if _, limited := ctx.Value(textLimitKey{}).(int); limited && len(ids) > 0 {
		return ReadTogether[T](ctx, db, SelectTexts(ctx, rowsByID[T](db, workspaceID, ids), text, columns...))
	}
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

type textLimitKey struct{}

// WithTextLimit returns a context whose statements read no more of a long text than its first
// characters, one more than limit. The reader sees from its length that the text is longer.
func WithTextLimit(ctx context.Context, limit int) context.Context {
	return context.WithValue(ctx, textLimitKey{}, limit)
}

// SelectTexts adds the columns to a query of a table with long texts in the column text, of which
// it reads as much as the context's limit allows (see WithTextLimit).
func SelectTexts(ctx context.Context, q *bun.SelectQuery, text string, columns ...string) *bun.SelectQuery {
	limit, limited := ctx.Value(textLimitKey{}).(int)
	if !limited || !slices.Contains(columns, text) {
		return q.Column(columns...)
	}
	others := slices.DeleteFunc(slices.Clone(columns), func(c string) bool { return c == text })
	return q.Column(others...).ColumnExpr("substr(?0, 1, ?1) AS ?0", bun.Ident(text), limit+1)
}
