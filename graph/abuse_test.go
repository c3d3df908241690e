package graph

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/graph/policy"
	"rostrum/model"
	"rostrum/platform/principal"
	"rostrum/test/kit/poll"
)

// runOperation runs an operation without HTTP and returns its first response.
func runOperation(t *testing.T, s *Server, key, query string) *graphql.Response {
	t.Helper()
	ctx := t.Context()
	if key != "" {
		ctx = principal.With(ctx, principal.Principal{WorkspaceID: "wsp_1", Scopes: []model.Scope{scopes[key]}})
	}
	responses, ctx := startOperation(ctx, t, s, query)
	return responses(ctx)
}

func startOperation(ctx context.Context, t *testing.T, s *Server, query string) (graphql.ResponseHandler,
	context.Context) {
	t.Helper()
	ctx = graphql.StartOperationTrace(ctx)
	op, failed := s.Executor().CreateOperationContext(ctx, &graphql.RawParams{Query: query})
	if failed != nil {
		t.Fatal(failed)
	}
	return s.Executor().DispatchOperation(ctx, op)
}

// eachMode runs a test on compiled selections and on gqlgen's walk.
func eachMode(t *testing.T, run func(t *testing.T, setMode func(*Config))) {
	t.Helper()
	for _, interpret := range []bool{false, true} {
		t.Run(fmt.Sprintf("interpret %t", interpret), func(t *testing.T) {
			run(t, func(c *Config) { c.Interpret = interpret })
		})
	}
}

// TestAnswer_bytes requests longer texts than a response may have. It measures allocations, so it
// does not run in parallel.
func TestAnswer_bytes(t *testing.T) {
	const limit, text = 1 << 20, 256 << 10
	setLimit := func(c *Config) { c.Policy.Limits.Answer = limit }
	eachMode(t, func(t *testing.T, setMode func(*Config)) {
		b := newTestBundle(t, setMode, setLimit)
		long := strings.Repeat("x", text)
		b.documents = nil
		for i := range 100 {
			row := sampleDocument(fmt.Sprint("doc_", i))
			row.Content = &long
			b.documents = append(b.documents, row)
		}
		for _, query := range []string{
			`{ documents(first: 100) { nodes { id content } } }`,
			"{ document(id: \"doc_1\") { " + aliases(30, "content") + " } }",
			"{ " + aliases(30, `document(id: "doc_1") { content }`) + " }",
		} {
			var r testResponse
			bytes := math.MaxInt
			// the least, as the number of root fields that have read their text when one exceeds the limit varies
			for range 5 {
				bytes = min(bytes, allocatedBytes(func() { r = b.post(t, readKey, query) }))
			}
			r.want(t, 200, `"code":"limit_exceeded"`, "more than the 1048576 bytes", `"limit":1048576`)
			if len(r.body) > 2000 || strings.Count(r.body, "message") != 1 {
				t.Errorf("%d bytes: %.500s", len(r.body), r.body)
			}
			if bytes > 8*limit {
				t.Errorf("%d bytes are allocated for %.50s", bytes, query)
			}
		}
		b.post(t, readKey, `{ documents(first: 3) { nodes { title } } document(id: "doc_1") { content } }`).
			want(t, 200, long)
	})
	t.Run("characters that need escapes", func(t *testing.T) {
		b := newTestBundle(t, setLimit)
		long := strings.Repeat("\x01", text)
		b.documents[0].Content = &long
		b.post(t, readKey, `{ document(id: "doc_a") { content } }`).
			want(t, 200, `"data":null`, `"code":"limit_exceeded"`)
	})
	t.Run("each event of a subscription", func(t *testing.T) {
		b := newTestBundle(t, func(c *Config) { c.Policy.Limits.Answer = 200 })
		e := b.open(t, "POST", "", `{"query":`+quoteJSON(watchQuery)+`}`)
		for range 5 {
			b.events <- jobEvent(1)
			e.want("event: next|data: " + firstEvent)
		}
	})
}

// stopRows is the number of rows in the tests of operations that stop.
const stopRows = 500

func (b *testBundle) addRows() {
	b.documents = nil
	for i := range stopRows {
		b.documents = append(b.documents, sampleDocument(fmt.Sprint("doc_", i)))
	}
}

