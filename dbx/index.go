package dbx

import (
	"context"
	"math"
	"strconv"
	"strings"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/schema"
)

// textIndex is how a database stores and matches the words of texts. The table of the index is
// named after the table of the texts.
type textIndex struct {
	condition func(table, workspaceID string, m Match) schema.QueryWithArgs
	// ranks selects the relevance of the texts that match, and join joins them.
	ranks func(db *DB, table, workspaceID string, m Match) *bun.SelectQuery
	join  string
	store func(ctx context.Context, tx Tx, table string, t IndexedText) error
}

// titleWeight is the weight of a word in the title; one in the text has 1.
const titleWeight = 10

var serverIndex = textIndex{
	condition: func(table, workspaceID string, m Match) schema.QueryWithArgs {
		return bun.SafeQuery("?.id IN (SELECT document_id FROM ? AS found WHERE found.workspace_id = ? AND ?)",
			bun.Ident(table), bun.Ident(table+"_index"), workspaceID, serverMatch(m))
	},
	ranks: func(db *DB, table, workspaceID string, m Match) *bun.SelectQuery {
		query := serverQuery(m)
		return db.NewSelect().TableExpr("?", bun.Ident(table+"_index")).Column("document_id").
			ColumnExpr("CAST(ts_rank_cd('{0.1, 0.2, 0.5, 1}', terms, ?::tsquery, 1) * 1e9 AS bigint) AS relevance", query).
			Where("workspace_id = ? AND terms @@ ?::tsquery", workspaceID, query)
	},
	join:  "found.document_id = ?.id",
	store: storeServerIndex,
}

// A tsvector keeps the places of a word up to maxServerPlace, and serverPlaces of them.
const maxServerPlace, serverPlaces = 16_383, 255

func storeServerIndex(ctx context.Context, tx Tx, table string, t IndexedText) error {
	terms, isWhole := serverTerms(t)
	var sequence *string
	if !isWhole {
		all := " " + strings.Join(t.Content, " ") + " "
		sequence = &all
	}
	_, err := tx.NewRaw(`INSERT INTO ? (document_id, workspace_id, version, terms, sequence) VALUES (?, ?, ?, ?::tsvector, ?)
		ON CONFLICT (document_id) DO UPDATE SET version = EXCLUDED.version, terms = EXCLUDED.terms, sequence = EXCLUDED.sequence`,
		bun.Ident(table+"_index"), t.ID, t.WorkspaceID, t.Version, terms, sequence).Exec(ctx)
	return err
}

// serverTerms returns the text of a tsvector. The words of the title have the weight A. isWhole
// reports whether it has the places of all words.
func serverTerms(t IndexedText) (terms string, isWhole bool) {
	places, order := map[string][]string{}, []string{}
	isWhole = true
	add := func(word string, place int, weight string) {
		if _, known := places[word]; !known {
			places[word], order = nil, append(order, word)
		}
		if place > maxServerPlace || len(places[word]) == serverPlaces {
			isWhole = false
			return
		}
		places[word] = append(places[word], strconv.Itoa(place)+weight)
	}
	for i, word := range t.Title {
		add(word, i+1, "A")
	}
	for i, word := range t.Content {
		add(word, len(t.Title)+i+2, "") // a sequence does not go from the title on to the text
	}
	var out strings.Builder
	for _, word := range order {
		out.WriteString(quoteLexeme(word))
		if len(places[word]) > 0 {
			out.WriteString(":" + strings.Join(places[word], ","))
		}
		out.WriteByte(' ')
	}
	return out.String(), isWhole
}

