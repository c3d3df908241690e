package document

import (
	"context"
	"strconv"
	"strings"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/model"
)

// part is what of a workspace's documents a list shows, and in which order.
type part struct {
	dbx.Window
	order       dbx.Order
	workspaceID string
	shown       bool // without those that are hidden
	counted     bool // with the workspace's counters
}

// cut reads a page of the workspace's documents, and its counters when they are wanted and no statement of their own is needed. In the
// order of creation a page far in is found by skipping whole blocks; any other order or filter counts off what stands before.
func (s *Service) cut(ctx context.Context, q *bun.SelectQuery, p part) ([]*model.Document, *model.Workspace, error) {
	far := p.Skip() >= blockSize && p.order.Column == newestFirst.Column
	switch {
	case far && s.db.Near():
		rows, err := s.walk(ctx, q, p)
		return rows, nil, err
	case far:
		q = s.placed(q, p)
	default:
		q = p.Apply(q)
	}
	if !p.counted || s.db.Near() {
		rows, err := dbx.Read[model.Document](ctx, s.db, q)
		return rows, nil, err
	}
	counters := s.db.NewSelect().Model((*model.Workspace)(nil)).Where("id = ?", p.workspaceID)
	w := new(model.Workspace)
	q = q.ColumnExpr("(?) AS document_count, (?) AS hidden_count", counters.Clone().Column("document_count"), counters.Column("hidden_count"))
	rows, err := dbx.ReadBeside[model.Document](ctx, s.db, q, map[string]any{"document_count": &w.DocumentCount, "hidden_count": &w.HiddenCount})
	if len(rows) == 0 {
		w = nil
	}
	return rows, w, err
}

// walk goes from level to level with a statement for each.
func (s *Service) walk(ctx context.Context, q *bun.SelectQuery, p part) (rows []*model.Document, err error) {
	rows = []*model.Document{}
	err = s.db.Snapshot(ctx, func(ctx context.Context, db bun.IDB) error {
		r := run{left: p.Skip()}
		for level := levels - 1; level >= 0; level-- {
			found := []*block{}
			in := within(db.NewSelect().Model(&found), r, "first_at", "first_id").Where("workspace_id = ? AND level = ?", p.workspaceID, level)
			if err := in.OrderExpr("first_at "+way(p.order)+", first_id "+way(p.order)).Scan(ctx, &found); err != nil {
				return err
			}
			if r = r.narrow(found, p.order.Desc, p.shown); r.first == nil {
				return nil // the page lies behind the last document
			}
		}
		if p.order.Desc { // the page may end behind its first row's block
			r.first = nil
		} else {
			r.until = nil
		}
		return p.Left(r.left).Apply(within(q.Conn(db), r, "created_at", "id")).Scan(ctx, &rows)
	})
	return rows, err
}

// run is a part of the list: from the first place of a block to that of another, and how much is left to skip in it.
type run struct {
	first, until *block // nil: without an end
	left         int
}

// narrow is the run of the one of the blocks, in the list's order, in which nothing more can be skipped whole.
func (r run) narrow(blocks []*block, desc, shown bool) run {
	for i, b := range blocks {
		own := b.Documents
		if shown {
			own -= b.Hidden
		}
		if r.left >= own {
			r.left -= own
			continue
		}
		r.first = b
		switch {
		case desc && i > 0:
			r.until = blocks[i-1]
		case !desc && i+1 < len(blocks):
			r.until = blocks[i+1]
		}
		return r
	}
	return run{}
}

// within keeps the rows of a run.
func within(q *bun.SelectQuery, r run, at, id string) *bun.SelectQuery {
	if r.first != nil {
		q = q.Where("(?, ?) >= (?, ?)", bun.Ident(at), bun.Ident(id), r.first.FirstAt, r.first.FirstID)
	}
	if r.until != nil {
		q = q.Where("(?, ?) < (?, ?)", bun.Ident(at), bun.Ident(id), r.until.FirstAt, r.until.FirstID)
	}
	return q
}

// placed orders and cuts the list as one statement, which goes from level to level by itself and begins the page at the key of its first row.
func (s *Service) placed(q *bun.SelectQuery, p part) *bun.SelectQuery {
	words := []string{"{counted}", "documents", "{shown}", "", "{order}", "ASC", "{newer}", "lead", "{from}", "(created_at, id) >= ((SELECT first_at FROM level_0), (SELECT first_id FROM level_0))"}
	if p.order.Desc {
		words[5], words[7], words[9] = "DESC", "lag", "(created_at, id) < ((SELECT until_at FROM level_0), (SELECT until_id FROM level_0))"
	}
	if p.shown {
		words[1], words[3] = "(documents - hidden)", "NOT hidden AND "
	}
	for level := levels - 1; level >= 0; level-- {
		q = q.With("level_"+strconv.Itoa(level), s.levelQuery(level, p.Skip(), p.workspaceID, words))
	}
	first := s.db.NewRaw(strings.NewReplacer(words...).Replace(firstRow), p.workspaceID, number(p.Skip()))
	return p.ApplyAt(q.With("first_row", first), "first_row")
}

// firstRow goes from the block that the page begins in to its first row.
const firstRow = `SELECT created_at, id FROM document WHERE workspace_id = ? AND {shown}{from}
 ORDER BY created_at {order}, id {order} LIMIT 1 OFFSET CAST(? AS integer) - coalesce((SELECT skipped FROM level_0), 0)`

// onLevel finds the block of a level that the page begins in: where it begins and ends, and how many documents stand before it.
const onLevel = `SELECT first_at, first_id, until_at, until_id, skipped FROM (
 SELECT first_at, first_id, {counted} AS own, {skipped} + sum({counted}) OVER (o ROWS UNBOUNDED PRECEDING) - {counted} AS skipped,
  coalesce({newer}(first_at) OVER o, {until_at}) AS until_at, coalesce({newer}(first_id) OVER o, {until_id}) AS until_id
 FROM document_block WHERE workspace_id = ? AND level = ?{within}
 WINDOW o AS (ORDER BY first_at {order}, first_id {order})
) AS blocks WHERE skipped <= CAST(? AS integer) AND skipped + own > CAST(? AS integer)`

// levelQuery looks among the blocks within the one that was found on the level above, or among all on the highest.
func (s *Service) levelQuery(level, skip int, workspaceID string, words []string) *bun.RawQuery {
	above := []string{"{skipped}", "0", "{until_at}", "'9999-12-31 00:00:00+00:00'", "{until_id}", "''", "{within}", ""}
	if level < levels-1 {
		name := "level_" + strconv.Itoa(level+1)
		above = []string{
			"{skipped}", "(SELECT skipped FROM " + name + ")",
			"{until_at}", "(SELECT until_at FROM " + name + ")", "{until_id}", "(SELECT until_id FROM " + name + ")",
			"{within}", " AND (first_at, first_id) >= ((SELECT first_at FROM " + name + "), (SELECT first_id FROM " + name + ")) AND (first_at, first_id) < ((SELECT until_at FROM " + name + "), (SELECT until_id FROM " + name + "))",
		}
	}
	text := strings.NewReplacer(append(above, words...)...).Replace(onLevel)
	return s.db.NewRaw(text, workspaceID, level, number(skip), number(skip))
}

// number gives a number as a string, so that the text of the query is the same for all of them.
func number(n int) string { return strconv.Itoa(n) }

func way(order dbx.Order) string {
	if order.Desc {
		return "DESC"
	}
	return "ASC"
}
