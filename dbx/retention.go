package dbx

import (
	"context"
	"strings"
	"time"

	"github.com/oklog/ulid/v2"
	"github.com/uptrace/bun"
)

// deleteBatch is the number of rows that one statement of DeleteBefore deletes.
const deleteBatch = 1000

// DeleteBefore deletes the rows with a time in the column before the given time, 1,000 per
// statement. Ids begin with the prefix and the time of creation, so the primary key finds old rows
// without another index.
func DeleteBefore[T any](ctx context.Context, db *DB, prefix, column string, before time.Time) error {
	var end ulid.ULID
	if err := end.SetTime(ulid.Timestamp(before)); err != nil {
		return err
	}
	endID := prefix + "_" + strings.ToLower(end.String())
	for {
		old := db.NewSelect().Model((*T)(nil)).Column("id").
			Where("id < ? AND ? < ?", endID, bun.Ident(column), before).Order("id").Limit(deleteBatch)
		result, err := db.NewDelete().Model((*T)(nil)).Where("?", db.Among("id", old)).Exec(ctx)
		if err != nil {
			return Err(err)
		}
		if n, err := result.RowsAffected(); err != nil || n < deleteBatch {
			return Err(err)
		}
	}
}
