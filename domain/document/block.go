package document

import (
	"context"
	"database/sql"
	"errors"
	"strconv"
	"time"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/model"
)

// block counts the documents of one run in the order of their creation: those from its first place up to the next block's. The
// first block of a workspace begins before every document. Whoever changes blocks holds the workspace's lock, and the
// documents change in the same transaction, so that a statement that reads both sees them agree.
type block struct {
	bun.BaseModel `bun:"table:document_block"`

	ID          int64     `bun:"id,pk,autoincrement"`
	WorkspaceID string    `bun:"workspace_id"`
	FirstAt     time.Time `bun:"first_at"`
	FirstID     string    `bun:"first_id"`
	Documents   int       `bun:"documents"`
	Hidden      int       `bun:"hidden"`
}

// The most documents that a block has, and how many its older half keeps when it is split: most of them at the end of the list,
// where nearly all documents are added.
const (
	blockSize  = 256
	splitSize  = blockSize / 2
	latestSize = blockSize / 8 * 7
)

// blockOf finds the block that a place lies in.
const blockOf = `SELECT id FROM document_block WHERE workspace_id = ? AND (first_at, first_id) <= (?, ?) ORDER BY first_at DESC, first_id DESC LIMIT 1`

// countIn counts a new document in the block that its place lies in.
func countIn(ctx context.Context, tx dbx.Tx, doc *model.Document) error {
	b := new(block)
	err := tx.NewUpdate().Model(b).Set("documents = documents + 1").
		Where("id = ("+blockOf+")", doc.WorkspaceID, doc.CreatedAt, doc.ID).Returning("*").Scan(ctx)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		_, err = tx.NewInsert().Model(&block{WorkspaceID: doc.WorkspaceID, Documents: 1}).Exec(ctx)
		return err
	case err != nil || b.Documents <= blockSize:
		return err
	}
	return b.split(ctx, tx)
}

// countOut takes a document that was removed out of its block; a block that is empty then goes, but for a workspace's first.
func countOut(ctx context.Context, tx dbx.Tx, doc *model.Document, hidden bool) error {
	b := new(block)
	q := tx.NewUpdate().Model(b).Set("documents = documents - 1")
	if hidden {
		q = q.Set("hidden = hidden - 1")
	}
	err := q.Where("id = ("+blockOf+")", doc.WorkspaceID, doc.CreatedAt, doc.ID).Returning("*").Scan(ctx)
	if err != nil || b.Documents > 0 || b.FirstID == "" {
		return err
	}
	_, err = tx.NewDelete().Model(b).WherePK().Exec(ctx)
	return err
}

// split makes a new block of the newer documents of one that has become too large.
func (b *block) split(ctx context.Context, tx dbx.Tx) error {
	later, err := tx.NewSelect().Model((*block)(nil)).
		Where("workspace_id = ? AND (first_at, first_id) > (?, ?)", b.WorkspaceID, b.FirstAt, b.FirstID).Exists(ctx)
	if err != nil {
		return err
	}
	kept := splitSize
	if !later {
		kept = latestSize
	}
	from := func() *bun.SelectQuery {
		return tx.NewSelect().Model((*model.Document)(nil)).
			Where("workspace_id = ? AND (created_at, id) >= (?, ?)", b.WorkspaceID, b.FirstAt, b.FirstID)
	}
	newer := &block{WorkspaceID: b.WorkspaceID, Documents: b.Documents - kept}
	err = from().Column("created_at", "id").Order("created_at", "id").Offset(int64(kept)).Limit(1).Scan(ctx, &newer.FirstAt, &newer.FirstID)
	if err != nil {
		return err
	}
	hidden, err := from().Where("(created_at, id) < (?, ?) AND hidden", newer.FirstAt, newer.FirstID).Count(ctx)
	if err != nil {
		return err
	}
	newer.Hidden = b.Hidden - int(hidden)
	b.Documents, b.Hidden = kept, int(hidden)
	if _, err := tx.NewUpdate().Model(b).Column("documents", "hidden").WherePK().Exec(ctx); err != nil {
		return err
	}
	_, err = tx.NewInsert().Model(newer).Exec(ctx)
	return err
}

// hideIn counts documents whose hidden mark has been changed in their blocks, all with one statement.
func hideIn(ctx context.Context, tx dbx.Tx, workspaceID string, ids []string, by int) error {
	_, err := tx.NewRaw(`UPDATE document_block SET hidden = hidden + ? * changed.documents FROM (
		SELECT block_id, count(*) AS documents FROM (
			SELECT (SELECT id FROM document_block AS b WHERE b.workspace_id = d.workspace_id AND (b.first_at, b.first_id) <= (d.created_at, d.id)
				ORDER BY b.first_at DESC, b.first_id DESC LIMIT 1) AS block_id
			FROM document AS d WHERE d.workspace_id = ? AND d.id IN ?) AS placed
		GROUP BY block_id) AS changed WHERE document_block.id = changed.block_id`, by, workspaceID, bun.Tuple(ids)).Exec(ctx)
	return err
}

// cut orders and cuts a list of the workspace's documents. In the order of creation a page far in is found by skipping whole blocks, and
// begins at the key of its first row; any other order, and any filter but that of hidden documents, counts off what stands before.
func (s *Service) cut(q *bun.SelectQuery, w dbx.Window, order dbx.Order, workspaceID string, shown bool) *bun.SelectQuery {
	if w.Skip() < blockSize || order.Column != newestFirst.Column {
		return w.Apply(q)
	}
	counted, condition := "documents", ""
	if shown {
		counted, condition = "documents - hidden", "NOT hidden AND "
	}
	direction, beyond, own := "ASC", ">=", " - ("+counted+")"
	if order.Desc {
		direction, beyond, own = "DESC", "<", ""
	}
	skip := strconv.Itoa(w.Skip()) // not a number, so that the text is the same for every page
	last := s.db.NewRaw(`SELECT first_at, first_id, skipped FROM (
		SELECT first_at, first_id, sum(`+counted+`) OVER (ORDER BY first_at `+direction+`, first_id `+direction+` ROWS UNBOUNDED PRECEDING)`+own+` AS skipped
		FROM document_block WHERE workspace_id = ?) AS blocks
		WHERE skipped + ? > CAST(? AS integer) ORDER BY first_at `+direction+`, first_id `+direction+` LIMIT 1`, workspaceID, blockSize, skip)
	first := s.db.NewRaw(`SELECT created_at, id FROM document WHERE workspace_id = ? AND `+condition+`(created_at, id) `+beyond+
		` ((SELECT first_at FROM last_block), (SELECT first_id FROM last_block))
		ORDER BY created_at `+direction+`, id `+direction+` LIMIT 1
		OFFSET CAST(? AS integer) - coalesce((SELECT skipped FROM last_block), 0)`, workspaceID, skip)
	return w.ApplyAt(q.With("last_block", last).With("first_row", first), "first_row")
}
