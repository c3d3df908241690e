package policy

import (
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
)

// loopSchema has connections within connections, and fields that are deprecated.
var loopSchema = gqlparser.MustLoadSchema(&ast.Source{Input: `
	directive @weight(fields: Int!) on FIELD_DEFINITION
	type Query { documents(first: Int, last: Int): Documents! related(first: Int): [Document!]! title: String @deprecated(reason: "2026-12-01: use documents") }
	type Documents { nodes: [Document!]! edges: [DocumentEdge!]! }
	type DocumentEdge { node: Document! }
	type Document { id: ID! documents(first: Int, last: Int): Documents! related(first: Int): [Document!]! tags: [Tag!]! label: String @deprecated(reason: "2026-12-01: use tags") }
	type Tag { name: String! compared: String @weight(fields: 40) }`})

func analyzeText(t *testing.T, p *Policy, text string) *Analysis {
	t.Helper()
	doc, err := gqlparser.LoadQueryWithRules(loopSchema, text, nil)
	if err != nil {
		t.Fatal(err)
	}
	return p.analyze(doc, doc.Operations[0])
}

func TestCost_multiplies_nested_pages(t *testing.T) {
	t.Parallel()
	p := New(Config{Schema: loopSchema})
	for text, want := range map[string]int{
		`{ documents(first: 10) { nodes { id } } }`:                                                                           10,
		`{ documents(first: 10) { nodes { documents(first: 5) { nodes { id } } } } }`:                                         10 * (1 + 5),
		`{ documents(first: 10) { edges { node { documents(last: 5) { edges { node { id } } } } } } }`:                        10 * (1 + 5),
		`{ documents(first: 10) { nodes { documents(first: 5) { nodes { documents(first: 3) { nodes { id } } } } } } }`:       10 * (1 + 5*(1+3)),
		`{ documents(first: 10) { nodes { id } edges { node { id } } } }`:                                                     10 + 10,
		`{ documents { nodes { documents { nodes { id } } } } }`:                                                              defaultPage * (1 + defaultPage),
		`{ documents(first: 10) { nodes { related(first: 50) { id } } } }`:                                                    10 * (1 + 50),
		`{ related(first: 50) { related(first: 2) { tags { name } } } }`:                                                      50 * (1 + 2*(1+defaultRows)),
		`query($n: Int = 7) { documents(first: $n) { nodes { ...D } } } fragment D on Document { related(first: $n) { id } }`: 7 * (1 + 7),
	} {
		_, rows := analyzeText(t, p, text).cost.total(map[string]any{"n": 7})
		if rows != want {
			t.Errorf("%s has %d rows, want %d", text, rows, want)
		}
	}
}

func TestCost_weighs_fields(t *testing.T) {
	t.Parallel()
	p := New(Config{Schema: loopSchema})
	for text, want := range map[string]int{
		`{ documents(first: 5) { nodes { id } } }`:                       2 + 5,
		`{ documents(first: 5) { nodes { tags { compared } } } }`:        2 + 5*(1+defaultRows*40),
		`{ documents(first: 5) { nodes { tags { name again: name } } }}`: 2 + 5*(1+defaultRows*2),
	} {
		if fields, _ := analyzeText(t, p, text).cost.total(nil); fields != want {
			t.Errorf("%s has %d fields, want %d", text, fields, want)
		}
	}
}
