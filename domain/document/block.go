package document

import (
	"context"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/model"
)

// block counts the documents of one run in the order of their creation: those from its first place up to the next block's. A block of
// level 0 is a run of documents, one of a higher level a run of blocks of the level below, so that any place is found by adding up a few
// rows of each level. The first block of a level begins before every document. Whoever changes blocks holds the workspace's lock,
// and the documents change in the same transaction, so that a statement that reads both sees them agree.
type block struct {
	bun.BaseModel `bun:"table:document_block"`

	ID          int64     `bun:"id,pk,autoincrement"`
	WorkspaceID string    `bun:"workspace_id"`
	Level       int       `bun:"level"`
	FirstAt     time.Time `bun:"first_at"`
	FirstID     string    `bun:"first_id"`
	Documents   int       `bun:"documents"`
	Hidden      int       `bun:"hidden"`
}

const levels = 3

// The most documents of a block of level 0, and the most blocks in one of a higher level; tests have smaller ones.
var blockSize, blockFan = 128, 32

// blockOf finds the block of a level that a place lies in.
const blockOf = `(SELECT id FROM document_block WHERE workspace_id = ? AND level = ? AND (first_at, first_id) <= (?, ?)
 ORDER BY first_at DESC, first_id DESC LIMIT 1)`

// atPlace adds to the counts of the blocks that a document's place lies in, and gives them, the lowest level first; none when the
// workspace has none.
func atPlace(ctx context.Context, tx dbx.Tx, doc *model.Document, documents, hidden int) ([]*block, error) {
	path := []*block{}
	q := tx.NewUpdate().Model(&path).Set("documents = documents + ?, hidden = hidden + ?", documents, hidden).Returning("*")
	q = q.WhereGroup(" AND ", func(q *bun.UpdateQuery) *bun.UpdateQuery {
		for level := range levels {
			q = q.WhereOr("id = "+blockOf, doc.WorkspaceID, level, doc.CreatedAt, doc.ID)
		}
		return q
	})
	_, err := q.Exec(ctx)
	slices.SortFunc(path, func(a, b *block) int { return a.Level - b.Level })
	return path, err
}

// countIn counts a new document in the blocks that its place lies in, and splits those that have become too large.
func countIn(ctx context.Context, tx dbx.Tx, doc *model.Document) error {
	path, err := atPlace(ctx, tx, doc, 1, 0)
	if err != nil {
		return err
	}
	if len(path) == 0 {
		for level := range levels {
			path = append(path, &block{WorkspaceID: doc.WorkspaceID, Level: level, Documents: 1})
		}
		_, err := tx.NewInsert().Model(&path).Exec(ctx)
		return err
	}
	for _, b := range path {
		if split, err := b.split(ctx, tx); err != nil || !split {
			return err
		}
	}
	return nil
}

// countOut takes a document that was removed out of its blocks. The highest block that is empty then goes with those in it, so that what
// comes to its place is counted before it; but not the first of a level, nor one that a block above begins with.
func countOut(ctx context.Context, tx dbx.Tx, doc *model.Document, hidden bool) error {
	by := 0
	if hidden {
		by = -1
	}
	path, err := atPlace(ctx, tx, doc, -1, by)
	if err != nil {
		return err
	}
	for i, b := range slices.Backward(path) {
		if b.Documents > 0 || b.FirstID == "" || i+1 < len(path) && path[i+1].FirstID == b.FirstID {
			continue
		}
		next, err := b.next(ctx, tx)
		if err != nil {
			return err
		}
		q := tx.NewDelete().Model((*block)(nil)).Where("workspace_id = ? AND level <= ?", b.WorkspaceID, b.Level).
			Where("(first_at, first_id) >= (?, ?)", b.FirstAt, b.FirstID)
		if next != nil {
			q = q.Where("(first_at, first_id) < (?, ?)", next.FirstAt, next.FirstID)
		}
		_, err = q.Exec(ctx)
		return err
	}
	return nil
}

