package integration

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/tidwall/gjson"

	"rostrum/test/kit"
)

const draftsPath = "/api/v1/content-creation/drafts"

// requestWith returns a response without decompressing it.
func requestWith(t *testing.T, a *kit.App, method, path, body string, header ...string) *kit.Response {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, a.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("X-API-Key", a.Key)
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	answer, err := (&http.Transport{DisableCompression: true, DisableKeepAlives: true}).RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return &kit.Response{Status: answer.StatusCode, Header: answer.Header, Body: text}
}

// decompress returns the decoded body.
func decompress(t *testing.T, a *kit.Response) []byte {
	t.Helper()
	var from io.Reader = bytes.NewReader(a.Body)
	var err error
	switch a.Header.Get("Content-Encoding") {
	case "gzip":
		from, err = gzip.NewReader(from)
	case "zstd":
		from, err = zstd.NewReader(from)
	}
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(from)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestCompression(t *testing.T) {
	t.Parallel()
	a := kit.Stacks(t)[0].Start(t)
	text := strings.Repeat("A paragraph that says the same as the one before it. ", 100)
	made := requestWith(t, a, "POST", "/api/v1/documents", `{"title":"Long","content":"`+text+`"}`)
	draft := requestWith(t, a, "POST", draftsPath, `{"title":"Long","content":"`+text+`"}`)
	if made.Status >= 300 || draft.Status >= 300 {
		t.Fatalf("%s %s", made.Body, draft.Body)
	}
	id := gjson.GetBytes(draft.Body, "draft.id").String()
	query := `{"query":"{ documents { nodes { id title content createdAt } } }"}`
	export := `{"content_text":"` + text + `","format":"txt","title":"Long"}`
	for name, one := range map[string]struct{ method, path, body string }{
		"GraphQL": {"POST", "/graphql", query}, "a list": {"GET", "/api/v1/documents", ""},
		"OpenAPI": {"GET", "/openapi/openapi.json", ""},
		"a page":  {"GET", "/schema.graphqls", ""}, "an export": {"POST", "/api/v1/content-creation/export", export},
		"a draft": {"GET", draftsPath + "/" + id, ""},
	} {
		whole := requestWith(t, a, one.method, one.path, one.body, "Accept-Encoding", "identity")
		if whole.Status != http.StatusOK || whole.Header.Get("Content-Encoding") != "" {
			t.Errorf("%s: %d %v %.300s", name, whole.Status, whole.Header, whole.Body)
			continue
		}
		for _, coding := range []string{"zstd", "gzip"} {
			got := requestWith(t, a, one.method, one.path, one.body, "Accept-Encoding", coding)
			if got.Header.Get("Content-Encoding") != coding || !bytes.Equal(decompress(t, got), whole.Body) {
				t.Errorf("%s in %s: %d %v", name, coding, got.Status, got.Header)
			}
			tag := got.Header.Get("ETag")
			if tag == whole.Header.Get("ETag") && tag != "" {
				t.Errorf("%s has the same entity tag for two representations, %s", name, tag)
			}
			if one.method != "GET" || tag == "" {
				continue
			}
			again := requestWith(t, a, "GET", one.path, "", "Accept-Encoding", coding, "If-None-Match", tag)
			if again.Status != http.StatusNotModified || again.Header.Get("ETag") != tag || len(again.Body) > 0 {
				t.Errorf("%s with its entity tag: %d %v", name, again.Status, again.Header)
			}
			head := requestWith(t, a, "HEAD", one.path, "", "Accept-Encoding", coding)
			if head.Header.Get("ETag") != tag || head.Header.Get("Content-Encoding") != coding ||
				head.Header.Get("Content-Length") != "" {
				t.Errorf("HEAD of %s: %v", name, head.Header)
			}
		}
	}
	t.Run("a draft is changed by the entity tag of its compressed body", func(t *testing.T) {
		tag := requestWith(t, a, "GET", draftsPath+"/"+id, "", "Accept-Encoding", "gzip").Header.Get("ETag")
		if got := requestWith(t, a, "POST", draftsPath, `{"draft_id":"`+id+`","title":"Second"}`, "If-Match",
			tag); got.Status != http.StatusOK {
			t.Errorf("%d %s", got.Status, got.Body)
		}
		if got := requestWith(t, a, "POST", draftsPath, `{"draft_id":"`+id+`","title":"Third"}`, "If-Match", tag,
			"Accept-Encoding", "gzip"); got.Status != http.StatusPreconditionFailed {
			t.Errorf("the old tag: %d %s", got.Status, got.Body)
		}
	})
	t.Run("a stream is not compressed", func(t *testing.T) {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, a.URL+"/graphql",
			strings.NewReader(`{"query":"subscription { events { id } }"}`))
		if err != nil {
			t.Fatal(err)
		}
		request.Header = http.Header{
			"X-Api-Key": {a.Key}, "Content-Type": {"application/json"}, "Accept": {"text/event-stream"},
			"Accept-Encoding": {"gzip, br, zstd"},
		}
		answer, err := kit.Transport.RoundTrip(request)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		begun := make([]byte, 3)
		if _, err := io.ReadFull(answer.Body, begun); err != nil || string(begun) != ":\n\n" ||
			answer.Header.Get("Content-Encoding") != "" {
			t.Errorf("%q (%v), %v", begun, err, answer.Header)
		}
	})
}
