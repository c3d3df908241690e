package compat_test

import (
	"os"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"rostrum/domain/operation/compat"
)

// readSchema returns the text of the schema of the tests.
func readSchema(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("testdata/schema.graphqls")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// loadSchema returns the schema of a text, or nil if it is invalid.
func loadSchema(text string) *ast.Schema {
	schema, err := gqlparser.LoadSchema(&ast.Source{Input: text})
	if err != nil {
		return nil
	}
	return schema
}

// TestCheck edits the schema and checks what breaks for an operation.
func TestCheck(t *testing.T) {
	t.Parallel()
	const document = `query A($id: ID!) { document(id: $id) { title subtitle kind tags { label } } }`
	const list = `query A($f: DocumentFilter) { documents(filter: $f) { totalCount } }`
	const hits = `query A { search(words: "a") { __typename ... on Titled { title } } }`
	for name, test := range map[string]struct{ operation, from, to, want string }{
		"field not used":          {document, "  score: Float\n", "", ""},
		"null":                    {document, "tags: [Tag!]!", "tags: [Tag!]", "Document.tags was [Tag!]! and may be null now"},
		"null in a list":          {document, "tags: [Tag!]!", "tags: [Tag]!", "Document.tags was Tag! and may be null now"},
		"other type":              {document, "label: String!", "label: ID!", "Tag.label was String! and is ID! now"},
		"list":                    {document, "label: String!", "label: [String!]!", "Tag.label was String! and is [String!]! now"},
		"value added":             {document, "  MEMO\n", "  MEMO\n  BOOK\n", ""},
		"value gone":              {document, "  MEMO\n", "", ""},
		"value of variable":       {list, "  MEMO\n", "", "Kind.MEMO is gone, and a variable may have it"},
		"value added, variable":   {list, "  MEMO\n", "  MEMO\n  BOOK\n", ""},
		"input field gone":        {list, "  q: String\n", "", "DocumentFilter.q is gone, and a variable may have it"},
		"input field required":    {list, "  q: String\n", "  q: String!\n", "DocumentFilter.q was String and is required now"},
		"required input added":    {list, "  q: String\n", "  q: String\n  z: Int!\n", "DocumentFilter.z is required now, and a variable may lack it"},
		"input added":             {list, "  q: String\n", "  q: String\n  z: Int! = 1\n", ""},
		"input wider":             {list, "minWords: Int = 0", "minWords: Float = 0", ""},
		"input as a list":         {list, "  q: String\n", "  q: [String!]\n", ""},
		"input of input":          {list, "input PersonFilter {\n  email: String", "input PersonFilter {\n  email: Int", "PersonFilter.email was String and is Int now"},
		"argument gone":           {list, ", filter: DocumentFilter, orderBy", ", orderBy", `line 1: Unknown argument "filter" on field "Query.documents".`},
		"argument required":       {document, "document(id: ID!)", "document(id: ID!, at: Time!)", `argument "at"`},
		"type of union added":     {hits, "Document | Person | Link", "Document | Person | Link | Workspace", ""},
		"type of union gone":      {hits, "Document | Person | Link", "Document | Link", ""},
		"interface gone":          {hits, "type Link implements Titled", "type Link", "Link.title is not in the response any more, because the type around it has changed"},
		"never null any more":     {"{ viewer { name } }", "viewer: Viewer @semanticNonNull", "viewer: Viewer", "Query.viewer was Viewer @semanticNonNull and may be null now"},
		"not null without errors": {"{ viewer { name } }", "viewer: Viewer @semanticNonNull", "viewer: Viewer!", ""},
		"renamed":                 {"{ limits { depth } }", "Limits", "Bounds", ""},
		"renamed with its name":   {"{ limits { __typename depth } }", "Limits", "Bounds", "Limits is Bounds now, and __typename is selected"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := readSchema(t)
			edited := strings.ReplaceAll(text, test.from, test.to)
			before, after := loadSchema(text), loadSchema(edited)
			if after == nil {
				t.Fatal("the edited schema is invalid")
			}
			got := ""
			if breaks := compat.Check(before, after, test.operation); len(breaks) > 0 {
				got = breaks[0].String()
			}
			if got != test.want && (test.want == "" || !strings.Contains(got, test.want)) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}
