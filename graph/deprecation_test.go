package graph

import (
	"context"
	"net/http"
	"slices"
	"testing"
)

// TestDeprecation checks that a request counts as a use of each deprecated element in its text or
// variables.
func TestDeprecation(t *testing.T) {
	t.Parallel()
	counted := make(chan []string, 1)
	b := newTestBundle(t, func(c *Config) {
		c.Policy.CountUsage = func(_ context.Context, names []string) { counted <- names }
	})
	const withFilter = `query($f: DocumentFilter) { documents(filter: $f) { totalCount } }`
	const sortArgument, company, executive = "Query.documents(sort:)", "DocumentFilter.company",
		"DocumentFilter.executive"
	for _, c := range []struct {
		query, variables string
		want             []string
	}{
		{`{ documents(sort: TITLE_ASC) { totalCount } again: documents(sort: TITLE_DESC) { totalCount } }`, `{}`,
			[]string{sortArgument}},
		{`query($s: DocumentSort!) { documents(sort: $s) { totalCount } }`, `{"s": "TITLE_ASC"}`,
			[]string{sortArgument}},
		{`{ workspace { documents(sort: TITLE_ASC) { totalCount } } }`, `{}`, []string{"Workspace.documents(sort:)"}},
		{`{ documents(filter: {company: "a", executive: "b"}) { totalCount } }`, `{}`, []string{company, executive}},
		{`query($c: String) { documents(filter: {company: $c}) { totalCount } }`, `{}`, []string{company}},
		{withFilter, `{"f": {"company": "a"}}`, []string{company}},
		{withFilter, `{"f": {"executive": null, "companies": ["a"]}}`, []string{executive}},
		{`query($f: DocumentFilter = {company: "a"}) { documents(filter: $f) { totalCount } }`, `{}`,
			[]string{company}},
		{`query($f: DocumentFilter) { documents(filter: $f, sort: TITLE_ASC) { totalCount } }`,
			`{"f": {"company": "a"}}`, []string{sortArgument, company}},
		{withFilter, `{"f": {"companies": ["a"]}}`, nil},
		{withFilter, `{}`, nil},
		{`{ documents(first: 1, filter: {companies: ["a"]}, orderBy: {field: TITLE}) { totalCount } }`, `{}`, nil},
	} {
		for range 2 { // the second time with the kept analysis
			b.do(t, http.MethodPost, "", `{"query":`+quoteJSON(c.query)+`,"variables":`+c.variables+`}`, "Content-Type",
				typeJSON, keyHeader, readKey)
			var got []string
			select {
			case got = <-counted:
			default:
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%s with %s counts %v, want %v", c.query, c.variables, got, c.want)
			}
		}
	}
}
