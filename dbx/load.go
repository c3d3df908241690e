package dbx

import (
	"context"
	"strings"

	"github.com/uptrace/bun"
)

// Load calls do with the program's tables in a transaction without triggers, in which references are
// checked at the end: for tables that are filled with rows of another database. Nobody else may use
// the database.
func (db *DB) Load(ctx context.Context, do func(context.Context, Tx, []Table) error) error {
	tables, err := db.Tables(ctx)
	if err != nil {
		return err
	}
	return db.InTx(ctx, func(ctx context.Context, tx Tx) error {
		return Err(db.dialect.loading(ctx, tx, tables, func() error { return do(ctx, tx, tables) }))
	})
}

// Clear deletes the table's rows in a transaction of Load.
func (t Table) Clear(ctx context.Context, tx Tx) error {
	_, err := tx.NewRaw("DELETE FROM ?", bun.Ident(t.Name)).Exec(ctx)
	return Err(err)
}

// Insert stores rows with the values of the table's columns, in a transaction of Load.
func (t Table) Insert(ctx context.Context, db *DB, tx Tx, rows [][]any) error {
	if len(rows) == 0 {
		return nil
	}
	row := "(?" + strings.Repeat(", ?", len(t.Columns)-1) + ")"
	values := make([]any, 0, len(rows)*len(t.Columns))
	for _, row := range rows {
		values = append(values, row...)
	}
	_, err := tx.NewRaw("INSERT INTO "+quoteName(t.Name)+" ("+t.columnList()+") "+db.dialect.givenSerials+"VALUES "+
		row+strings.Repeat(", "+row, len(rows)-1), values...).Exec(ctx)
	return Err(err)
}

// withoutServerChecks makes the foreign keys deferred and disables the triggers while do runs, and
// sets the sequences to the highest values.
func withoutServerChecks(ctx context.Context, tx Tx, tables []Table, do func() error) error {
	keys, err := serverKeys(ctx, tx)
	if err != nil {
		return err
	}
	before, after := []string{"SET LOCAL " + idleTimeoutParam + " = 0"}, []string{"SET CONSTRAINTS ALL IMMEDIATE"}
	for _, key := range keys {
		alter := "ALTER TABLE " + quoteName(key.TableName) + " ALTER CONSTRAINT " + quoteName(key.KeyName)
		before, after = append(before, alter+" DEFERRABLE INITIALLY DEFERRED"), append(after, alter+" NOT DEFERRABLE")
	}
	for _, table := range tables {
		name := quoteName(table.Name)
		before, after = append(before, "ALTER TABLE "+name+" DISABLE TRIGGER USER"), append(after, "ALTER TABLE "+name+" ENABLE TRIGGER USER")
	}
	if err := runAll(ctx, tx, before); err != nil {
		return err
	}
	if err := do(); err != nil {
		return err
	}
	if err := runAll(ctx, tx, after); err != nil {
		return err
	}
	return setSequences(ctx, tx, tables)
}

// serverKey is a foreign key of a table.
type serverKey struct{ TableName, KeyName string }

func serverKeys(ctx context.Context, tx Tx) (keys []serverKey, err error) {
	err = tx.NewRaw(`SELECT c.relname AS table_name, k.conname AS key_name
FROM pg_constraint AS k JOIN pg_class AS c ON c.oid = k.conrelid
WHERE k.contype = 'f' AND NOT k.condeferrable AND k.connamespace = current_schema()::regnamespace ORDER BY 1, 2`).Scan(ctx, &keys)
	return keys, err
}

// setSequences makes the next value of each sequence higher than those that the rows have.
func setSequences(ctx context.Context, tx Tx, tables []Table) error {
	for _, table := range tables {
		for _, column := range table.Columns {
			var sequence *string
			if err := tx.NewRaw("SELECT pg_get_serial_sequence(?, ?)", quoteName(table.Name), column.Name).Scan(ctx, &sequence); err != nil {
				return err
			}
			if sequence == nil {
				continue
			}
			name := bun.Ident(column.Name)
			if _, err := tx.NewRaw("SELECT setval(?, coalesce(max(?), 1), max(?) IS NOT NULL) FROM ?", *sequence, name, name,
				bun.Ident(table.Name)).Exec(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

// withoutFileChecks drops the triggers while do runs, and then fills the text indexes that follow
// from tables. SQLite checks the references at the commit.
func withoutFileChecks(ctx context.Context, tx Tx, _ []Table, do func() error) error {
	var triggers []struct {
		Name string
		SQL  string `bun:"sql"`
	}
	if err := tx.NewRaw("SELECT name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY rowid").Scan(ctx, &triggers); err != nil {
		return err
	}
	before, after := []string{"PRAGMA defer_foreign_keys = ON"}, []string(nil)
	for _, trigger := range triggers {
		before, after = append(before, "DROP TRIGGER "+quoteName(trigger.Name)), append(after, trigger.SQL)
	}
	var indexes []struct {
		Name string
		SQL  string `bun:"sql"`
	}
	if err := tx.NewRaw("SELECT name, sql FROM sqlite_master WHERE sql LIKE 'CREATE VIRTUAL TABLE%'").Scan(ctx, &indexes); err != nil {
		return err
	}
	for _, index := range indexes {
		if name := quoteName(index.Name); strings.Contains(index.SQL, "content='") && !strings.Contains(index.SQL, "content=''") {
			after = append(after, "INSERT INTO "+name+"("+name+") VALUES ('rebuild')")
		}
	}
	if err := runAll(ctx, tx, before); err != nil {
		return err
	}
	if err := do(); err != nil {
		return err
	}
	return runAll(ctx, tx, after)
}

func runAll(ctx context.Context, tx Tx, statements []string) error {
	for _, statement := range statements {
		if _, err := tx.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}
