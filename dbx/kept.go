package dbx

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/uptrace/bun"
)

// KeptTable describes rows of a table that belong to an object and are put aside while the object is
// deleted.
type KeptTable struct {
	Name string
	// Where is the condition of the rows, with ? for the object's id.
	Where string
	// Parents are the columns with ids of other tables' rows, by column, without which a row cannot
	// exist.
	Parents map[string]string
	// References are the columns with ids of other tables' rows, by column, which may be null.
	References map[string]string
}

// Read returns the object's rows as a JSON list of objects.
func (t KeptTable) Read(ctx context.Context, db *DB, tx Tx, id string) (rows json.RawMessage, err error) {
	columns, err := t.columns(ctx, tx)
	if err != nil {
		return nil, err
	}
	var text string
	err = tx.NewSelect().TableExpr("? AS r", bun.Ident(t.Name)).ColumnExpr(db.dialect.rowsToJSON(columns)).
		Where(t.Where, id).Scan(ctx, &text)
	return json.RawMessage(text), Err(err)
}

// Restore stores rows that Read returned. It leaves out rows that exist and rows without a parent,
// and clears references to rows that do not exist any more. Columns that were added since have their
// default.
func (t KeptTable) Restore(ctx context.Context, db *DB, tx Tx, rows json.RawMessage) error {
	var named []map[string]json.RawMessage
	if err := json.Unmarshal(rows, &named); err != nil || len(named) == 0 {
		return err
	}
	columns, err := t.columns(ctx, tx)
	if err != nil {
		return err
	}
	columns = slices.DeleteFunc(columns, func(name string) bool { _, ok := named[0][name]; return !ok })
	possible, err := t.possible(ctx, db, tx, columns, rows)
	if err != nil {
		return err
	}
	into := make([]any, len(columns))
	for i, name := range columns {
		into[i] = bun.Ident(name)
	}
	_, err = tx.NewRaw("INSERT INTO ? ("+strings.Repeat("?, ", len(into)-1)+"?) ? ON CONFLICT DO NOTHING",
		append(append([]any{bun.Ident(t.Name)}, into...), possible)...).Exec(ctx)
	return Err(err)
}

// possible returns a query of the columns of those rows that can be stored.
func (t KeptTable) possible(ctx context.Context, db *DB, tx Tx, columns []string, rows json.RawMessage) (*bun.SelectQuery,
	error) {
	required, err := t.requiredJSON(ctx, db, tx)
	if err != nil {
		return nil, err
	}
	q := tx.NewSelect().TableExpr(db.dialect.rowsOfJSON(t.Name, columns), string(rows)).
		Where("true") // without a condition SQLite reads ON CONFLICT as that of a join
	for _, name := range columns {
		column := bun.Ident(name)
		if table, ok := t.References[name]; ok {
			q = q.ColumnExpr("CASE WHEN EXISTS (SELECT 1 FROM ? WHERE id = r.?) THEN r.? END", bun.Ident(table), column,
				column)
			continue
		}
		if slices.Contains(required, name) {
			q = q.ColumnExpr("coalesce(r.?, 'null')", column)
			continue
		}
		q = q.ColumnExpr("r.?", column)
	}
	for _, name := range slices.Sorted(maps.Keys(t.Parents)) {
		q = q.Where("EXISTS (SELECT 1 FROM ? WHERE id = r.?)", bun.Ident(t.Parents[name]), bun.Ident(name))
	}
	return q, nil
}

// requiredJSON returns the columns that hold JSON and cannot be null. In a row that was read as
// JSON, the JSON value null cannot be told from a missing value.
func (t KeptTable) requiredJSON(ctx context.Context, db *DB, tx Tx) (columns []string, err error) {
	if db.InProcess() {
		return nil, nil // it has JSON as text
	}
	err = tx.NewRaw("SELECT attname FROM pg_attribute WHERE attrelid = ?::regclass AND attnotnull AND atttypid = 'jsonb'::regtype",
		t.Name).Scan(ctx, &columns)
	return columns, Err(err)
}

// columns returns the names of the table's columns.
func (t KeptTable) columns(ctx context.Context, tx Tx) ([]string, error) {
	rows, err := tx.NewSelect().Table(t.Name).ColumnExpr("*").Limit(0).Rows(ctx)
	if err != nil {
		return nil, Err(err)
	}
	defer func() { _ = rows.Close() }() // it has no rows
	columns, err := rows.Columns()
	return columns, cmp.Or(err, rows.Err())
}

func serverRowsToJSON([]string) string { return "coalesce(jsonb_agg(to_jsonb(r)), '[]')::text" }

func serverRowsOfJSON(table string, _ []string) string {
	return `jsonb_populate_recordset(NULL::"` + table + `", ?::jsonb) AS r`
}

func fileRowsToJSON(columns []string) string {
	var members strings.Builder
	for i, name := range columns {
		if i > 0 {
			members.WriteString(", ")
		}
		members.WriteString(`'` + name + `', r."` + name + `"`)
	}
	return "json_group_array(json_object(" + members.String() + "))"
}

func fileRowsOfJSON(_ string, columns []string) string {
	var members strings.Builder
	for i, name := range columns {
		if i > 0 {
			members.WriteString(", ")
		}
		members.WriteString(`json_extract(value, '$.` + name + `') AS "` + name + `"`)
	}
	return "(SELECT " + members.String() + " FROM json_each(?)) AS r"
}
