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

// lockLinks keeps the links of the sessions for the transaction, in the order of their ids, and tells which are still there.
func lockLinks(ctx context.Context, db *dbx.DB, tx dbx.Tx, batch []*opening) (map[string]bool, error) {
	wanted := map[string]bool{}
	for _, o := range batch {
		wanted[o.Session.LinkID] = true
	}
	return lock(ctx, db, tx, slices.Collect(maps.Keys(wanted))...)
}

func lock(ctx context.Context, db *dbx.DB, tx dbx.Tx, ids ...string) (map[string]bool, error) {
	var found []string
	q := tx.NewSelect().Model((*model.Link)(nil)).Column("id").Where("id IN ?", bun.Tuple(ids)).Order("id")
	err := db.Locked(q).Scan(ctx, &found)
	there := make(map[string]bool, len(found))
	for _, id := range found {
		there[id] = true
	}
	return there, dbx.Err(err)
}

// insertSessions stores the sessions that are not there yet and gives those.
func insertSessions(ctx context.Context, tx dbx.Tx, batch []*opening) ([]*opening, error) {
	rows := make([]*model.LinkSession, len(batch))
	for i, o := range batch {
		rows[i] = o.Session
	}
	var ids []string
	err := tx.NewInsert().Model(&rows).On("CONFLICT (id) DO NOTHING").Returning("id").Scan(ctx, &ids)
	if err != nil {
		return nil, dbx.Err(err)
	}
	fresh := make(map[string]bool, len(ids))
	for _, id := range ids {
		fresh[id] = true
	}
	return slices.DeleteFunc(batch, func(o *opening) bool {
		is := fresh[o.Session.ID]
		delete(fresh, o.Session.ID) // a session that is twice in the batch is told of once
		return !is
	}), nil
}

// countOpens adds the new sessions to the figures of their links and of the sides of their split tests.
func countOpens(ctx context.Context, tx dbx.Tx, fresh []*opening) error {
	links, variants := map[string]int{}, map[string]int{}
	for _, o := range fresh {
		links[o.Session.LinkID]++
		if o.Session.VariantID != nil {
			variants[*o.Session.VariantID]++
		}
	}
	if err := addTo(ctx, tx, "link", "opens", links); err != nil {
		return err
	}
	return addTo(ctx, tx, "link_variant", "opens", variants)
}

// addTo adds to a column of several rows with one statement.
func addTo(ctx context.Context, tx dbx.Tx, table, column string, figures map[string]int) error {
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
