package graph

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"rostrum/platform/web"
)

const watchQuery = `subscription { jobProgress(jobId: "job_1") { position kind job { status } } }`

// eventReader reads a stream's frames without comments.
type eventReader struct {
	t    *testing.T
	body io.Closer
	in   *bufio.Reader
}

func (b *testBundle) open(t *testing.T, method, query, body string) *eventReader {
	t.Helper()
	r, _ := http.NewRequestWithContext(t.Context(), method, b.url+query, strings.NewReader(body))
	r.Header.Set("Accept", typeStream)
	r.Header.Set("Content-Type", typeJSON)
	r.Header.Set(keyHeader, readKey)
	resp, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { resp.Body.Close() })
	if resp.StatusCode != http.StatusOK || web.ParseContentType(resp.Header.Get("Content-Type")) != typeStream {
		t.Fatalf("%s %s", resp.Status, resp.Header.Get("Content-Type"))
	}
	return &eventReader{t, resp.Body, bufio.NewReader(resp.Body)}
}

func (e *eventReader) frame() string {
	e.t.Helper()
	var lines []string
	for {
		line, err := e.in.ReadString('\n')
		if err != nil {
			e.t.Fatalf("after %q: %v", lines, err)
		}
		if line = strings.TrimSuffix(line, "\n"); line == "" {
			return strings.Join(lines, "|")
		}
		lines = append(lines, line)
	}
}

func (e *eventReader) want(frame string) {
	e.t.Helper()
	got := e.frame()
	for got == ":" {
		got = e.frame()
	}
	if got != frame {
		e.t.Errorf("got  %s\nwant %s", got, frame)
	}
}

const (
	firstEvent = `{"data":{"jobProgress":{"position":1,"kind":"PROGRESS","job":{"status":"RUNNING"}}}}`
	endOfSSE   = "event: complete|data: "
)

func TestStream(t *testing.T) {
	t.Parallel()
	t.Run("events are sent one at a time and complete is sent at the end", func(t *testing.T) {
		t.Parallel()
		for _, method := range []string{http.MethodPost, http.MethodGet} {
			b := newTestBundle(t)
			query, body := "", `{"query":`+quoteJSON(watchQuery)+`}`
			if method == http.MethodGet {
				query, body = "?query="+url.QueryEscape(watchQuery), ""
			}
			e := b.open(t, method, query, body)
			for i := range 3 {
				b.events <- jobEvent(i + 1)
				e.want("event: next|data: " + strings.Replace(firstEvent, "1", string(rune('1'+i)), 1))
			}
			close(b.events)
			e.want(endOfSSE)
		}
	})
	t.Run("keep-alives are sent during silence", func(t *testing.T) {
		t.Parallel()
		b := newTestBundle(t, func(c *Config) { c.Transport.KeepAlive = time.Millisecond })
		e := b.open(t, http.MethodPost, "", `{"query":`+quoteJSON(watchQuery)+`}`)
		for range 3 {
			if frame := e.frame(); frame != ":" {
				t.Errorf("want a keep-alive comment: %s", frame)
			}
		}
		b.revoked.Store(true)
		e.want(`event: next|data: {"errors":[{"message":"the key was revoked","extensions":{"code":"key_revoked"}}]}`)
		e.want(endOfSSE)
	})
	t.Run("a query is a stream with one event", func(t *testing.T) {
		t.Parallel()
		e := newTestBundle(t).open(t, http.MethodPost, "", `{"query":"{ documentCount }"}`)
		e.want(`event: next|data: {"data":{"documentCount":2}}`)
		e.want(endOfSSE)
	})
	t.Run("an invalid operation is an event of the stream", func(t *testing.T) {
		t.Parallel()
		e := newTestBundle(t).open(t, http.MethodPost, "", `{"query":"{ nothing }"}`)
		e.want(`event: next|data: {"errors":[{"message":"Cannot query field \"nothing\" on type \"Query\".","locations":[{"line":1,"column":3}],"extensions":{"code":"bad_request"}}]}`)
		e.want(endOfSSE)
	})
	t.Run("a resolver's error ends the stream", func(t *testing.T) {
		t.Parallel()
		e := newTestBundle(t).open(t, http.MethodPost, "",
			`{"query":"subscription { jobProgress(jobId: \"job_missing\") { position } }"}`)
		if got := e.frame(); got != ":" {
			t.Error(got)
		}
		if got := e.frame(); !strings.Contains(got, `"code":"not_found"`) {
			t.Error(got)
		}
		e.want(endOfSSE)
	})
	t.Run("a mutation over GET is rejected", func(t *testing.T) {
		t.Parallel()
		newTestBundle(t).do(t, http.MethodGet, "?query="+
			url.QueryEscape(`mutation { createDocument(input: {title: "a", content: "b"}) { document { id } } }`), "",
			keyHeader, writeKey, "Accept", typeStream).want(t, 405)
	})
	t.Run("a missing key is an HTTP status", func(t *testing.T) {
		t.Parallel()
		newTestBundle(t).post(t, "", watchQuery, "Accept", typeStream).want(t, 401, `"code":"unauthenticated"`)
	})
}

func TestStream_stop(t *testing.T) {
	t.Parallel()
	b := newTestBundle(t)
	stopping, stop := context.WithCancel(t.Context())
	front := httptest.NewUnstartedServer(b.server)
	front.Config.BaseContext = func(net.Listener) context.Context { return stopping }
	front.Start()
	t.Cleanup(front.Close)
	b.url = front.URL
	e := b.open(t, http.MethodPost, "", `{"query":`+quoteJSON(watchQuery)+`}`)
	b.events <- jobEvent(1)
	e.want("event: next|data: " + firstEvent)
	stop()
	if rest, err := io.ReadAll(e.in); err != nil || strings.Contains(string(rest), "complete") {
		t.Errorf("a stopping server completed the stream: %q %v", rest, err)
	}
}
