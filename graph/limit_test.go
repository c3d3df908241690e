package graph

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"rostrum/graph/policy"
)

func TestLimits(t *testing.T) {
	t.Parallel()
	tight := func(c *Config) { c.Policy.Limits = policy.Limits{Tokens: 200, Depth: 4, Repeats: 2, Complexity: 500} }
	for _, c := range []struct {
		name, query string
		want        string // empty when the operation is within the limits
	}{
		{"depth", `{ documents { edges { node { processingError { code } } } } }`, "depth is 5"},
		{"depth through fragments", `{ documents { edges { ...E } } } fragment E on DocumentEdge { node { processingError { code } } }`, "depth is 5"},
		{"complexity times the page", `{ documents(perPage: 100) { nodes { id title company author language } } }`, "complexity is 502"},
		{"complexity of nested lists", `{ documents(first: 20) { nodes { autoTags { name tagType } } } }`, ""},
		{"complexity of nested lists on a larger page", `{ documents(first: 30) { nodes { autoTags { name tagType } } } }`, "complexity is 632"},
		{"two pages at once", `{ a: documents(perPage: 40) { nodes { id title company author } } b: documents(perPage: 40) { nodes { id title company author } } }`, ""},
		{"repeats", `{ a: documentCount b: documentCount c: documentCount d: documentCount }`, "repeated fields is 3"},
		{"an alias is not a repetition", `{ document(id: 1) { a: id b: title c: company d: author e: language } }`, ""},
		{"introspection is not counted", `{ __schema { types { fields { type { ofType { ofType { ofType { name } } } } } } } }`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := newTestBundle(t, tight)
			r := b.post(t, readKey, c.query)
			if c.want == "" {
				r.want(t, http.StatusOK)
				return
			}
			r.want(t, http.StatusBadRequest, `"code":"limit_exceeded"`, c.want)
			if b.calls.Load() != 0 {
				t.Error("a resolver ran")
			}
		})
	}
	t.Run("pages by variable", func(t *testing.T) {
		t.Parallel()
		b := newTestBundle(t, tight)
		for size, want := range map[int]int{10: 200, 100: 400} {
			body := fmt.Sprintf(`{"query":"query($n: Int) { documents(perPage: $n) { nodes { id title company author language } } }","variables":{"n":%d}}`, size)
			b.do(t, http.MethodPost, "", body, "Content-Type", typeJSON, keyHeader, readKey).want(t, want)
		}
	})
	t.Run("time", func(t *testing.T) {
		t.Parallel()
		b := newTestBundle(t, func(c *Config) { c.Policy.Limits.Query = time.Millisecond })
		b.total = func(ctx context.Context) (int, error) {
			<-ctx.Done()
			return 0, ctx.Err()
		}
		b.post(t, readKey, "{ documents { totalCount } }").want(t, http.StatusOK, `"code":"unavailable"`, "the request took too long")
	})
	t.Run("tokens", func(t *testing.T) {
		t.Parallel()
		newTestBundle(t, tight).post(t, readKey, "{"+strings.Repeat(" documentCount", 200)+"}").want(t, 400, `"code":"limit_exceeded"`, `"limit":`)
	})
	t.Run("exponential fragments", func(t *testing.T) {
		t.Parallel()
		query := "{ documents { nodes { ...F0 } } }"
		for i := range 60 {
			query += fmt.Sprintf(" fragment F%d on Document { a%d: autoTags { name } ...F%d ... { ...F%d } }", i, i, i+1, i+1)
		}
		query += " fragment F60 on Document { id }"
		newTestBundle(t).post(t, readKey, query).want(t, 400, `"code":"limit_exceeded"`)
	})
	t.Run("a hidden schema", func(t *testing.T) {
		t.Parallel()
		b := newTestBundle(t, func(c *Config) { c.Policy.HideSchema = true })
		b.post(t, readKey, "{ __schema { queryType { name } } }").want(t, 400, `"code":"bad_request"`)
		b.post(t, readKey, "{ __typename }").want(t, 200, `"Query"`)
		if r := b.post(t, readKey, "{ documentsCount }"); strings.Contains(r.body, "Did you mean") {
			t.Error(r.body)
		}
	})
}
