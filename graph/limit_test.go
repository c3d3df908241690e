package graph

import (
	"context"
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"rostrum/errs"
	"rostrum/graph/policy"
	"rostrum/test/kit/poll"
)

func TestLimits(t *testing.T) {
	t.Parallel()
	tight := func(c *Config) {
		c.Policy.Limits = policy.Limits{Tokens: 200, Depth: 4, Breadth: 30, Repeats: 2, Rows: 100, Complexity: 500}
	}
	for _, c := range []struct {
		name, query string
		want        string // empty when the operation is within the limits
	}{
		{"depth", `{ documents { edges { node { processingError { code } } } } }`, "depth is 5"},
		{"depth through fragments", `{ documents { edges { ...E } } } fragment E on DocumentEdge { node { processingError { code } } }`, "depth is 5"},
		{"complexity times the page", `{ documents(first: 100) { nodes { id title companyName author language } } }`,
			"complexity is 502"},
		{"complexity of nested lists", `{ documents(first: 8) { nodes { autoTags { name tagType } } } }`, ""},
		{"complexity of nested lists on a larger page",
			`{ documents(first: 30) { nodes { autoTags { name tagType } } } }`, "complexity is 632"},
		{"two pages at once", `{ a: documents(first: 40) { nodes { id title companyName author } } b: documents(first: 40) { nodes { id title companyName author } } }`, ""},
		{"repeats", `{ a: documentCount b: documentCount c: documentCount d: documentCount }`, "repeated fields is 3"},
		{"an alias is not a repetition", `{ document(id: 1) { a: id b: title c: companyName d: author e: language } }`,
			""},
		{"depth of introspection", `{ __schema { types { fields { type { name } } } } }`, "depth is 5"},
		{"introspection is not part of the complexity", `{ __schema { types { name kind } } }`, ""},
		{"breadth", `{ documents { nodes { ` + strings.Repeat("id ", 31) + ` } } }`,
			"number of fields of one object is 31"},
		{"breadth of merged fields", `{ a: document(id: 1) { ` + strings.Repeat("id ", 20) +
			` } a: document(id: 1) { ...F } } fragment F on Document {` + strings.Repeat("id ", 20) + `}`,
			"number of fields of one object is 40"},
		{"rows", `{ documents(first: 1) { nodes { autoTags { name } } } }`, ""},
		{"rows of nested lists", `{ documents(first: 10) { nodes { autoTags { name } } } }`, "number of rows is 110"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := newTestBundle(t, tight)
			r := b.post(t, readKey, c.query, "Accept", typeResponse)
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
			body := fmt.Sprintf(`{"query":"query($n: Int) { documents(first: $n) { nodes { id title companyName author language } } }","variables":{"n":%d}}`, size)
			b.do(t, http.MethodPost, "", body, "Content-Type", typeJSON, "Accept", typeResponse, keyHeader, readKey).
				want(t, want)
		}
	})
	t.Run("time", func(t *testing.T) {
		t.Parallel()
		b := newTestBundle(t, func(c *Config) { c.Policy.Limits.Query = time.Millisecond })
		b.total = func(ctx context.Context) (int, error) {
			<-ctx.Done()
			return 0, ctx.Err()
		}
		b.post(t, readKey, "{ documents { totalCount } }").want(t, http.StatusOK, `"code":"unavailable"`,
			"the request took too long")
	})
	t.Run("tokens", func(t *testing.T) {
		t.Parallel()
		newTestBundle(t, tight).post(t, readKey, "{"+strings.Repeat(" documentCount", 200)+"}").
			want(t, 200, `"code":"limit_exceeded"`, `"limit":`)
	})
	t.Run("exponential fragments", func(t *testing.T) {
		t.Parallel()
		query := "{ documents { nodes { ...F0 } } }"
		for i := range 60 {
			query += fmt.Sprintf(" fragment F%d on Document { a%d: autoTags { name } ...F%d ... { ...F%d } }", i, i,
				i+1, i+1)
		}
		query += " fragment F60 on Document { id }"
		newTestBundle(t).post(t, readKey, query).want(t, 200, `"code":"limit_exceeded"`)
	})
	t.Run("a hidden schema", func(t *testing.T) {
		t.Parallel()
		b := newTestBundle(t, func(c *Config) { c.Policy.HideSchema = true })
		b.post(t, readKey, "{ __schema { queryType { name } } }").want(t, 200, `"code":"bad_request"`)
		b.post(t, readKey, "{ __typename }").want(t, 200, `"Query"`)
		if r := b.post(t, readKey, "{ documentsCount }"); strings.Contains(r.body, "Did you mean") {
			t.Error(r.body)
		}
	})
}

