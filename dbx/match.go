package dbx

import (
	"context"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/schema"
)

// Match is a condition on the indexed words of a text: exactly one of All, Any and Words is set.
type Match struct {
	All, Any []Match
	// Words are words that stand side by side, in order; each place has its alternatives. The words
	// are stored as they are given here.
	Words [][]string
	// Prefix takes the last word as the start of a longer one.
	Prefix bool
	// InTitle leaves out the text below the title.
	InTitle bool
}

// IsEmpty reports whether the match has no condition.
func (m Match) IsEmpty() bool { return len(m.All)+len(m.Any)+len(m.Words) == 0 }

// maxCombinations limits the sequences that alternatives at several places are written out to.
const maxCombinations = 64

// sequences returns the sequences of words that the alternatives allow. If there are too many, it
// returns the one of the first alternatives.
func (m Match) sequences() [][]string {
	count := 1
	for _, place := range m.Words {
		count *= len(place)
		if count > maxCombinations && len(m.Words) > 1 {
			first := make([]string, len(m.Words))
			for i, place := range m.Words {
				first[i] = place[0]
			}
			return [][]string{first}
		}
	}
	all := [][]string{nil}
	for _, place := range m.Words {
		var longer [][]string
		for _, start := range all {
			for _, word := range place {
				longer = append(longer, append(start[:len(start):len(start)], word))
			}
		}
		all = longer
	}
	return all
}

// Matched returns the condition that the indexed text of a row of the table matches.
func (db *DB) Matched(table, workspaceID string, m Match) schema.QueryWithArgs {
	return db.dialect.index.condition(table, workspaceID, m)
}

// WithRelevance selects all columns of the table and the integer relevance, which is greater the
// better the indexed text matches. It is 0 for rows that do not match.
func (db *DB) WithRelevance(table, workspaceID string, m Match) *bun.SelectQuery {
	return db.NewSelect().TableExpr("?", bun.Ident(table)).ColumnExpr("?.*", bun.Ident(table)).
		ColumnExpr("coalesce(found.relevance, 0) AS relevance").
		Join("LEFT JOIN (?) AS found ON ?", db.dialect.index.ranks(db, table, workspaceID, m),
			bun.SafeQuery(db.dialect.index.join, bun.Ident(table)))
}

// IndexedText is the words of a text, which are indexed as they are: without spaces in them.
type IndexedText struct {
	ID, WorkspaceID string
	Version         string // of the text and its analysis
	Title, Content  []string
}

// IndexText stores the words of a row's text and replaces earlier ones.
func (db *DB) IndexText(ctx context.Context, tx Tx, table string, t IndexedText) error {
	return Err(db.dialect.index.store(ctx, tx, table, t))
}
