package graph

import (
	"net/http"
	"testing"
)

// TestVariables checks the coercion of variables and literals: strict, as the specification
// requires.
func TestVariables(t *testing.T) {
	t.Parallel()
	const (
		page   = `query($n: Int!) { documents(first: $n) { totalCount } }`
		create = `mutation($input: CreateDocumentInput!) { createDocument(input: $input) { document { id } } }`
	)
	for _, c := range []struct {
		name, query, variables string
		want                   []string
	}{
		{"a text is no Int", page, `{"n":"50"}`, []string{`"message":"n: \"50\" is not an Int"`, `"pointer":"#/n"`}},
		{"a fraction is no Int", page, `{"n":1.5}`, []string{`1.5 is not an Int`}},
		{"an Int has 32 bits", page, `{"n":3000000000}`, []string{`3000000000 is not an Int`}},
		{"a boolean is no Int", page, `{"n":true}`, []string{`true is not an Int`}},
		{"null for a directive", `query($x: Boolean = true) { documents(first: 1) { totalCount @include(if: $x) } }`,
			`{"x":null}`, []string{`x: cannot be null where the operation uses it`}},
		{"null for an argument with a default", `query($id: ID = "x") { document(id: $id) { id } }`, `{"id":null}`,
			[]string{`"pointer":"#/id"`}},
		{"null for an element of a list", `query($a: ID = "x") { nodes(ids: [$a]) { id } }`, `{"a":null}`,
			[]string{`a: cannot be null where the operation uses it`}},
		{"null for a field of an input", `mutation($t: String = "t") { createDocument(input: {title: $t, content: "c"}) { document { id } } }`,
			`{"t":null}`, []string{`t: cannot be null where the operation uses it`}},
		{"null in a fragment", `query($x: Boolean = true) { documents(first: 1) { ...F } } fragment F on DocumentConnection { totalCount @skip(if: $x) }`,
			`{"x":null}`, []string{`x: cannot be null where the operation uses it`}},
		{"null for a required variable", page, `{"n":null}`, []string{`n: cannot be null`}},
		{"a missing variable", page, `{}`, []string{`n: is required`}},
		{"a number is no String", create, `{"input":{"title":7,"content":"c"}}`,
			[]string{`title: 7 is not a String`, `"pointer":"#/title"`}},
		{"every field is named", create, `{"input":{"title":7,"content":["c"],"mediaProvenance":"owned","tags":["t",1]}}`,
			[]string{`"pointer":"#/title"`, `"pointer":"#/content"`, `"pointer":"#/mediaProvenance"`,
				`"pointer":"#/tags/1"`, `\"owned\" is not a value of`}},
		{"missing and unknown fields are named", create, `{"input":{"titel":"t"}}`,
			[]string{`"pointer":"#/title"`, `"pointer":"#/content"`, `titel: is not a field of CreateDocumentInput`}},
		{"a list is no input", create, `{"input":[]}`, []string{`"code":"validation_failed"`}},
		{"a literal text is no Int", `{ documents(first: "50") { totalCount } }`, `{}`,
			[]string{`Int cannot represent non-integer value: \"50\"`}},
		{"a literal Int has 32 bits", `{ documents(first: 3000000000) { totalCount } }`, `{}`,
			[]string{`first: 3000000000 is not an Int`}},
		{"a literal number is no String", `mutation { createDocument(input: {title: 7, content: "c"}) { document { id } } }`, `{}`,
			[]string{`String cannot represent a non string value: 7`}},
		{"a literal in lower case is no enum value",
			`mutation { createDocument(input: {title: "t", content: "c", mediaProvenance: owned}) { document { id } } }`, `{}`,
			[]string{`owned`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for accept, status := range map[string]int{typeJSON: http.StatusOK, typeResponse: http.StatusBadRequest} {
				b := newTestBundle(t)
				r := b.do(t, http.MethodPost, "", `{"query":`+quoteJSON(c.query)+`,"variables":`+c.variables+`}`,
					"Content-Type", typeJSON, "Accept", accept, keyHeader, writeKey)
				r.want(t, status, c.want...)
				if b.calls.Load() != 0 {
					t.Error("the resolver ran")
				}
			}
		})
	}
	t.Run("values of the right type are accepted", func(t *testing.T) {
		t.Parallel()
		b := newTestBundle(t)
		b.do(t, http.MethodPost, "", `{"query":"query($n: Int!, $id: ID!) { documents(first: $n) { totalCount } document(id: $id) { id } }","variables":{"n":2,"id":7}}`,
			"Content-Type", typeJSON, keyHeader, readKey).want(t, 200, `"data"`)
		for _, n := range []string{"2.0", "2e0", "20e-1"} { // clients with one type of number
			b.do(t, http.MethodPost, "", `{"query":"query($n: Int!, $id: ID!) { documents(first: $n) { totalCount } document(id: $id) { id } }","variables":{"n":`+n+`,"id":5.0}}`,
				"Content-Type", typeJSON, keyHeader, readKey).want(t, 200, `"data"`)
		}
	})
}
