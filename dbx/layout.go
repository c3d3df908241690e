package dbx

import (
	"context"
	"strings"

	"github.com/uptrace/bun"
)

// Table is a table of the program and its columns. Columns that the database computes, and tables of
// libraries, are left out.
type Table struct {
	Name    string
	Columns []Column
}

// columnList returns the names of the columns as a statement has them.
func (t Table) columnList() string {
	names := make([]string, len(t.Columns))
	for i, column := range t.Columns {
		names[i] = quoteName(column.Name)
	}
	return strings.Join(names, ", ")
}

func quoteName(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// Column is a column of a table.
type Column struct {
	Name string
	Kind ColumnKind
}

// ColumnKind is what a column holds, the same for both databases.
type ColumnKind int

// The values of ColumnKind. KindPlain is text, a number, or JSON.
const (
	KindPlain ColumnKind = iota
	KindTime
	KindBytes
	KindBoolean
)

// columnKinds are the kinds of the types that the migrations declare.
var columnKinds = map[string]ColumnKind{
	"timestamp with time zone": KindTime, "timestamp": KindTime, "bytea": KindBytes, "blob": KindBytes, "boolean": KindBoolean,
}

// Tables returns the tables of the program in the order of their names.
func (db *DB) Tables(ctx context.Context) ([]Table, error) { return db.tables(ctx, db.reader) }

func (db *DB) tables(ctx context.Context, reader bun.IDB) (tables []Table, err error) {
	var rows []struct{ TableName, ColumnName, ColumnType string }
	if err := reader.NewRaw(db.dialect.layout).Scan(ctx, &rows); err != nil {
		return nil, Err(err)
	}
	for _, row := range rows {
		if isForeign(row.TableName) {
			continue
		}
		if len(tables) == 0 || tables[len(tables)-1].Name != row.TableName {
			tables = append(tables, Table{Name: row.TableName})
		}
		last := &tables[len(tables)-1]
		last.Columns = append(last.Columns, Column{row.ColumnName, columnKinds[strings.ToLower(row.ColumnType)]})
	}
	return tables, nil
}

// isForeign reports whether a table belongs to a library or to the database.
func isForeign(table string) bool {
	return strings.HasPrefix(table, "river_") || strings.HasPrefix(table, "bun_") || strings.HasPrefix(table, "sqlite_")
}

// Tables and columns are read in their order; a tsvector follows from other columns.
const (
	serverLayout = `SELECT c.table_name, c.column_name, c.data_type AS column_type
FROM information_schema.columns AS c JOIN information_schema.tables AS t USING (table_schema, table_name)
WHERE c.table_schema = current_schema() AND t.table_type = 'BASE TABLE' AND c.is_generated = 'NEVER' AND c.data_type <> 'tsvector'
ORDER BY c.table_name COLLATE "C", c.ordinal_position`
	fileLayout = `SELECT l.name AS table_name, c.name AS column_name, c.type AS column_type
FROM pragma_table_list AS l JOIN pragma_table_xinfo(l.name) AS c
WHERE l.schema = 'main' AND l.type = 'table' AND c.hidden = 0
ORDER BY l.name, c.cid`
)
