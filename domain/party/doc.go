// Package party keeps the companies and executives of a workspace, to which documents and signals
// are attributed, with every name by which they are known.
//
// Idea: a document or signal has the id and the name of its party. Attach finds the party by the
// folded name (model.NameKey) among the aliases, or creates it, in the transaction of the row, and
// writes the party's own name, so that all rows of one party have one spelling. A rename or merge
// (change.go) moves all rows in one transaction under the workspace's lock, keeps the names before
// as aliases, and deletes the comparisons and summaries that have them.
//
// A text that introduces a short form, such as "Kestrel Foods (KF)", adds it as an alias
// (introduce.go). An alias that a person removed is remembered, and no text adds it again. A name
// in a request is resolved by NamedIDs or CanonicalNames.
//
// Fallback: Backfill attributes rows without an id, at the start and every minute.
//
// To attribute rows of another table: the columns of Rows, and AddRows in app/services.go.
package party