// TestStop_walk ends a query's context after 100 fields and counts the fields that gqlgen's walk
// resolves after that.
func TestStop_walk(t *testing.T) {
	t.Parallel()
	for name, query := range map[string]string{
		"query":    `{ documents { nodes { id title companyName author language } } }`,
		"deferred": `{ documents { nodes { id title companyName ... @defer(label: "more") { author language } } } }`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newTestBundle(t, func(c *Config) { c.Interpret = true })
			b.addRows()
			ctx, leave := context.WithCancel(principal.With(t.Context(),
				principal.Principal{Scopes: []model.Scope{model.ScopeRead}}))
			var resolved, after atomic.Int64
			var left atomic.Bool
			b.server.Executor().AroundFields(func(fieldCtx context.Context, next graphql.Resolver) (any, error) {
				if left.Load() {
					after.Add(1)
				}
				if resolved.Add(1) == 100 {
					leave()
					left.Store(true) // not before the contexts below have ended too
				}
				return next(fieldCtx)
			})
			responses, operation := startOperation(ctx, t, b.server, query)
			messages := 0
			for resp := responses(operation); resp != nil; resp = responses(operation) {
				messages += len(resp.Errors)
			}
			if n := after.Load(); n > stopRows/2 {
				t.Errorf("%d fields are resolved after the client has left", n)
			}
			if messages != 1 {
				t.Errorf("%d errors, want 1", messages)
			}
		})
	}
}

// TestStop_compiled ends the context of a query before its compiled rows are written.
func TestStop_compiled(t *testing.T) {
	t.Parallel()
	b := newTestBundle(t)
	b.addRows()
	ctx, leave := context.WithCancel(principal.With(t.Context(),
		principal.Principal{Scopes: []model.Scope{model.ScopeRead}}))
	b.tags = func(docs []*model.Document) ([][]*model.DocumentAutoTag, error) {
		leave()
		return make([][]*model.DocumentAutoTag, len(docs)), nil
	}
	responses, operation := startOperation(ctx, t, b.server, `{ documents { nodes { title autoTags { name } } } }`)
	resp := responses(operation)
	if n := strings.Count(string(resp.Data), "Title of"); n > 0 || len(resp.Errors) != 1 {
		t.Errorf("%d rows are written, errors %v", n, resp.Errors)
	}
}

// TestStop_stream leaves a stream before its deferred part is sent. It counts goroutines, so it
// does not run in parallel.
func TestStop_stream(t *testing.T) {
	b := newTestBundle(t)
	release, before := make(chan struct{}), runtime.NumGoroutine()
	var entered atomic.Int64
	b.tags = func(docs []*model.Document) ([][]*model.DocumentAutoTag, error) {
		entered.Add(1)
		<-release
		return make([][]*model.DocumentAutoTag, len(docs)), nil
	}
	for i := range int64(10) {
		e := b.open(t, "POST", "", `{"query":"{ document(id: \"doc_a\") { id ... @defer(label: \"a\") { a: autoTags { name } } ... @defer(label: \"b\") { b: autoTags { name } } } }"}`)
		e.frame()
		poll.Until(t, func() bool { return entered.Load() == i+1 }, "the deferred part is not resolved")
		_ = e.body.Close()
	}
	client.CloseIdleConnections()
	close(release)
	poll.Until(t, func() bool { return runtime.NumGoroutine() <= before+3 }, "goroutines of deferred parts are blocked")
}

// TestErrors_listed counts the errors of responses that have many.
func TestErrors_listed(t *testing.T) {
	t.Parallel()
	unknown := "{ "
	for i := range 25 {
		unknown += fmt.Sprintf("d%d: document(id: 1) { ", i)
		for j := range 150 {
			unknown += fmt.Sprintf("unknown%d ", j)
		}
		unknown += "} "
	}
	eachMode(t, func(t *testing.T, setMode func(*Config)) {
		t.Parallel()
		b := newTestBundle(t, setMode)
		b.addRows()
		for _, row := range b.documents {
			invalid := model.ProcessingStatus("unheard_of \u00e9")
			row.ProcessingStatus = &invalid
		}
		wantListed(t, b.post(t, readKey, unknown+"}"), 200, 20, "3730 more errors are not listed")
		b.tags = func([]*model.Document) ([][]*model.DocumentAutoTag, error) { return nil, errors.New("no tags today") }
		wantListed(t, b.post(t, readKey, `{ documents { nodes { id autoTags { name } } } }`), 200, 20,
			"480 more errors are not listed", `"omitted":480`)
	})
	t.Run("invalid fields", func(t *testing.T) {
		t.Parallel()
		tags := strings.Repeat(`"\u0000",`, 5000)
		body := `{"query":"mutation($input: CreateDocumentInput!) { createDocument(input: $input) { document { id } } }",
			"variables":{"input":{"title":"a","content":"c","tags":[` + strings.TrimSuffix(tags, ",") + `]}}}`
		r := newTestBundle(t).do(t, "POST", "", body, "Content-Type", typeJSON, keyHeader, writeKey)
		r.want(t, 200, `"pointer":"#/tags/19"`, "4980 more fields are invalid", `"omitted":4980`)
		if len(r.body) > 5000 || strings.Contains(r.body, "#/tags/20") {
			t.Errorf("%d bytes: %.300s", len(r.body), r.body)
		}
	})
}