// TestCost tests the cost that a client requests, on each transport and for refused operations.
func TestCost(t *testing.T) {
	t.Parallel()
	const header = "X-Query-Cost"
	b := newTestBundle(t)
	for _, c := range []struct {
		query  string
		status int
		want   map[string]int
	}{
		{`{ documents(first: 30) { totalCount nodes { id ...T } } } fragment T on Document { a: id autoTags { name __typename } }`, 200,
			map[string]int{"complexity": 2 + 1 + 30*(3+10*2), "rows": 30 + 30*10, "depth": 4, "breadth": 3,
				"repeats": 1, "introspection": 0}},
		{`{ documents(first: 100) { nodes { autoTags { name value extractedValue } edited: autoTags { ` +
			aliases(20, "name") + ` } } } }`, 200,
			map[string]int{"complexity": 2 + 100*(2+10*(3+20)), "rows": 100 + 2*100*10, "depth": 4, "breadth": 20,
				"repeats": 1 + 19, "introspection": 0}},
		{`{ __type(name: "ErrorCode") { name enumValues { name } } }`, 200,
			map[string]int{"complexity": 4, "rows": 0, "depth": 3, "breadth": 2, "repeats": 0, "introspection": 3 +
				len(errs.Codes())}},
	} {
		r := b.post(t, readKey, strings.ReplaceAll(c.query, "value extractedValue", "tagType extractedValue"), header,
			"1")
		r.want(t, c.status)
		for name, got := range cutCost(t, &r) {
			if got.Value != c.want[name] || got.Limit == 0 {
				t.Errorf("%s: %s is %+v, want %d", c.query, name, got, c.want[name])
			}
		}
	}
	if r := b.post(t, readKey, `{ documentCount }`); strings.Contains(r.body, "extensions") {
		t.Errorf("the cost is returned without a request: %s", r.body)
	}
	const part = `"extensions":{"cost":{"complexity":{"value":1,"limit":20000}`
	b.post(t, readKey, `{ documentCount }`, header, "1", "Accept", typeStream).want(t, 200, part)
	b.post(t, readKey, `{ documentCount ... @defer { documentCount } }`, header, "1", "Accept", typeMixed).
		want(t, 200, `"cost":`)
}

// TestQueries_wait fills the slots of a workspace's queries. A further query waits; mutations do
// not.
func TestQueries_wait(t *testing.T) {
	t.Parallel()
	b, release := newTestBundle(t), make(chan struct{})
	b.slow = func(context.Context) error { <-release; return nil }
	slots := int64(2 * runtime.GOMAXPROCS(0))
	var all sync.WaitGroup
	for range slots + 3 {
		all.Go(func() { b.post(t, readKey, "{ documentCount }").want(t, 200, `"documentCount":2`) })
	}
	poll.Until(t, func() bool { return b.calls.Load() == slots }, "%d queries run", slots)
	b.post(t, writeKey, `mutation { createDocument(input: {title: "T", content: "c"}) { document { id } } }`).
		want(t, 200, "doc_new")
	if running := b.calls.Load() - 1; running != slots {
		t.Errorf("%d queries run, want %d", running, slots)
	}
	close(release)
	all.Wait()
}

// TestMutations_wait fills the slots of a workspace's mutations. A further mutation waits; queries
// do not.
func TestMutations_wait(t *testing.T) {
	t.Parallel()
	b := newTestBundle(t) // which has room for what one mutation creates
	slots := int64(2 * runtime.GOMAXPROCS(0))
	var all sync.WaitGroup
	for range slots + 3 {
		all.Go(func() {
			b.post(t, writeKey, `mutation { createDocument(input: {title: "T", content: "c"}) { document { id } } }`).
				want(t, 200, "doc_new")
		})
	}
	poll.Until(t, func() bool { return b.calls.Load() == slots+1 }, "%d mutations run", slots)
	b.post(t, readKey, "{ documentCount }").want(t, 200, `"documentCount":2`)
	if running := b.calls.Load() - 2; running != slots {
		t.Errorf("%d mutations run, want %d", running, slots)
	}
	for range slots + 3 {
		<-b.created
	}
	all.Wait()
}

// TestQueries_refused sends more queries than their slots run within the time limit of a query.
func TestQueries_refused(t *testing.T) {
	t.Parallel()
	const took = 30 * time.Millisecond
	b := newTestBundle(t, func(c *Config) { c.Policy.Limits.Query = 4 * took })
	b.slow = func(context.Context) error { time.Sleep(took); return nil }
	var refused atomic.Int64
	var all sync.WaitGroup
	for range 40 * runtime.GOMAXPROCS(0) {
		all.Go(func() {
			r := b.post(t, readKey, "{ documentCount }")
			if strings.Contains(r.body, `"code":"rate_limited"`) && strings.Contains(r.body, `"retry_after":1`) {
				refused.Add(1)
			}
		})
	}
	all.Wait()
	if refused.Load() == 0 {
		t.Error("no query is refused")
	}
}

// TestRemoteTime checks that only a query that waits for a text model may take as long as a
// mutation.
func TestRemoteTime(t *testing.T) {
	t.Parallel()
	b := newTestBundle(t, func(c *Config) { c.Policy.Limits.Mutation = time.Hour })
	for query, isRemote := range map[string]bool{
		"{ documentCount }": false,
		`{ passages(search: "x") { pendingDocumentCount } }`:                                            true,
		`{ documentCount ...Q } fragment Q on Query { passages(search: "x") { pendingDocumentCount } }`: true,
	} {
		var mu sync.Mutex
		var left time.Duration
		b.slow = func(ctx context.Context) error {
			deadline, _ := ctx.Deadline()
			mu.Lock()
			defer mu.Unlock()
			left = time.Until(deadline)
			return nil
		}
		b.post(t, readKey, query).want(t, 200, `"data"`)
		if left > time.Minute != isRemote {
			t.Errorf("%s has %s", query, left)
		}
	}
}
