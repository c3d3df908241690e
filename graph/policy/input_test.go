package policy

import (
	"encoding/json"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator"

	"rostrum/errs"
)

// TestCheckInputs covers every way to pass a value to an argument, because no other code enforces
// @range, @length and @filled.
func TestCheckInputs(t *testing.T) {
	t.Parallel()
	schema := gqlparser.MustLoadSchema(&ast.Source{Input: `
		directive @range(min: Int, max: Int) on ARGUMENT_DEFINITION | INPUT_FIELD_DEFINITION
		directive @length(min: Int, max: Int) on ARGUMENT_DEFINITION | INPUT_FIELD_DEFINITION
		directive @filled on INPUT_OBJECT
		scalar URL
		input Choice @filled { text: String, id: ID @length(min: 1), texts: [String!] }
		input Item { n: Int @range(min: 2, max: 9), text: String @length(min: 2, max: 3), items: [Item!] }
		type Query { field(n: Int @range(max: 9), id: ID @length(max: 3), url: URL @length(max: 20), item: Item, choice: Choice): Int }
	`})
	p := New(Config{Schema: schema})
	for _, c := range []struct {
		name, query string
		variables   map[string]any
		pointer     string // empty when the operation is valid
		kind        string
	}{
		{"a literal above", `{ field(n: 10) }`, nil, "#/n", "less_than_equal"},
		{"a literal inside", `{ field(n: 9) }`, nil, "", ""},
		{"a variable", `query($n: Int) { field(n: $n) }`, map[string]any{"n": json.Number("10")}, "#/n",
			"less_than_equal"},
		{"a number as text", `query($n: Int) { field(n: $n) }`, map[string]any{"n": "10"}, "#/n", "value_error"},
		{"a variable's default", `query($n: Int = 10) { field(n: $n) }`, nil, "#/n", "less_than_equal"},
		{"a variable without a value", `query($n: Int) { field(n: $n) }`, nil, "", ""},
		{"null", `{ field(n: null) }`, nil, "", ""},
		{"an id as number", `{ field(id: 1234) }`, nil, "#/id", "string_too_long"},
		{"a custom scalar", `{ field(url: "https://example.com/a-long-path") }`, nil, "#/url", "string_too_long"},
		{"below, in an object", `{ field(item: {n: 1}) }`, nil, "#/item/n", "greater_than_equal"},
		{"white space is not counted", `{ field(item: {text: " a "}) }`, nil, "#/item/text", "string_too_short"},
		{"lengths are code points", `{ field(item: {text: " éé "}) }`, nil, "", ""},
		{"too long, in a list of objects", `query($i: Item) { field(item: $i) }`,
			map[string]any{"i": map[string]any{"items": []any{map[string]any{"n": 3}, map[string]any{"text": "four"}}}},
			"#/item/items/1/text", "string_too_long"},
		{"a variable within an object", `query($n: Int) { field(item: {n: $n}) }`, map[string]any{"n": 10}, "#/item/n",
			"less_than_equal"},
		{"an empty text", `{ field(choice: {text: ""}) }`, nil, "#/choice/text", "empty"},
		{"a blank id", `{ field(choice: {id: " "}) }`, nil, "#/choice/id", "empty"},
		{"an empty text in a list", `query($t: [String!]) { field(choice: {texts: $t}) }`,
			map[string]any{"t": []any{"a", "\t"}}, "#/choice/texts/1", "empty"},
		{"an empty text in place of a list", `{ field(choice: {texts: ""}) }`, nil, "#/choice/texts", "empty"},
		{"an empty list", `{ field(choice: {texts: []}) }`, nil, "", ""},
		{"null in place of a text", `{ field(choice: {text: null, texts: null}) }`, nil, "", ""},
		{"an empty text of another input", `{ field(item: {items: []}) }`, nil, "", ""},
		{"in a fragment", `{ ...F } fragment F on Query { field(n: 10) }`, nil, "#/n", "less_than_equal"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			doc := gqlparser.MustLoadQueryWithRules(schema, c.query, nil)
			variables, err := validator.VariableValues(schema, doc.Operations[0], c.variables)
			if err != nil {
				t.Fatal(err)
			}
			err = p.checkInputs(t.Context(), p.analyze(doc, doc.Operations[0]), variables)
			if c.pointer == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if fields := errs.From(err).Fields; len(fields) != 1 || fields[0].Pointer != c.pointer ||
				fields[0].Type != c.kind {
				t.Errorf("%v", fields)
			}
		})
	}
}