// wantListed checks a response with the number of listed errors, and one more that counts the
// others.
func wantListed(t *testing.T, r testResponse, status, listed int, parts ...string) {
	t.Helper()
	r.want(t, status, parts...)
	if n := strings.Count(r.body, `"message"`); n != listed+1 {
		t.Errorf("%d errors, want %d: %.500s", n, listed+1, r.body)
	}
}

// TestText limits an operation's text and the work for invalid texts. It measures allocations, so
// it does not run in parallel.
func TestText(t *testing.T) {
	b := newTestBundle(t)
	conflicts := "{ "
	for i := range 8 {
		conflicts += fmt.Sprintf("d%d: document(id: 1) { ", i)
		for j := range 190 {
			conflicts += fmt.Sprintf("same: unknown%d ", j)
		}
		conflicts += "} "
	}
	manyNames := "{ "
	for i := range 25 {
		manyNames += fmt.Sprintf("d%d: document(id: 1) { %s } ", i, strings.Repeat("titel contend autor tags_ ", 45))
	}
	for _, c := range []struct{ name, query, want string }{
		{"a text of 2 MB", "{ " + strings.Repeat("x", 2<<20) + " }", "2097156 bytes"},
		{"a long comment", "{ documentCount } # " + strings.Repeat("x", 300<<10), "307220 bytes"},
		{"a long name", "{ " + strings.Repeat("x", 200<<10) + " }", "Cannot query field"},
		{"a long type", "{ ...A } fragment A on " + strings.Repeat("X", 200<<10) + " { id }", "Unknown type"},
		{"a long argument", "{ document(" + strings.Repeat("x", 200<<10) + ": 1) { id } }", "Unknown argument"},
		{"a long enum value", "{ documents(sort: " + strings.Repeat("X", 200<<10) + ") { totalCount } }", "Value "},
		{"many unknown names", manyNames + "}", "Cannot query field"},
		{"conflicting fields", conflicts + "}", "number of conflicting fields is 143640"},
		{"a fragment that contains itself", "{ document(id: 1) { ...A } } fragment A on Document { " +
			aliases(20, "autoTags { ...A }") + " }", "complexity is"},
		{"a fragment that is not used", "{ documentCount } fragment A on Document { " + conflictingFields(190) + " }",
			"number of conflicting fields is 17955"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var r testResponse
			bytes := allocatedBytes(func() { r = b.post(t, readKey, c.query) })
			r.want(t, 200, c.want)
			if allowed := 30<<20 + 10*len(c.query); bytes > allowed || len(r.body) > 20_000 {
				t.Errorf("%d bytes are allocated, %d sent", bytes, len(r.body))
			}
		})
	}
}

// conflictingFields returns n different fields under one alias.
func conflictingFields(n int) string {
	var out strings.Builder
	for i := range n {
		fmt.Fprintf(&out, " same: unknown%d", i)
	}
	return out.String()
}

// TestSuggestions tests that errors with short names suggest similar ones.
func TestSuggestions(t *testing.T) {
	t.Parallel()
	b := newTestBundle(t)
	for query, want := range map[string]string{
		`{ documentsCount }`:                                 `Did you mean \"documentCount\"`,
		`{ document(idd: 1) { id } }`:                        `Did you mean \"id\"?`,
		`{ ...A } fragment A on Querry { documentCount }`:    `Did you mean \"Query\"`,
		`{ documents(sort: CREATED_AT_ASK) { totalCount } }`: `Did you mean the enum value \"CREATED_AT_ASC\"`,
		`{ documents }`:                                      `Did you mean \"documents { ... }\"`,
	} {
		b.post(t, "", query).want(t, 200, want, `"code":"bad_request"`)
	}
	c := b.dial(t, readKey)
	c.send(`{"type":"connection_init"}`)
	c.want(`{"type":"connection_ack"}`)
	c.send(`{"id":"1","type":"subscribe","payload":{"query":"{ documentsCount }"}}`)
	if frame, err := c.read(); err != nil || !strings.Contains(frame, "Did you mean") {
		t.Errorf("%s %v", frame, err)
	}
}

// TestDocumentCache_memory sends many long texts and measures the memory that stays in use, so it
// does not run in parallel.
func TestDocumentCache_memory(t *testing.T) {
	s := New(Config{Resolvers: newCanned(), Policy: policy.Config{Logger: slog.New(slog.DiscardHandler),
		Limits: policy.Limits{Query: time.Minute}}})
	before := liveBytes()
	for i := range 20 {
		for _, size := range []int{20 << 10, 200 << 10} {
			runOperation(t, s, readKey, fmt.Sprintf("{ documentCount } # %d %s", i, strings.Repeat("x", size)))
		}
	}
	if grown := liveBytes() - before; grown > 5<<19 {
		t.Errorf("%d bytes are kept", grown)
	}
	runtime.KeepAlive(s)
}

// liveBytes returns the bytes of the heap that are in use.
func liveBytes() int {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int(stats.HeapAlloc)
}
