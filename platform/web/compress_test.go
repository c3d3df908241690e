package web_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"rostrum/platform/web"
)

// largeBody exceeds the minimum size for compression.
var largeBody = strings.Repeat(`{"id":"doc_1","title":"A text that comes again"}`, 200)

func decode(t *testing.T, name string, body []byte) string {
	t.Helper()
	var from io.Reader = bytes.NewReader(body)
	var err error
	switch name {
	case "gzip":
		from, err = gzip.NewReader(from)
	case "zstd":
		from, err = zstd.NewReader(from)
	}
	if err != nil {
		t.Fatal(err)
	}
	plain, err := io.ReadAll(from)
	if err != nil {
		t.Fatal(err)
	}
	return string(plain)
}

// testPage responds with a body and an entity tag, as the API and GraphQL handlers do.
type testPage struct {
	media, body string
	length      bool
}

func (p testPage) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("ETag", `"v1"`)
	for tag := range strings.SplitSeq(r.Header.Get("If-None-Match"), ",") {
		if strings.TrimSpace(tag) == `"v1"` {
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	h.Set("Content-Type", p.media)
	h.Set("X-If-Match", r.Header.Get("If-Match"))
	if p.length {
		h.Set("Content-Length", strconv.Itoa(len(p.body)))
	}
	if r.Method == http.MethodHead {
		return
	}
	for rest := p.body; rest != ""; {
		n := min(len(rest), 700)
		_, _ = io.WriteString(w, rest[:n])
		rest = rest[n:]
	}
}

func sendRequest(t *testing.T, handler http.Handler, method string, header ...string) *http.Response {
	t.Helper()
	server := httptest.NewServer(web.Compress(handler))
	defer server.Close()
	request, err := http.NewRequestWithContext(t.Context(), method, server.URL, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		request.Header.Add(header[i], header[i+1])
	}
	client := &http.Client{Transport: &http.Transport{DisableCompression: true}}
	defer client.CloseIdleConnections()
	answer, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body = io.NopCloser(bytes.NewReader(body))
	return answer
}

func TestCompress_negotiation(t *testing.T) {
	t.Parallel()
	for accepted, want := range map[string]string{
		"": "", "gzip": "gzip", "zstd": "zstd", "gzip, deflate, br, zstd": "gzip", "gzip;q=0.9, zstd": "zstd",
		"br": "", "deflate": "", "identity": "", "gzip;q=0": "", "zstd;q=0.5, gzip;q=0.8": "gzip",
		" GZIP ; Q=1.0 ": "gzip",
	} {
		for _, length := range []bool{true, false} {
			answer := sendRequest(t, testPage{"application/json", largeBody, length}, "GET", "Accept-Encoding",
				accepted)
			body, _ := io.ReadAll(answer.Body)
			if got := answer.Header.Get("Content-Encoding"); got != want || decode(t, got, body) != largeBody {
				t.Errorf("%q: coding %q, want %q, or the body differs", accepted, got, want)
			}
			if want != "" && len(body) > len(largeBody)/4 {
				t.Errorf("%s makes %d bytes of %d", want, len(body), len(largeBody))
			}
			tag := `"v1"`
			if want != "" {
				tag = `"v1-` + want + `"`
			}
			if answer.Header.Get("ETag") != tag || answer.Header.Get("Vary") != "Accept-Encoding" {
				t.Errorf("%q: ETag %s, Vary %s", accepted, answer.Header.Get("ETag"), answer.Header.Get("Vary"))
			}
		}
	}
}

func TestCompress_uncompressed(t *testing.T) {
	t.Parallel()
	for name, one := range map[string]testPage{
		"small":                   {"application/json", largeBody[:1023], true},
		"small of unknown length": {"application/json", largeBody[:1023], false},
		"an image":                {"image/png", largeBody, true}, "a zip": {"application/zip", largeBody, false},
		"a stream": {"text/event-stream", largeBody, false},
		"empty":    {"application/json", "", true},
	} {
		answer := sendRequest(t, one, "GET", "Accept-Encoding", "gzip")
		if body, _ := io.ReadAll(answer.Body); answer.Header.Get("Content-Encoding") != "" ||
			string(body) != one.body || answer.Header.Get("ETag") != `"v1"` {
			t.Errorf("%s: %v, %d bytes", name, answer.Header, len(body))
		}
	}
	t.Run("a body with a coding of its own and a range are unchanged", func(t *testing.T) {
		t.Parallel()
		static := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/plain")
			w.Header().Set("Content-Encoding", "br")
			_, _ = io.WriteString(w, largeBody)
		})
		if answer := sendRequest(t, static, "GET", "Accept-Encoding",
			"gzip"); answer.Header.Get("Content-Encoding") != "br" {
			t.Errorf("%v", answer.Header)
		}
		gzipped := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/plain")
			w.Header().Set("Content-Encoding", "gzip")
			w.Header().Set("ETag", `"own"`)
			_, _ = io.WriteString(w, largeBody)
		})
		if answer := sendRequest(t, gzipped, "GET", "Accept-Encoding",
			"gzip"); answer.Header.Get("Content-Encoding") != "gzip" || answer.Header.Get("ETag") != `"own"` {
			t.Errorf("a body in gzip: %v", answer.Header)
		}
		part := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			http.ServeContent(w, r, "a.txt", time.Time{}, strings.NewReader(largeBody))
		})
		answer := sendRequest(t, part, "GET", "Accept-Encoding", "gzip", "Range", "bytes=0-4999")
		if body, _ := io.ReadAll(answer.Body); answer.StatusCode != http.StatusPartialContent ||
			string(body) != largeBody[:5000] {
			t.Errorf("a range: %d, %v", answer.StatusCode, answer.Header)
		}
	})
}

