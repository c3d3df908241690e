package graph

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql/introspection"
)

// clientIntrospections returns clients' introspection queries: graphql-js with default options
// (GraphiQL, Apollo) and with all options (code generators), and gqlgen's older one.
func clientIntrospections(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{"gqlgen": introspection.Query}
	for _, name := range []string{"default", "full"} {
		text, err := os.ReadFile("testdata/introspection-" + name + ".graphql")
		if err != nil {
			t.Fatal(err)
		}
		out[name] = string(text)
	}
	return out
}

// TestIntrospection_clients sends clients' queries without a key. It measures allocations, so it
// does not run in parallel.
func TestIntrospection_clients(t *testing.T) {
	walked, compiled := newTestBundle(t, func(c *Config) { c.Interpret = true }), newTestBundle(t)
	for name, text := range clientIntrospections(t) {
		t.Run(name, func(t *testing.T) {
			want := walked.post(t, "", text)
			want.want(t, 200, `"name":"DocumentConnection"`)
			got := compiled.post(t, "", text, "X-Query-Cost", "1")
			if cost := cutCost(t, &got)["introspection"]; 2*cost.Value > cost.Limit {
				t.Errorf("%d fields are more than half of the limit of %d: raise it with the schema", cost.Value,
					cost.Limit)
			}
			if got.body != want.body {
				t.Errorf("%d bytes differ from the %d bytes of gqlgen's walk", len(got.body), len(want.body))
			}
			if bytes := allocatedBytes(func() { runOperation(t, compiled.server, "", text) }); bytes > 3*len(
				want.body) {
				t.Errorf("%d bytes are allocated for a known answer of %d", bytes, len(want.body))
			}
		})
	}
}

// TestIntrospection_compiled compares compiled introspection with gqlgen's walk for every argument,
// condition and fragment.
func TestIntrospection_compiled(t *testing.T) {
	t.Parallel()
	walked, compiled := newTestBundle(t, func(c *Config) { c.Interpret = true }), newTestBundle(t)
	for _, text := range []string{
		`{ __schema { description __typename types { __typename kind name isOneOf specifiedByURL fields { name } } } }`,
		`query($d: Boolean) { __schema { types { fields(includeDeprecated: $d) { name isDeprecated deprecationReason args(includeDeprecated: true) { name } } } } }`,
		`query($d: Boolean!) { __schema { directives { name @include(if: $d) isRepeatable @skip(if: $d) locations args { name defaultValue } } } }`,
		`{ __type(name: "Document") { ...T interfaces { ...T } fields(includeDeprecated: null) { type { ...T ofType { ...T } } } } } fragment T on __Type { kind name }`,
		`query($n: String!) { a: __type(name: $n) { possibleTypes { name } inputFields { name } } b: __type(name: "ErrorCode") { enumValues { name description isDeprecated } } }`,
		`{ __type(name: "Missing") { name } __schema { queryType { name } mutationType { name } subscriptionType { name } } }`,
	} {
		for _, flag := range []bool{true, false} {
			body := fmt.Sprintf(`{"query":%s,"variables":{"d":%t,"n":"Node"}}`, quoteJSON(text), flag)
			want := walked.do(t, "POST", "", body, "Content-Type", typeJSON)
			want.want(t, 200, `{"data":{`)
			if got := compiled.do(t, "POST", "", body, "Content-Type", typeJSON); got.body != want.body {
				t.Errorf("%s with %t\ngot  %.500s\nwant %.500s", text, flag, got.body, want.body)
			}
		}
	}
	if _, interpreted := compiled.server.compiled.CountPlans(); interpreted > 0 {
		t.Errorf("%d selections are left to gqlgen", interpreted)
	}
}

// TestIntrospection_limits sends too large introspection without a key. It measures allocations, so
// it does not run in parallel.
func TestIntrospection_limits(t *testing.T) {
	nested := "{ __schema { types { fields { type { ofType { " +
		aliases(20, "fields { name type { ofType { name kind } } }") + " } } } } } }"
	for _, c := range []struct{ name, query, variables, want string }{
		{"aliases of the schema", "{ " + aliases(200, "__schema { queryType { name } }") + " }", "",
			"number of repeated fields is 199"},
		{"levels of types", "{ __schema { types { " + strings.Repeat("ofType { ", 200) + "name" +
			strings.Repeat(" }", 200) + " } } }", "", "depth is 203"},
		{"nested lists", nested, "", "the introspection has more than the 120000 fields"},
		{"aliases of lists", "{ __schema { " + aliases(25, "types { fields { type { name kind } } }") + " } }", "",
			"the introspection has more than the 120000 fields"},
		{"a type by variable", "query($n: String!) { __type(name: $n) { " +
			aliases(30, "fields { name args { name description type { kind name ofType { kind name inputFields { name type { name kind } } } } } type { fields { name type { name kind } } ofType { name fields { name type { name kind } } } } }") + " } }",
			`{"n":"Mutation"}`, "the introspection has more than the 120000 fields"},
		{"aliases of __typename", "{ " + aliases(1000, "__typename") + " }", "",
			"number of fields of one object is 1000"},
		{"__typename of rows", "{ documents(first: 100) { nodes { " + aliases(190, "__typename") + " } } }", "",
			"number of repeated fields is 189"},
	} {
		for _, interpret := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, interpret %t", c.name, interpret), func(t *testing.T) {
				b := newTestBundle(t, func(config *Config) { config.Interpret = interpret })
				var r testResponse
				body := fmt.Sprintf(`{"query":%s,"variables":%s}`, quoteJSON(c.query),
					strings.TrimSpace(c.variables+" {}"[min(len(c.variables), 1)*3:]))
				bytes := allocatedBytes(func() { r = b.do(t, "POST", "", body, "Content-Type", typeJSON) })
				r.want(t, 200, `"code":"limit_exceeded"`, c.want)
				if bytes > 40<<20 {
					t.Errorf("%d bytes are allocated", bytes)
				}
			})
		}
	}
}

// aliases returns a selection of the same field under n aliases.
func aliases(n int, field string) string {
	var out strings.Builder
	for i := range n {
		fmt.Fprintf(&out, " a%d: %s", i, field)
	}
	return out.String()
}

// allocatedBytes returns the bytes that the whole process allocates during the call.
func allocatedBytes(run func()) int {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	run()
	runtime.ReadMemStats(&after)
	return int(after.TotalAlloc - before.TotalAlloc)
}

// cutCost removes the extension cost from a response and returns it.
func cutCost(t *testing.T, r *testResponse) map[string]struct{ Value, Limit int } {
	t.Helper()
	head, tail, found := strings.Cut(r.body, `,"extensions":{"cost":`)
	cost := map[string]struct{ Value, Limit int }{}
	if err := json.Unmarshal([]byte(strings.TrimSuffix(tail, "}}")), &cost); !found || err != nil {
		t.Fatalf("no cost in %.300s: %v", r.body, err)
	}
	r.body = head + "}"
	return cost
}