// next is the block behind this one; nil when it is the last of its level.
func (b *block) next(ctx context.Context, tx dbx.Tx) (*block, error) {
	found := []*block{}
	err := tx.NewSelect().Model(&found).Where("workspace_id = ? AND level = ?", b.WorkspaceID, b.Level).
		Where("(first_at, first_id) > (?, ?)", b.FirstAt, b.FirstID).Order("first_at", "first_id").Limit(1).Scan(ctx)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return found[0], nil
}

// split makes a new block of the newer parts of one that has too many: of half of them, or of an eighth at the end of the list, where
// nearly all documents are added.
func (b *block) split(ctx context.Context, tx dbx.Tx) (bool, error) {
	if b.Level == 0 && b.Documents <= blockSize {
		return false, nil
	}
	next, err := b.next(ctx, tx)
	if err != nil {
		return false, err
	}
	parts, err := b.parts(ctx, tx, next)
	if err != nil || b.Level > 0 && len(parts) <= blockFan {
		return false, err
	}
	kept := len(parts) / 2
	if next == nil {
		kept = len(parts) * 7 / 8
	}
	newer := &block{WorkspaceID: b.WorkspaceID, Level: b.Level, FirstAt: parts[kept].FirstAt, FirstID: parts[kept].FirstID}
	for _, part := range parts[kept:] {
		newer.Documents += part.Documents
		newer.Hidden += part.Hidden
	}
	b.Documents -= newer.Documents
	b.Hidden -= newer.Hidden
	if _, err := tx.NewUpdate().Model(b).Column("documents", "hidden").WherePK().Exec(ctx); err != nil {
		return false, err
	}
	_, err = tx.NewInsert().Model(newer).Exec(ctx)
	return true, err
}

// parts are the blocks of the level below that a block counts, or its documents as if each were one.
func (b *block) parts(ctx context.Context, tx dbx.Tx, next *block) ([]*block, error) {
	found := []*block{}
	q := tx.NewSelect().Table("document").ColumnExpr("created_at AS first_at, id AS first_id, 1 AS documents, CASE WHEN hidden THEN 1 ELSE 0 END AS hidden").
		Where("workspace_id = ? AND (created_at, id) >= (?, ?)", b.WorkspaceID, b.FirstAt, b.FirstID).Limit(int64(b.Documents))
	if b.Level > 0 {
		q = tx.NewSelect().Model(&found).Where("workspace_id = ? AND level = ?", b.WorkspaceID, b.Level-1).
			Where("(first_at, first_id) >= (?, ?)", b.FirstAt, b.FirstID)
		if next != nil {
			q = q.Where("(first_at, first_id) < (?, ?)", next.FirstAt, next.FirstID)
		}
	}
	err := q.Order("first_at", "first_id").Scan(ctx, &found)
	return found, err
}

// hideIn counts documents whose hidden mark has been changed in their blocks, all with one statement.
func hideIn(ctx context.Context, tx dbx.Tx, workspaceID string, ids []string, by int) error {
	_, err := tx.NewRaw(`UPDATE document_block SET hidden = hidden + ? * changed.documents FROM (
		SELECT block_id, count(*) AS documents FROM (
			SELECT (SELECT id FROM document_block AS b
				WHERE b.workspace_id = d.workspace_id AND b.level = l.level AND (b.first_at, b.first_id) <= (d.created_at, d.id)
				ORDER BY b.first_at DESC, b.first_id DESC LIMIT 1) AS block_id
			FROM document AS d CROSS JOIN (SELECT 0 AS level UNION ALL SELECT 1 UNION ALL SELECT 2) AS l
			WHERE d.workspace_id = ? AND d.id IN ?) AS placed
		GROUP BY block_id) AS changed WHERE document_block.id = changed.block_id`, by, workspaceID, bun.Tuple(ids)).Exec(ctx)
	return err
}
