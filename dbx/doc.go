// Package dbx opens the database, Postgres or a SQLite file, and provides transactions, paging,
// search, migrations, and driver errors as errs.
//
// Idea: dialect.go is the only file that names a database, and connect.go opens its connections;
// other packages ask for a capability. List implements every list: pages by cursor and by number, a
// total when selected, filters, order, selected columns. Choices is the table of a list's filters
// and orders, and serves the list, its total and the connections within rows. ByIDs reads the
// targets of edges, Nested the pages of many parents, each with one statement for a level (LATERAL
// on a server, row_number on SQLite). Together sends the statements of resolvers that run at the
// same time in one round trip, Joined reads a to-one edge with its rows.
//
// Matched and WithRelevance search words that a caller has analyzed and stored with IndexText: a
// tsvector on a server, FTS5 on SQLite (index.go). Of a long text a tsvector lacks places of words,
// so the sequence of its words is stored too.
//
// A cursor names its order and is refused in another one. A far page finds the row before it by
// OFFSET on an index, and reads its rows by that row's cursor. Orders by a computed value read the
// rows from a subquery with that column. Read prepares repeated queries on Postgres and decodes
// rows from the wire.
//
// Limits: a page whose selected texts have more than 16 MB is refused. A transaction waits for a
// slot of its workspace before it takes a connection (package slot). A SQLite file has one
// connection for writes and several read-only ones, so a transaction must not write through another
// connection. On SQLite lower is Go's, so that both databases compare letters of every script
// without case.
//
// Fallback: a server that refuses connections is asked again for up to 10 s.
//
// Migrations only expand: the rows of the release before stay valid, and a newer schema than the
// program's is refused.
//
// To add a list: a List. To add a filter or order: its field in the schema, a line of the list's
// Choices, and an index in a migration. To add a difference between databases: a capability in
// dialect.go.
package dbx
