package integration

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"rostrum/model"
	"rostrum/test/kit"
)

func keyHeader(key string) http.Header { return http.Header{"Idempotency-Key": {key}} }

func count(t *testing.T, a *kit.App) int {
	t.Helper()
	var said struct{ Data struct{ DocumentCount int } }
	if err := json.Unmarshal(graphBody(t, a, nil, map[string]any{"query": "{ documentCount }"}).Body,
		&said); err != nil {
		t.Fatal(err)
	}
	return said.Data.DocumentCount
}

func graphBody(t *testing.T, a *kit.App, header http.Header, request map[string]any) *kit.Response {
	t.Helper()
	body, err := json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	return a.Do(t, "POST", "/graphql", header, string(body))
}

func wantResponse(t *testing.T, answer *kit.Response, status int, part string) {
	t.Helper()
	if answer.Status != status || !strings.Contains(string(answer.Body), part) {
		t.Errorf("%d %s, want %d with %s", answer.Status, answer.Body, status, part)
	}
}

// TestIdempotency sends requests twice through REST and GraphQL.
func TestIdempotency(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, a *kit.App) {
		const path, body = "/api/v1/documents", `{"title":"A <b>","content":"One & two"}`
		twice := func(label string, send func() *kit.Response) {
			t.Helper()
			before := count(t, a)
			first, second := send(), send()
			if first.Status >= 300 || second.Status != first.Status || !bytes.Equal(first.Body, second.Body) ||
				second.Header.Get("Location") != first.Header.Get("Location") {
				t.Errorf("%s: %d %s, then %d %s", label, first.Status, first.Body, second.Status, second.Body)
			}
			if first.Header.Get("Idempotent-Replayed") != "" || second.Header.Get("Idempotent-Replayed") != "true" {
				t.Errorf("%s: marked %q, then %q", label, first.Header.Get("Idempotent-Replayed"),
					second.Header.Get("Idempotent-Replayed"))
			}
			if n := count(t, a) - before; n > 1 {
				t.Errorf("%s: %d rows", label, n)
			}
		}
		twice("REST", func() *kit.Response { return a.Do(t, "POST", path, keyHeader("rest"), body) })
		twice("a secret", func() *kit.Response {
			return a.Do(t, "POST", "/api/v1/auth/keys", keyHeader("mint"), `{"name":"n"}`)
		})
		mutation := map[string]any{"query": `mutation { createDocument(input: {title: "t", content: "<c>"}) { document { id } } }`}
		twice("GraphQL", func() *kit.Response { return graphBody(t, a, keyHeader("gql"), mutation) })
		twice("an upload", func() *kit.Response { return upload(t, a, "same text") })
		wantResponse(t, upload(t, a, "other text"), 422, "idempotency_mismatch")
		wantResponse(t, a.Do(t, "POST", path, keyHeader("rest"), `{"title":"B","content":"c"}`), 422,
			"idempotency_mismatch")
		wantResponse(t, graphBody(t, a, keyHeader("rest"), mutation), 200, "idempotency_mismatch")
		wantResponse(t, a.Do(t, "POST", path, keyHeader(strings.Repeat("k", 256)), body), 422, `"#/Idempotency-Key"`)
		wantResponse(t, graphBody(t, a, keyHeader(strings.Repeat("k", 256)), mutation), 200,
			`["header","Idempotency-Key"]`)
		wantResponse(t, a.Do(t, "POST", path, keyHeader("free"), `{"title":"","content":"c"}`), 422,
			"validation_failed")
		wantResponse(t, a.Do(t, "POST", path, keyHeader("free"), body), 200, "document")
		missing := func() *kit.Response { return a.Do(t, "POST", "/api/v1/jobs/job_x/cancel", keyHeader("gone"), `{}`) }
		wantResponse(t, missing(), 404, "not_found")
		if again := missing(); again.Status != 404 || again.Header.Get("Idempotent-Replayed") != "true" {
			t.Errorf("a stored failure is not returned again: %d %v", again.Status, again.Header)
		}
		var reader struct{ Secret string }
		if err := json.Unmarshal(a.Do(t, "POST", "/api/v1/auth/keys", nil, `{"name":"r","scopes":["read"]}`).Body,
			&reader); err != nil {
			t.Fatal(err)
		}
		narrow := keyHeader("mint")
		narrow["X-Api-Key"] = []string{reader.Secret}
		wantResponse(t, a.Do(t, "POST", "/api/v1/auth/keys", narrow, `{"name":"n"}`), 403, "insufficient_scope")
		postInParallel(t, a, path, body)
	})
}

// postInParallel sends one request 20 times concurrently and expects one row and, in every other
// response, the stored response or 409.
func postInParallel(t *testing.T, a *kit.App, path, body string) {
	before := count(t, a)
	var made, replayed atomic.Int64
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			answer := a.Do(t, "POST", path, keyHeader("parallel"), body)
			switch {
			case answer.Status == 200 && answer.Header.Get("Idempotent-Replayed") == "":
				made.Add(1)
			case answer.Status == 200, answer.Status == 409 && answer.Header.Get("Retry-After") != "":
				replayed.Add(1)
			}
		})
	}
	all.Wait()
	if made.Load() != 1 || replayed.Load() != 19 || count(t, a)-before != 1 {
		t.Errorf("%d ran, %d returned the stored response, %d rows", made.Load(), replayed.Load(), count(t, a)-before)
	}
}