func TestCompress_types(t *testing.T) {
	t.Parallel()
	guess := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "<!DOCTYPE html>"+largeBody)
	})
	if answer := sendRequest(t, guess, "GET", "Accept-Encoding",
		"gzip"); answer.Header.Get("Content-Type") != "text/html; charset=utf-8" ||
		answer.Header.Get("Content-Encoding") != "gzip" {
		t.Errorf("a page without a type: %v", answer.Header)
	}
}

func TestCompress_conditions(t *testing.T) {
	t.Parallel()
	body := testPage{"application/json", largeBody, true}
	for _, test := range []struct{ accepted, known, want string }{
		{"gzip", `"v1-gzip"`, `"v1-gzip"`}, {"gzip, zstd", `"v1-zstd"`, `"v1-zstd"`}, {"gzip", `"v1"`, `"v1"`},
		{"zstd", `"v0-zstd", "v1-zstd"`, `"v1-zstd"`}, {"zstd", `"v1-gzip"`, ""}, {"identity", `"v1-gzip"`, ""},
		{"", `"v1-gzip"`, ""}, {"gzip", `"v0-gzip"`, ""}, {"gzip", `"v1-none"`, ""},
	} {
		answer := sendRequest(t, body, "GET", "Accept-Encoding", test.accepted, "If-None-Match", test.known)
		if test.want == "" && answer.StatusCode != http.StatusOK || test.want != "" &&
			(answer.StatusCode != http.StatusNotModified || answer.Header.Get("ETag") != test.want) {
			t.Errorf("%s with %s: %d, %s", test.known, test.accepted, answer.StatusCode, answer.Header.Get("ETag"))
		}
	}
	for _, accepted := range []string{"identity", "zstd", "gzip"} {
		answer := sendRequest(t, body, "GET", "Accept-Encoding", accepted, "If-Match", `"v0", "v1-gzip"`)
		if got := answer.Header.Get("X-If-Match"); got != `"v0", "v1"` {
			t.Errorf("with %s the handler sees If-Match: %s", accepted, got)
		}
	}
	for _, accepted := range []string{"identity", "zstd"} {
		get, head := sendRequest(t, body, "GET", "Accept-Encoding", accepted),
			sendRequest(t, body, "HEAD", "Accept-Encoding", accepted)
		for _, name := range []string{"Content-Encoding", "ETag", "Vary", "Content-Type"} {
			if get.Header.Get(name) != head.Header.Get(name) {
				t.Errorf("%s: %s of HEAD is %q, of GET %q", accepted, name, head.Header.Get(name), get.Header.Get(name))
			}
		}
	}
}

// TestCompress_controller checks that a stream can lift its deadlines and send its events through
// the middleware.
func TestCompress_controller(t *testing.T) {
	t.Parallel()
	stream := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		control := http.NewResponseController(w)
		w.Header().Set("Content-Type", "text/event-stream")
		w.WriteHeader(http.StatusEarlyHints)
		err := control.SetWriteDeadline(time.Time{})
		_, _ = fmt.Fprintf(w, ": %v\n\n", err)
		if err := control.Flush(); err != nil {
			t.Error(err)
		}
		<-r.Context().Done()
	})
	server := httptest.NewServer(web.Compress(stream))
	defer server.Close()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, server.URL, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Accept-Encoding", "gzip")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	event := make([]byte, len(": <nil>"))
	if _, err := io.ReadFull(response.Body, event); err != nil || string(event) != ": <nil>" ||
		response.Header.Get("Content-Encoding") != "" {
		t.Errorf("%q, %v, %v", event, err, response.Header)
	}
}

func TestCompress_abort(t *testing.T) {
	t.Parallel()
	cut := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		_, _ = io.WriteString(w, largeBody)
		panic(http.ErrAbortHandler)
	})
	server := httptest.NewServer(web.Compress(cut))
	defer server.Close()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Accept-Encoding", "gzip")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return // the connection was closed before the first byte
	}
	defer answer.Body.Close()
	if _, err := io.ReadAll(answer.Body); err == nil {
		t.Error("an aborted response looks complete")
	}
}

// BenchmarkCompress writes 50 KB without the middleware, to clients without Accept-Encoding, and in
// each coding.
func BenchmarkCompress(b *testing.B) {
	body := []byte(strings.Repeat(largeBody, 5))
	answer := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		_, _ = w.Write(body)
	})
	for name, handler := range map[string]http.Handler{"alone": answer, "": nil, "gzip": nil, "zstd": nil} {
		if handler == nil {
			handler = web.Compress(answer)
		}
		b.Run("takes "+name, func(b *testing.B) {
			r := httptest.NewRequestWithContext(b.Context(), http.MethodGet, "/", http.NoBody)
			if name != "" && name != "alone" {
				r.Header.Set("Accept-Encoding", name)
			}
			for b.Loop() {
				handler.ServeHTTP(discardWriter{http.Header{}}, r)
			}
		})
	}
}

// discardWriter discards the response.
type discardWriter struct{ header http.Header }

func (n discardWriter) Header() http.Header         { return n.header }
func (n discardWriter) Write(p []byte) (int, error) { return len(p), nil }
func (n discardWriter) WriteHeader(int)             {}
