package integration

import (
	"bytes"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"rostrum/test/kit"
)

// TestGraphCache checks by which headers clients and caches use a response to a GET of the graph
// again.
func TestGraphCache(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, a *kit.App) {
		made := requestWith(t, a, "POST", "/api/v1/documents", `{"title":"First","content":"A short text."}`)
		id := gjson.GetBytes(made.Body, "document.id").String()
		query := "/graphql?query=" + url.QueryEscape(`query ($id: ID!) { document(id: $id) { id title } }`) +
			"&variables=" + url.QueryEscape(`{"id":"`+id+`"}`)
		stored := "/graphql?documentId=getDocument&variables=" + url.QueryEscape(`{"doc_id":"`+id+`"}`)
		tags := map[string]string{}
		for name, path := range map[string]string{"a query": query, "a stored operation": stored} {
			tags[path] = testUnchanged(t, a, name, path)
		}
		t.Run("another media type is another representation", func(t *testing.T) {
			got := requestWith(t, a, "GET", query, "", "If-None-Match", tags[query], "Accept",
				"application/graphql-response+json")
			if got.Status != http.StatusOK || got.Header.Get("ETag") == tags[query] {
				t.Errorf("%d %v", got.Status, got.Header)
			}
		})
		t.Run("another workspace does not receive 304", func(t *testing.T) {
			got := requestWith(t, a.Tenant(t), "GET", query, "", "If-None-Match", tags[query])
			if got.Status != http.StatusOK || string(got.Body) != `{"data":{"document":null}}` {
				t.Errorf("%d %s", got.Status, got.Body)
			}
		})
		t.Run("errors are not kept", func(t *testing.T) { testNotKept(t, a, query, tags[query]) })
		t.Run("a POST and a stream have no entity tag", func(t *testing.T) {
			posted := requestWith(t, a, "POST", "/graphql", `{"query":"{ documentCount }"}`)
			streamed := requestWith(t, a, "GET", "/graphql?query=%7B+documentCount+%7D", "", "Accept",
				"text/event-stream")
			for _, got := range []*kit.Response{posted, streamed} {
				if got.Status != http.StatusOK || got.Header.Get("ETag") != "" ||
					strings.Contains(got.Header.Get("Cache-Control"), "private") {
					t.Errorf("%d %v", got.Status, got.Header)
				}
			}
		})
		t.Run("introspection without a key is public", func(t *testing.T) { testPublic(t, a) })
		t.Run("a change is seen", func(t *testing.T) {
			requestWith(t, a, "PATCH", "/api/v1/documents/"+id, `{"title":"Second"}`)
			for path, tag := range tags {
				got := requestWith(t, a, "GET", path, "", "If-None-Match", tag)
				if got.Status != http.StatusOK || got.Header.Get("ETag") == tag ||
					!strings.Contains(string(got.Body), `"Second"`) {
					t.Errorf("%s: %d %v %s", path, got.Status, got.Header, got.Body)
				}
			}
		})
	})
}

// testUnchanged checks that a response has an entity tag and that the same response is not sent
// again. It returns the tag.
func testUnchanged(t *testing.T, a *kit.App, name, path string) string {
	t.Helper()
	first := requestWith(t, a, "GET", path, "")
	tag := first.Header.Get("ETag")
	if first.Status != http.StatusOK || tag == "" || bytes.Contains(first.Body, []byte("errors")) {
		t.Fatalf("%s: %d %v %s", name, first.Status, first.Header, first.Body)
	}
	again := requestWith(t, a, "GET", path, "", "If-None-Match", `"other", `+tag)
	if again.Status != http.StatusNotModified || len(again.Body) > 0 {
		t.Errorf("%s with its tag: %d %s", name, again.Status, again.Body)
	}
	for _, got := range []*kit.Response{first, again} {
		vary := strings.Join(got.Header.Values("Vary"), ", ")
		if got.Header.Get("ETag") != tag || got.Header.Get("Cache-Control") != "private, no-cache" ||
			!strings.Contains(vary, "Accept, X-API-Key, X-Workspace-Id, X-Query-Cost") {
			t.Errorf("%s with status %d: %v", name, got.Status, got.Header)
		}
	}
	return tag
}

// testNotKept checks that no cache may keep a response to a GET with errors.
func testNotKept(t *testing.T, a *kit.App, query, tag string) {
	t.Helper()
	for name, one := range map[string]struct {
		path, key string
		status    int
	}{
		"a rejected operation": {"/graphql?query=%7B+nothing+%7D", a.Key, http.StatusOK},
		"a failing part": {"/graphql?query=" +
			url.QueryEscape(`{ documentCount documents(first: 1, after: "x") { nodes { id } } }`), a.Key,
			http.StatusOK},
		"a mutation": {"/graphql?query=" +
			url.QueryEscape(`mutation { createDocument(input: {title: "a", content: "b"}) { document { id } } }`),
			a.Key, http.StatusMethodNotAllowed},
		"a query without a key": {query, "", http.StatusUnauthorized},
		"an unknown key":        {query, "unknown", http.StatusUnauthorized},
	} {
		got := requestWith(t, a, "GET", one.path, "", "X-API-Key", one.key, "If-None-Match", tag)
		if got.Status != one.status || got.Header.Get("ETag") != "" || got.Header.Get("Cache-Control") != "no-store" ||
			!bytes.Contains(got.Body, []byte(`"errors"`)) {
			t.Errorf("%s: %d %v %s", name, got.Status, got.Header, got.Body)
		}
	}
}

// testPublic checks that introspection may be kept by shared caches only if it is sent without a
// key.
func testPublic(t *testing.T, a *kit.App) {
	t.Helper()
	const path = "/graphql?query=%7B+__schema+%7B+queryType+%7B+name+%7D+%7D+%7D"
	public, private := requestWith(t, a, "GET", path, "", "X-API-Key", ""), requestWith(t, a, "GET", path, "")
	if public.Header.Get("Cache-Control") != "public, max-age=60" || public.Header.Get("ETag") == "" ||
		!strings.Contains(strings.Join(public.Header.Values("Vary"), ", "), "X-API-Key") {
		t.Errorf("without a key: %d %v", public.Status, public.Header)
	}
	if private.Header.Get("Cache-Control") != "private, no-cache" || !bytes.Equal(public.Body, private.Body) {
		t.Errorf("with a key: %d %v", private.Status, private.Header)
	}
}
