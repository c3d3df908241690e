package dbx

import (
	"encoding/json"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/schema"
)

// JoinSelected joins the rows of table, under the alias, that another query selects as its column
// id. That query may refer to the tables of q and runs once per row of q. Each joined row is found
// by the index of ids, whatever the planner estimates.
func (db *DB) JoinSelected(q *bun.SelectQuery, table, alias string, ids *bun.SelectQuery) *bun.SelectQuery {
	if db.InProcess() {
		return q.Join("JOIN ? AS ? ON ?.id IN (?)", bun.Ident(table), bun.Ident(alias), bun.Ident(alias), ids)
	}
	selected := bun.Ident("selected_" + alias)
	return q.Join("CROSS JOIN LATERAL (?) AS ?", ids, selected).
		Join("CROSS JOIN LATERAL (SELECT * FROM ? WHERE id = ?.id LIMIT 1) AS ?", bun.Ident(table), selected,
			bun.Ident(alias))
}

// Values returns the texts as the rows of a table with one column, for use after FROM.
func (db *DB) Values(texts []string, alias, column string) schema.QueryWithArgs {
	if db.InProcess() {
		list, _ := json.Marshal(texts) //nolint:errchkjson // texts are always valid
		return bun.SafeQuery("(SELECT value AS ? FROM json_each(?)) AS ?", bun.Ident(column), string(list),
			bun.Ident(alias))
	}
	return bun.SafeQuery("unnest(ARRAY[?]::text[]) AS ? (?)", bun.List(texts), bun.Ident(alias), bun.Ident(column))
}

// Unindexed returns a column whose index is not used. SQLite has no statistics, so it may otherwise
// prefer this index to a more selective one.
func (db *DB) Unindexed(alias, column string) schema.QueryWithArgs {
	if db.InProcess() {
		return bun.SafeQuery("+?.?", bun.Ident(alias), bun.Ident(column))
	}
	return bun.SafeQuery("?.?", bun.Ident(alias), bun.Ident(column))
}
