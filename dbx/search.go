package dbx

import "github.com/uptrace/bun"

// Matching keeps the rows of a table whose indexed text has every one of the words.
func (db *DB) Matching(q *bun.SelectQuery, table, words string) *bun.SelectQuery {
	return db.dialect.matches(q, table, words)
}

// MatchingAny keeps the rows of a table whose indexed text has at least one of the words.
func (db *DB) MatchingAny(q *bun.SelectQuery, table string, words []string) *bun.SelectQuery {
	return db.dialect.matchesAny(q, table, words)
}

// Containing keeps the rows whose JSON list in the column holds the string.
func (db *DB) Containing(q *bun.SelectQuery, column, value string) *bun.SelectQuery {
	return q.Where(db.dialect.contains, bun.Ident(column), value)
}

// Lacking keeps the rows whose JSON list in the column does not hold the string.
func (db *DB) Lacking(q *bun.SelectQuery, column, value string) *bun.SelectQuery {
	return q.Where("NOT ("+db.dialect.contains+")", bun.Ident(column), value)
}

// Locked keeps the selected rows for the transaction: nobody else changes them before it ends. A file has one writer anyway.
func (db *DB) Locked(q *bun.SelectQuery) *bun.SelectQuery {
	if db.dialect.lock == "" {
		return q
	}
	return q.For(db.dialect.lock)
}
