package dbx

import (
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/schema"
)

// Matching selects the rows of a table whose indexed text has every word.
func (db *DB) Matching(q *bun.SelectQuery, table, words string) *bun.SelectQuery {
	return db.dialect.matches(q, table, words)
}

// MatchingAny selects the rows of a table whose indexed text has at least one of the words.
func (db *DB) MatchingAny(q *bun.SelectQuery, table string, words []string) *bun.SelectQuery {
	return db.dialect.matchesAny(q, table, words)
}

// WithRelevance selects the rows of a table with all of its columns and with the column relevance,
// an integer that is greater the better a row's indexed text matches the words. Rows that do not
// match may be left out.
func (db *DB) WithRelevance(table, words string) *bun.SelectQuery {
	return db.dialect.ranked(db, table, words)
}

// Containing selects the rows whose JSON list in the column has the string.
func (db *DB) Containing(q *bun.SelectQuery, column, value string) *bun.SelectQuery {
	return q.Where(db.dialect.contains, bun.Ident(column), value)
}

// MemberContaining selects the rows in which the JSON list in a member of the column's object has
// the string.
func (db *DB) MemberContaining(q *bun.SelectQuery, column, member, value string) *bun.SelectQuery {
	return q.Where(db.dialect.memberContains, bun.Ident(column), member, value)
}

// Lacking selects the rows whose JSON list in the column does not have the string.
func (db *DB) Lacking(q *bun.SelectQuery, column, value string) *bun.SelectQuery {
	return q.Where("NOT ("+db.dialect.contains+")", bun.Ident(column), value)
}

// Among returns the condition that the column has one of the values of the query, which runs once.
// A server may run the query of "IN (?)" once for each row of a table that it believes to be empty.
func (db *DB) Among(column string, values *bun.SelectQuery) schema.QueryWithArgs {
	return bun.SafeQuery(db.dialect.among, bun.Ident(column), values)
}

// ForUpdate locks the selected rows until the transaction ends. A file needs no lock, because it
// has only one writer.
func (db *DB) ForUpdate(q *bun.SelectQuery) *bun.SelectQuery { return db.lockRows(q, "") }

// ForUpdateSkipLocked locks the selected rows like ForUpdate, except those that another transaction
// has locked: it leaves them out instead of waiting.
func (db *DB) ForUpdateSkipLocked(q *bun.SelectQuery) *bun.SelectQuery {
	return db.lockRows(q, " SKIP LOCKED")
}

// lockRows locks the selected rows where the database has row locks.
func (db *DB) lockRows(q *bun.SelectQuery, option string) *bun.SelectQuery {
	if db.dialect.lock == "" {
		return q
	}
	return q.For(db.dialect.lock + option)
}