func upload(t *testing.T, a *kit.App, text string) *kit.Response {
	t.Helper()
	const end = "----x"
	body := "--" + end + "\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\nContent-Type: text/plain\r\n\r\n" + text + "\r\n--" + end + "--\r\n"
	header := keyHeader("upload")
	header.Set("Content-Type", "multipart/form-data; boundary="+end)
	return a.Do(t, "POST", "/api/v1/documents/extract-text", header, body)
}

// startPeer starts a second app on the same database with other settings.
func startPeer(t *testing.T, a *kit.App, change func(*kit.App)) *kit.App {
	t.Helper()
	other := *a
	other.Config.DataDir = t.TempDir()
	change(&other)
	return kit.StartWith(t, other.Config)
}

// TestTrustedDocuments starts an app in each mode.
func TestTrustedDocuments(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, a *kit.App) {
		byName := map[string]any{"documentId": "getWorkspace"}
		const unknown, schema = "{ documentCount }", "{ __schema { queryType { name } } }"
		wantResponse(t, graphBody(t, a, nil, byName), 200, a.WorkspaceID)
		wantResponse(t, a.Do(t, "GET", "/graphql?documentId=getWorkspace", nil, ""), 200, a.WorkspaceID)
		wantResponse(t, graphBody(t, a, http.Header{"Accept": {"text/event-stream"}}, byName), 200, a.WorkspaceID)
		wantResponse(t, graphBody(t, a, nil, map[string]any{"documentId": "nothing"}), 400, "document_not_trusted")
		wantResponse(t, a.Do(t, "GET", "/graphql?documentId=mintKey&variables="+
			url.QueryEscape(`{"body":{"name":"n"}}`), nil, ""), 405, "method_not_allowed")
		var doc struct {
			Paths map[string]map[string]struct {
				Text string `json:"x-graphql"`
			}
		}
		if err := json.Unmarshal(a.Do(t, "GET", "/openapi/openapi.json", nil, "").Body, &doc); err != nil {
			t.Fatal(err)
		}
		text := doc.Paths["/api/v1/workspace"]["get"].Text
		sum := sha256.Sum256([]byte(text))

		playground := t.TempDir()
		if err := os.WriteFile(filepath.Join(playground, "index.html"), []byte("graphiql"), 0o600); err != nil {
			t.Fatal(err)
		}
		strict := startPeer(t, a, func(o *kit.App) {
			o.Config.Trust, o.Config.Playground = model.TrustedDocumentsEnforce, playground
		})
		wantResponse(t, graphBody(t, strict, nil, byName), 200, strict.WorkspaceID)
		wantResponse(t, graphBody(t, strict, nil, map[string]any{"documentId": hex.EncodeToString(sum[:])}), 200,
			strict.WorkspaceID)
		wantResponse(t, graphBody(t, strict, nil, map[string]any{"query": text}), 200, strict.WorkspaceID)
		wantResponse(t, graphBody(t, strict, nil, map[string]any{"query": unknown}), 400, "document_not_trusted")
		wantResponse(t, graphBody(t, strict, nil, map[string]any{"query": "{ not even graphql"}), 400,
			"document_not_trusted")
		wantResponse(t, graphBody(t, strict, nil, map[string]any{"query": "{ __typename documentCount }"}), 400,
			"document_not_trusted")
		wantResponse(t, graphBody(t, strict, nil, persisted(unknown, true)), 400, "document_not_trusted")
		wantResponse(t, graphBody(t, strict, nil, map[string]any{"query": schema}), 200, "Query")
		wantResponse(t, strict.Do(t, "GET", "/api/v1/workspace", nil, ""), 200, strict.WorkspaceID)
		wantResponse(t, strict.Do(t, "GET", "/playground", nil, ""), 200, "graphiql")

		no := false
		closed := startPeer(t, a, func(o *kit.App) {
			o.Config.Trust, o.Config.Introspect = model.TrustedDocumentsEnforce, &no
			o.Config.Playground = playground
		})
		wantResponse(t, graphBody(t, closed, nil, map[string]any{"query": schema}), 400, "document_not_trusted")
		wantResponse(t, closed.Do(t, "GET", "/playground", nil, ""), 200, "graphiql")
	})
}

func persisted(text string, withText bool) map[string]any {
	sum := sha256.Sum256([]byte(text))
	request := map[string]any{"extensions": map[string]any{"persistedQuery": map[string]any{"version": 1,
		"sha256Hash": hex.EncodeToString(sum[:])}}}
	if withText {
		request["query"] = text
	}
	return request
}

// TestPersistedQueries tests Apollo's persisted queries.
func TestPersistedQueries(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, a *kit.App) {
		const text = "{ documentCount }"
		wantResponse(t, graphBody(t, a, nil, persisted(text, false)), 200, `"code":"persisted_query_not_found"`)
		wantResponse(t, graphBody(t, a, nil, persisted(text, true)), 200, `"documentCount":0`)
		wantResponse(t, graphBody(t, a, nil, persisted(text, false)), 200, `"documentCount":0`)
		extensions, _ := json.Marshal(persisted(text, false)["extensions"])
		wantResponse(t, a.Do(t, "GET", "/graphql?extensions="+url.QueryEscape(string(extensions)), nil, ""), 200,
			`"documentCount":0`)
		forged := persisted(text, true)
		forged["query"] = "{ workspace { id } }"
		wantResponse(t, graphBody(t, a, nil, forged), 400, "bad_request")
		wantResponse(t, graphBody(t, a, nil, map[string]any{"query": "{ limits { complexity trustedDocuments persistedQueries } }"}), 200,
			fmt.Sprintf(`{"complexity":%d,"trustedDocuments":"OFF","persistedQueries":true}`, 20_000))
	})
}
