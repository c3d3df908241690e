package rest_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5"
)

// FuzzRequest checks that no path, query or body makes the adapter panic or respond with a 5xx, and
// that every response is as documented.
func FuzzRequest(f *testing.F) {
	for _, seed := range []struct {
		method       byte
		path, query  string
		media, value string
	}{
		{0, "documents", "page=1&light=true&sort=-title", "", ""},
		{0, "documents/%00", "q=%ff&page=1e9", "", ""},
		{0, "jobs/job_1/events", "after=-1", "", ""},
		{1, "documents", "", "application/json", `{"title":"T","content":"c","tags":[null,{"a":[]}],"extracted_date":""}`},
		{1, "documents", "", "application/json", `{"title":"\ud800\u0000","content":1e400}`},
		{1, "documents/extract-text", "", "multipart/form-data; boundary=x",
			"--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\nb\r\n--x--"},
		{1, "auth/keys/a%2Fb/rotate", "", "application/json", `{"overlap_seconds":-0.0}`},
		{1, "jobs/job_1/cancel", "", "text/plain", "null"},
		{3, "documents/doc_1", "", "application/merge-patch+json", `{"title":[[[[]]]]}`},
		{4, "documents//", "a;b", "", "x"},
		{9, "../v1", "", "", ""},
		{1, "auth/keys/%2F /rotate", "", "application/json", "0"},
	} {
		f.Add(seed.method, seed.path, seed.query, seed.media, seed.value)
	}
	graph := &graphCalls{events: twoEvents, ended: make(chan struct{})}
	adapter := newAdapter(f, graph)
	router := chi.NewRouter()
	if err := adapter.Mount(router); err != nil {
		f.Fatal(err)
	}
	methods := []string{"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"}
	f.Fuzz(func(t *testing.T, method byte, path, query, media, body string) {
		r := httptest.NewRequest(methods[int(method)%len(methods)], "/api/v1/", strings.NewReader(body))
		address, err := url.ParseRequestURI("/api/v1/" + strings.ReplaceAll(path, "?", "%3F"))
		if err != nil {
			t.Skip("not a valid request address")
		}
		r.URL, r.URL.RawQuery = address, query
		r.Header = http.Header{"X-Api-Key": {goodKey}, "Content-Type": {media}}
		w := httptest.NewRecorder()
		router.ServeHTTP(w, r)
		if w.Code >= 500 && !strings.Contains(path, "doc_panic") && !strings.Contains(path, "doc_broken") {
			t.Fatalf("the status is %d: %s", w.Code, w.Body)
		}
		if r.Method == http.MethodOptions || w.Code >= 500 || address.RawPath != "" &&
			address.RawPath != address.EscapedPath() {
			return // the document's router finds no path that is not encoded as clients do
		}
		if err := adapter.CheckResponse(r, w.Code, w.Header(), w.Body.Bytes()); err != nil {
			t.Fatal(err)
		}
	})
}
