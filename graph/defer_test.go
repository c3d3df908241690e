package graph

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"rostrum/graph/policy"
	"rostrum/model"
)

const (
	accept2022 = "multipart/mixed;deferSpec=20220824, application/json"
	acceptV02  = "multipart/mixed;incrementalSpec=v0.2, application/json"
)

// deliveries returns the responses to a query with @defer, one a line.
func (b *testBundle) deliveries(t *testing.T, accept, query string) string {
	t.Helper()
	r := b.post(t, readKey, query, "Accept", accept)
	if !strings.HasPrefix(r.body, "--graphql\r\n") || !strings.HasSuffix(r.body, "\r\n--graphql--\r\n") {
		t.Fatalf("not in parts: %q", r.body)
	}
	var lines []string
	for part := range strings.SplitSeq(r.body, "--graphql") {
		if _, body, found := strings.Cut(part, "\r\n\r\n"); found {
			lines = append(lines, strings.TrimSpace(body))
		}
	}
	return strings.Join(lines, "\n")
}

func TestDefer(t *testing.T) {
	t.Parallel()
	failing := func(c *cannedData) {
		c.tags = func([]*model.Document) ([][]*model.DocumentAutoTag, error) { return nil, errors.New("broken") }
	}
	for name, c := range map[string]struct {
		query, want2022, wantV02 string
		change                   func(*cannedData)
	}{
		"a field with a resolver": {
			query: `{ document(id: "doc_a") { id ... @defer(label: "tags") { autoTags { name } } } }`,
			want2022: `{"data":{"document":{"id":"doc_a"}},"hasNext":true}
{"incremental":[{"data":{"autoTags":[{"name":"tag of doc_a"}]},"path":["document"],"label":"tags"}],"hasNext":false}`,
			wantV02: `{"pending":[{"id":"0","path":["document"],"label":"tags"}],"data":{"document":{"id":"doc_a"}},"hasNext":true}
{"incremental":[{"id":"0","data":{"autoTags":[{"name":"tag of doc_a"}]}}],"completed":[{"id":"0"}],"hasNext":false}`,
		},
		"plain fields in a list, one also outside": {
			query: `{ documents { nodes { id ... on Node @defer { id ... on Document { title } } } } }`,
			want2022: `{"data":{"documents":{"nodes":[{"id":"doc_a"},{"id":"doc_b"}]}},"hasNext":true}
{"incremental":[{"data":{"id":"doc_a","title":"Title of doc_a"},"path":["documents","nodes",0]},{"data":{"id":"doc_b","title":"Title of doc_b"},"path":["documents","nodes",1]}],"hasNext":false}`,
			wantV02: `{"pending":[{"id":"0","path":["documents","nodes",0]},{"id":"1","path":["documents","nodes",1]}],"data":{"documents":{"nodes":[{"id":"doc_a"},{"id":"doc_b"}]}},"hasNext":true}
{"incremental":[{"id":"0","data":{"title":"Title of doc_a"}},{"id":"1","data":{"title":"Title of doc_b"}}],"completed":[{"id":"0"},{"id":"1"}],"hasNext":false}`,
		},
		"objects that both have are delivered once": {
			query: `{ document(id: "doc_a") { autoTags { name } ...T @defer } } fragment T on Document { autoTags { name value: extractedValue } }`,
			want2022: `{"data":{"document":{"autoTags":[{"name":"tag of doc_a"}]}},"hasNext":true}
{"incremental":[{"data":{"autoTags":[{"name":"tag of doc_a","value":"value"}]},"path":["document"]}],"hasNext":false}`,
			wantV02: `{"pending":[{"id":"0","path":["document"]}],"data":{"document":{"autoTags":[{"name":"tag of doc_a"}]}},"hasNext":true}
{"incremental":[{"id":"0","data":{"value":"value"},"subPath":["autoTags",0]}],"completed":[{"id":"0"}],"hasNext":false}`,
		},
		"nested, at the root and turned off": {
			query: `{ ... @defer(label: "a") { a: documentCount ... @defer(label: "b") { b: documentCount } } ... @defer(if: false) { c: documentCount } }`,
			want2022: `{"data":{"c":2},"hasNext":true}
{"incremental":[{"data":{"a":2},"path":[],"label":"a"}],"hasNext":true}
{"incremental":[{"data":{"b":2},"path":[],"label":"b"}],"hasNext":false}`,
			wantV02: `{"pending":[{"id":"0","path":[],"label":"a"}],"data":{"c":2},"hasNext":true}
{"pending":[{"id":"1","path":[],"label":"b"}],"incremental":[{"id":"0","data":{"a":2}}],"completed":[{"id":"0"}],"hasNext":true}
{"incremental":[{"id":"1","data":{"b":2}}],"completed":[{"id":"1"}],"hasNext":false}`,
		},
		"nothing to defer": {
			query:    `{ document(id: "doc_missing") { id ... @defer { title } } documentCount }`,
			want2022: `{"data":{"document":null,"documentCount":2},"hasNext":false}`,
			wantV02:  `{"data":{"document":null,"documentCount":2},"hasNext":false}`,
		},
		"an error": {
			query: `{ document(id: "doc_a") { id ... @defer { title autoTags { name } } } }`, change: failing,
			want2022: `{"data":{"document":{"id":"doc_a"}},"hasNext":true}
{"incremental":[{"data":{"title":"Title of doc_a","autoTags":null},"path":["document"],"errors":[{"message":"something went wrong on our side","path":["document","autoTags"],"extensions":{"code":"internal"}}]}],"hasNext":false}`,
			wantV02: `{"pending":[{"id":"0","path":["document"]}],"data":{"document":{"id":"doc_a"}},"hasNext":true}
{"incremental":[{"id":"0","data":{"title":"Title of doc_a","autoTags":null},"errors":[{"message":"something went wrong on our side","path":["document","autoTags"],"extensions":{"code":"internal"}}]}],"completed":[{"id":"0"}],"hasNext":false}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for accept, want := range map[string]string{accept2022: c.want2022, acceptV02: c.wantV02} {
				b := newTestBundle(t)
				if c.change != nil {
					c.change(b.cannedData)
				}
				if got := b.deliveries(t, accept, c.query); got != want {
					t.Errorf("%s\ngot  %s\nwant %s", accept, got, want)
				}
			}
		})
	}
}

// TestDefer_kept counts the calls of resolvers: each runs once for the rows of all parts, with the
// columns that all need.
func TestDefer_kept(t *testing.T) {
	t.Parallel()
	b := newTestBundle(t)
	calls := 0
	b.tags = func(docs []*model.Document) ([][]*model.DocumentAutoTag, error) {
		calls++
		return make([][]*model.DocumentAutoTag, len(docs)), nil
	}
	b.deliveries(t, accept2022, `{ documents { nodes { id ... @defer { title autoTags { name } } ... @defer { autoTags { name } } } } }`)
	if calls != 1 {
		t.Errorf("the tags are read %d times", calls)
	}
}

func TestDefer_transports(t *testing.T) {
	t.Parallel()
	const (
		query  = `{ document(id: "doc_a") { id ... @defer { title } } }`
		first  = `{"data":{"document":{"id":"doc_a"}},"hasNext":true}`
		second = `{"incremental":[{"data":{"title":"Title of doc_a"},"path":["document"]}],"hasNext":false}`
	)
	t.Run("content type", func(t *testing.T) {
		t.Parallel()
		for accept, want := range map[string]string{accept2022: "deferSpec=20220824", acceptV02: "incrementalSpec=v0.2"} {
			r := newTestBundle(t).post(t, readKey, query, "Accept", accept)
			if got := r.header.Get("Content-Type"); got != `multipart/mixed;boundary="graphql";`+want {
				t.Error(got)
			}
		}
	})
	t.Run("server-sent events", func(t *testing.T) {
		t.Parallel()
		e := newTestBundle(t).open(t, http.MethodPost, "", `{"query":`+quoteJSON(query)+`}`)
		e.want("event: next|data: " + first)
		e.want("event: next|data: " + second)
		e.want(endOfSSE)
	})
	t.Run("a socket", func(t *testing.T) {
		t.Parallel()
		c := newTestBundle(t).dial(t, readKey)
		c.init(`null`)
		c.subscribe("1", query)
		c.want(`{"id":"1","type":"next","payload":` + first + `}`)
		c.want(`{"id":"1","type":"next","payload":` + second + `}`)
		c.want(`{"id":"1","type":"complete"}`)
		c.send(`{"id":"2","type":"subscribe","payload":{"query":` + quoteJSON(query) + `,"extensions":{"incrementalSpec":"v0.2"}}}`)
		c.want(`{"id":"2","type":"next","payload":{"pending":[{"id":"0","path":["document"]}],` + first[1:] + `}`)
		c.want(`{"id":"2","type":"next","payload":{"incremental":[{"id":"0","data":{"title":"Title of doc_a"}}],"completed":[{"id":"0"}],"hasNext":false}}`)
		c.want(`{"id":"2","type":"complete"}`)
	})
	t.Run("without parts", func(t *testing.T) {
		t.Parallel()
		b := newTestBundle(t)
		b.post(t, readKey, query).want(t, 200, `{"data":{"document":{"id":"doc_a","title":"Title of doc_a"}}}`)
		if r := b.post(t, readKey, `{ documentCount }`, "Accept", accept2022); r.body != `{"data":{"documentCount":2}}` {
			t.Error(r.body)
		}
	})
}

func TestDefer_refused(t *testing.T) {
	t.Parallel()
	newTestBundle(t).post(t, writeKey, `mutation { createDocument(input: {title: "a", content: "b"}) { __typename ... @defer { document { id } } } }`,
		"Accept", accept2022).want(t, 200, `"code":"bad_request"`)
	many := "{" + strings.Repeat(` ... @defer { documentCount }`, 51) + "}"
	b := newTestBundle(t, func(c *Config) { c.Policy.Limits = policy.Limits{Breadth: 1000} })
	b.post(t, readKey, many, "Accept", accept2022).want(t, 200, `"code":"limit_exceeded"`, "deferred fragments is 51")
	b.post(t, readKey, many).want(t, 200, `{"data":{"documentCount":2}}`)
}