func quoteLexeme(word string) string {
	return "'" + strings.NewReplacer(`'`, `''`, `\`, `\\`).Replace(word) + "'"
}

// serverMatch returns the condition of a match. Sequences of words are also searched in long texts,
// of which a tsvector does not keep all places.
func serverMatch(m Match) schema.QueryWithArgs {
	if !m.hasSequence() {
		return bun.SafeQuery("terms @@ ?::tsquery", serverQuery(m))
	}
	if len(m.Words) > 0 {
		parts, args := []string{}, []any{serverQuery(m), serverQuery(m.apart())}
		for _, sequence := range m.sequences() {
			text := " " + strings.Join(sequence, " ")
			if !m.Prefix {
				text += " "
			}
			parts, args = append(parts, "strpos(sequence, ?) > 0"), append(args, text)
		}
		return bun.SafeQuery("(terms @@ ?::tsquery OR (sequence IS NOT NULL AND terms @@ ?::tsquery AND ("+
			strings.Join(parts, " OR ")+")))", args...)
	}
	var parts []string
	var args []any
	operator, children := " AND ", m.All
	if len(m.Any) > 0 {
		operator, children = " OR ", m.Any
	}
	for _, child := range children {
		parts, args = append(parts, "?"), append(args, serverMatch(child))
	}
	return bun.SafeQuery("("+strings.Join(parts, operator)+")", args...)
}

// hasSequence reports whether a part of the match is a sequence of words in the text.
func (m Match) hasSequence() bool {
	if len(m.Words) > 1 && !m.InTitle {
		return true
	}
	for _, child := range append(m.All, m.Any...) {
		if child.hasSequence() {
			return true
		}
	}
	return false
}

// apart returns the match of the words of a sequence at any place.
func (m Match) apart() Match {
	var out Match
	for i, place := range m.Words {
		out.All = append(out.All, Match{Words: [][]string{place}, Prefix: m.Prefix && i+1 == len(m.Words)})
	}
	return out
}

// serverQuery returns the text of a tsquery.
func serverQuery(m Match) string {
	if len(m.Words) > 0 {
		places := make([]string, len(m.Words))
		for i, place := range m.Words {
			suffix := ""
			if m.Prefix && i+1 == len(m.Words) {
				suffix = "*"
			}
			if m.InTitle {
				suffix += "A"
			}
			if suffix != "" {
				suffix = ":" + suffix
			}
			words := make([]string, len(place))
			for j, word := range place {
				words[j] = quoteLexeme(word) + suffix
			}
			places[i] = "(" + strings.Join(words, " | ") + ")"
		}
		return "(" + strings.Join(places, " <-> ") + ")"
	}
	return joinMatches(m, " & ", " | ", serverQuery)
}

// joinMatches joins the texts of a match's parts.
func joinMatches(m Match, and, or string, render func(Match) string) string {
	parts, operator := []string{}, and
	if len(m.Any) > 0 {
		operator = or
	}
	for _, child := range append(m.All, m.Any...) {
		parts = append(parts, render(child))
	}
	return "(" + strings.Join(parts, operator) + ")"
}

var fileIndex = textIndex{
	condition: func(table, _ string, m Match) schema.QueryWithArgs {
		fts := bun.Ident(table + "_index_text")
		return bun.SafeQuery("?.seq IN (SELECT rowid FROM ? WHERE ? MATCH ?)", bun.Ident(table), fts, fts, fileQuery(m))
	},
	ranks: func(db *DB, table, _ string, m Match) *bun.SelectQuery {
		fts := bun.Ident(table + "_index_text")
		// LIMIT keeps the subquery apart, so that the index is searched once.
		return db.NewSelect().TableExpr("?", fts).
			ColumnExpr("rowid AS seq, CAST(-bm25(?, ?, 1.0) * 1e9 AS integer) AS relevance", fts, titleWeight).
			Where("? MATCH ?", fts, fileQuery(m)).Limit(math.MaxInt32)
	},
	join: "found.seq = ?.seq",
	store: func(ctx context.Context, tx Tx, table string, t IndexedText) error {
		_, err := tx.NewRaw("INSERT OR REPLACE INTO ? (rowid, title, content) SELECT seq, ?, ? FROM ? WHERE id = ?",
			bun.Ident(table+"_index_text"), strings.Join(t.Title, " "), strings.Join(t.Content, " "), bun.Ident(table), t.ID).Exec(ctx)
		if err != nil {
			return err
		}
		_, err = tx.NewRaw(`INSERT INTO ? (document_id, workspace_id, version) VALUES (?, ?, ?)
			ON CONFLICT (document_id) DO UPDATE SET version = EXCLUDED.version`,
			bun.Ident(table+"_index"), t.ID, t.WorkspaceID, t.Version).Exec(ctx)
		return err
	},
}

// fileQuery returns the text of an FTS5 query.
func fileQuery(m Match) string {
	if len(m.Words) == 0 {
		return joinMatches(m, " AND ", " OR ", fileQuery)
	}
	var parts []string
	for _, sequence := range m.sequences() {
		part := `"` + strings.ReplaceAll(strings.Join(sequence, " "), `"`, "") + `"`
		if m.Prefix {
			part += " *"
		}
		parts = append(parts, part)
	}
	all := "(" + strings.Join(parts, " OR ") + ")"
	if m.InTitle {
		return "(title : " + all + ")"
	}
	return all
}
