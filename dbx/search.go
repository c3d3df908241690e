package dbx

import (
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/schema"
)

// Matching selects the rows that have every word in their indexed text.
func (db *DB) Matching(q *bun.SelectQuery, table, words string) *bun.SelectQuery {
	return db.dialect.matches(q, table, words)
}

// Containing selects the rows with the string in the column's JSON list.
func (db *DB) Containing(q *bun.SelectQuery, column, value string) *bun.SelectQuery {
	return q.Where("?", db.Includes(column, value))
}

// Includes returns the condition that the column's JSON list has the string.
func (db *DB) Includes(column, value string) schema.QueryWithArgs {
	return bun.SafeQuery(db.dialect.contains, bun.Ident(column), value)
}

// MemberContaining selects the rows with the string in a JSON list: a member of the column's
// object.
func (db *DB) MemberContaining(q *bun.SelectQuery, column, member, value string) *bun.SelectQuery {
	return q.Where("?", db.MemberIncludes(column, member, value))
}

// MemberIncludes returns the condition that a JSON list, a member of the column's object, has the
// string.
func (db *DB) MemberIncludes(column, member, value string) schema.QueryWithArgs {
	return bun.SafeQuery(db.dialect.memberContains, bun.Ident(column), member, value)
}

// Lacking selects the rows without the string in the column's JSON list.
func (db *DB) Lacking(q *bun.SelectQuery, column, value string) *bun.SelectQuery {
	return q.Where("NOT ("+db.dialect.contains+")", bun.Ident(column), value)
}

// Among returns the condition that the column has one of the query's values. The query runs once.
// With "IN (?)" a server may run it once per row, because it believes a table to be empty.
func (db *DB) Among(column string, values *bun.SelectQuery) schema.QueryWithArgs {
	return bun.SafeQuery(db.dialect.among, bun.Ident(column), values)
}

// ForUpdate locks the selected rows until the transaction ends. It does nothing for a file, because
// a file has only one writer.
func (db *DB) ForUpdate(q *bun.SelectQuery) *bun.SelectQuery { return db.lockRows(q, "") }

// ForUpdateSkipLocked is ForUpdate, but leaves out rows that another transaction has locked instead
// of waiting.
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
