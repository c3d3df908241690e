package link

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/model"
)

// lockSessionLinks locks the links of the sessions, ordered by id, and returns the ids that exist.
func lockSessionLinks(ctx context.Context, db *dbx.DB, tx dbx.Tx, batch []*pendingSession) (map[string]bool, error) {
	wanted := map[string]bool{}
	for _, o := range batch {
		wanted[o.Session.LinkID] = true
	}
	return lockLinks(ctx, db, tx, slices.Collect(maps.Keys(wanted))...)
}

func lockLinks(ctx context.Context, db *dbx.DB, tx dbx.Tx, ids ...string) (map[string]bool, error) {
	var found []string
	q := tx.NewSelect().Model((*model.Link)(nil)).Column("id").Where("id IN ?", bun.Tuple(ids)).Order("id")
	err := db.ForUpdate(q).Scan(ctx, &found)
	existing := make(map[string]bool, len(found))
	for _, id := range found {
		existing[id] = true
	}
	return existing, dbx.Err(err)
}

func sessionRows(batch []*pendingSession) []*model.LinkSession {
	rows := make([]*model.LinkSession, len(batch))
	for i, o := range batch {
		rows[i] = o.Session
	}
	return rows
}

// insertJournaled stores and returns sessions after the transaction has claimed their journal rows.
// It returns a conflict if one is stored already, for example after a crash in storeOrSplit.
func insertJournaled(ctx context.Context, tx dbx.Tx, batch []*pendingSession) ([]*pendingSession, error) {
	return batch, dbx.InsertRows(ctx, tx, sessionRows(batch))
}

// insertMissing stores the sessions that are not stored yet and returns them.
func insertMissing(ctx context.Context, tx dbx.Tx, batch []*pendingSession) ([]*pendingSession, error) {
	rows := sessionRows(batch)
	var ids []string
	err := tx.NewInsert().Model(&rows).On("CONFLICT (id) DO NOTHING").Returning("id").Scan(ctx, &ids)
	if err != nil {
		return nil, dbx.Err(err)
	}
	added := make(map[string]bool, len(ids))
	for _, id := range ids {
		added[id] = true
	}
	return slices.DeleteFunc(batch, func(o *pendingSession) bool {
		isNew := added[o.Session.ID]
		delete(added, o.Session.ID) // a session that occurs twice in the batch is returned once
		return !isNew
	}), nil
}

// countOpens increments the open counts of the sessions' links and variants, and their activity and
// breakdowns.
func countOpens(ctx context.Context, tx dbx.Tx, added []*pendingSession) error {
	links, variants := map[string]int{}, map[string]int{}
	for _, o := range added {
		links[o.Session.LinkID]++
		if o.Session.VariantID != nil {
			variants[*o.Session.VariantID]++
		}
	}
	if err := addCounts(ctx, tx, "link", "opens", links); err != nil {
		return err
	}
	if err := addCounts(ctx, tx, "link_variant", "opens", variants); err != nil {
		return err
	}
	if err := addOpens(ctx, tx, added); err != nil {
		return err
	}
	return breakDownOpens(ctx, tx, added)
}

// addCounts increments a column of several rows with one statement.
func addCounts(ctx context.Context, tx dbx.Tx, table, column string, figures map[string]int) error {
	if len(figures) == 0 {
		return nil
	}
	args := []any{bun.Ident(table), bun.Ident(column)}
	for _, id := range slices.Sorted(maps.Keys(figures)) {
		args = append(args, id, figures[id])
	}
	values := strings.Repeat(", (?, ?)", len(figures))[2:]
	_, err := tx.NewRaw("UPDATE ? AS t SET ? = t.? + v.column2 FROM (VALUES "+values+") AS v WHERE t.id = v.column1",
		append([]any{args[0], args[1], args[1]}, args[2:]...)...).Exec(ctx)
	return dbx.Err(err)
}
