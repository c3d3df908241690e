package graph

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/model"
	"rostrum/platform/principal"
)

func TestErrors(t *testing.T) {
	t.Parallel()
	t.Run("internal causes are not exposed", func(t *testing.T) {
		t.Parallel()
		for _, id := range []string{"doc_broken", "doc_panic"} {
			b := newTestBundle(t)
			r := b.post(t, readKey, `{ document(id: "`+id+`") { id } }`)
			r.want(t, 200, `"message":"something went wrong on our side"`, `"code":"internal"`, `"path":["document"]`,
				`"data":{"document":null}`)
			if strings.Contains(r.body, "hunter2") || strings.Contains(r.body, "secret") {
				t.Errorf("the cause leaks: %s", r.body)
			}
			if strings.Count(b.log.String(), "operation failed") != 1 ||
				!strings.Contains(b.log.String(), map[string]string{"doc_broken": "hunter2",
					"doc_panic": "secret"}[id]) {
				t.Errorf("logged: %s", b.log)
			}
		}
	})
	t.Run("a failed batch is logged once", func(t *testing.T) {
		t.Parallel()
		b := newTestBundle(t)
		b.tags = func([]*model.Document) ([][]*model.DocumentAutoTag, error) { return nil, errors.New("no tags today") }
		b.post(t, readKey, `{ documents { nodes { autoTags { name } } } }`).want(t, 200, `"code":"internal"`)
		if n := strings.Count(b.log.String(), "operation failed"); n != 1 {
			t.Errorf("logged %d times: %s", n, b.log)
		}
	})
	t.Run("fields and extra members are returned", func(t *testing.T) {
		t.Parallel()
		b := newTestBundle(t)
		b.post(t, readKey, `{ document(id: "doc_invalid") { id } }`).want(t, 200, `"code":"validation_failed"`,
			`"errors":[{"pointer":"#/title","loc":["body","title"],"msg":"is missing","type":"missing"},{"pointer":"#/content"`)
		b.post(t, readKey, `{ document(id: "doc_gone") { id } }`).want(t, 200, `"code":"cursor_gone"`, `"oldest":7`)
		if b.log.Len() > 0 {
			t.Errorf("an invalid request is logged: %s", b.log)
		}
	})
	t.Run("a canceled request is not logged", func(t *testing.T) {
		t.Parallel()
		b := newTestBundle(t)
		ctx, cancel := context.WithCancel(principal.With(t.Context(),
			principal.Principal{Scopes: []model.Scope{model.ScopeRead}}))
		b.slow = func(ctx context.Context) error { cancel(); <-ctx.Done(); return ctx.Err() }
		op, failed := b.server.Executor().CreateOperationContext(graphql.StartOperationTrace(ctx),
			&graphql.RawParams{Query: "{ documentCount }"})
		if failed != nil {
			t.Fatal(failed)
		}
		responses, ctx := b.server.Executor().DispatchOperation(ctx, op)
		if resp := responses(ctx); len(resp.Errors) != 1 {
			t.Errorf("errors: %v", resp.Errors)
		}
		if b.log.Len() > 0 {
			t.Errorf("logged: %s", b.log)
		}
	})
}

func TestInput(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, query string
		key         string
		want        []string
	}{
		{"@range on an argument", `{ documents(first: 101) { totalCount } }`, readKey,
			[]string{`"pointer":"#/first"`, `"type":"less_than_equal"`, `"msg":"must be at most 100"`}},
		{"@range below", `{ documents(last: 0) { totalCount } }`, readKey,
			[]string{`"pointer":"#/last"`, `"type":"greater_than_equal"`}},
		{"@length counts without white space", `mutation { createDocument(input: {title: "  ", content: "b"}) { document { id } } }`, writeKey,
			[]string{`"pointer":"#/title"`, `"type":"string_too_short"`}},
		{"@length of an optional field", `mutation { createDocument(input: {title: "a", content: "b", contentType: "` +
			strings.Repeat("x", 101) + `"}) { document { id } } }`, writeKey,
			[]string{`"pointer":"#/contentType"`, `"type":"string_too_long"`}},
		{"a bad time", `mutation { createDocument(input: {title: "a", content: "b", extractedDate: "yesterday"}) { document { id } } }`, writeKey,
			[]string{`"pointer":"#/extractedDate"`, `yesterday`}},
		{"NUL in a text", `mutation { createDocument(input: {title: "a", content: "b\u0000"}) { document { id } } }`,
			writeKey, []string{`"pointer":"#/content"`, "NUL"}},
		{"NUL in an id", `{ document(id: "\u0000") { id } }`, readKey, []string{`"pointer":"#/id"`}},
		{"NUL in a filter", `{ documents(filter: {q: "\u0000"}) { totalCount } }`, readKey,
			[]string{`"pointer":"#/filter/q"`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := newTestBundle(t)
			r := b.post(t, c.key, c.query)
			r.want(t, 200, append(c.want, `"code":"validation_failed"`)...)
			if b.calls.Load() != 0 {
				t.Error("the resolver ran")
			}
		})
	}
	t.Run("all invalid fields are reported together", func(t *testing.T) {
		t.Parallel()
		b := newTestBundle(t)
		body := `{"query":"mutation($input: CreateDocumentInput!, $one: String) { a: createDocument(input: $input) { document { id } } b: createDocument(input: {title: $one, content: \"c\", tags: \"\\u0000\"}) { document { id } } }",
			"variables":{"one":" ","input":{"title":"","content":"c","tags":["fine","\u0000"],"extractedDate":"soon"}}}`
		body = strings.Replace(body, "$one: String)", "$one: String!)", 1)
		r := b.do(t, "POST", "", strings.ReplaceAll(body, "\n", ""), "Content-Type", typeJSON, keyHeader, writeKey)
		r.want(t, 200, `"pointer":"#/title"`, `"pointer":"#/tags/1"`, `"pointer":"#/extractedDate"`,
			`"pointer":"#/tags"`)
		if n := strings.Count(r.body, `"pointer"`); n != 5 {
			t.Errorf("%d fields are named: %s", n, r.body)
		}
		if b.calls.Load() != 0 {
			t.Error("the resolver ran")
		}
	})
	t.Run("lengths are code points", func(t *testing.T) {
		t.Parallel()
		b := newTestBundle(t)
		title := strings.Repeat("é", 1000)
		b.post(t, writeKey, `mutation { createDocument(input: {title: "`+title+
			`", content: "b"}) { document { id } } }`).want(t, 200, `"doc_new"`)
		if in := <-b.created; in.Title != title {
			t.Error("the title was changed")
		}
	})
	t.Run("variables are named", func(t *testing.T) {
		t.Parallel()
		newTestBundle(t).do(t, "POST", "", `{"query":"mutation($input: CreateDocumentInput!) { createDocument(input: $input) { document { id } } }","variables":{"input":{"title":"a"}}}`,
			"Content-Type", typeJSON, keyHeader, writeKey).want(t, 200, `"code":"validation_failed"`,
			`"pointer":"#/content"`)
	})
}
