package fetch

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"rostrum/model"
)

var loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}

func client(config Config) *Client {
	config.Allow = append(config.Allow, loopback...)
	config.Pause = time.Nanosecond
	return New(config)
}

func startServer(t *testing.T, handler http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server.URL
}

func wantKind(t *testing.T, err error, kind Kind) *Error {
	t.Helper()
	failure, ok := errors.AsType[*Error](err)
	if !ok || failure.Kind != kind {
		t.Fatalf("got %v, want kind %s", err, kind)
	}
	if failure.Message() == "" || failure.Code() == "" {
		t.Fatalf("kind %s has no message or no code", kind)
	}
	return failure
}

func TestGet(t *testing.T) {
	t.Parallel()
	base := startServer(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/old" {
			http.Redirect(w, r, "/new", http.StatusFound)
			return
		}
		w.Header().Set("Content-Type", "text/plain")
		fmt.Fprint(w, r.UserAgent())
	})
	resp, err := client(Config{UserAgent: "probe/1"}).Get(t.Context(), base+"/old")
	if err != nil {
		t.Fatal(err)
	}
	if resp.URL.Path != "/new" || string(resp.Body) != "probe/1" || resp.Status != 200 ||
		resp.Header.Get("Content-Type") != "text/plain" {
		t.Fatalf("got %+v", resp)
	}
}

// TestGetIfChanged asks for a source that changes once, also behind a redirect.
func TestGetIfChanged(t *testing.T) {
	t.Parallel()
	version := `"1"`
	base := startServer(t, func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/old":
			http.Redirect(w, r, "/new", http.StatusFound)
		case r.URL.Path == "/odd":
			w.WriteHeader(http.StatusNotModified)
		case r.Header.Get("If-None-Match") == version && r.Header.Get("If-Modified-Since") != "":
			w.WriteHeader(http.StatusNotModified)
		default:
			w.Header().Set("ETag", version)
			w.Header().Set("Last-Modified", "Mon, 05 Jan 2026 10:00:00 GMT")
			fmt.Fprint(w, version)
		}
	})
	c := client(Config{})
	var have Validators
	for i, want := range []struct {
		status int
		body   string
	}{{200, `"1"`}, {304, ""}, {200, `"2"`}, {304, ""}} {
		if i == 2 {
			version = `"2"`
		}
		resp, err := c.GetIfChanged(t.Context(), base+"/old", have)
		if err != nil || resp.Status != want.status || string(resp.Body) != want.body {
			t.Fatalf("request %d: %+v, %v", i, resp, err)
		}
		if resp.Status == http.StatusOK {
			have = ValidatorsOf(resp)
		}
	}
	_, err := c.Get(t.Context(), base+"/odd")
	if wantKind(t, err, Status).Status != http.StatusNotModified {
		t.Errorf("304 without a condition: %v", err)
	}
}

func TestGet_status(t *testing.T) {
	t.Parallel()
	base := startServer(t, func(w http.ResponseWriter, r *http.Request) {
		var status int
		fmt.Sscanf(r.URL.Path, "/%d", &status)
		w.WriteHeader(status)
	})
	for status, retryable := range map[int]bool{404: false, 403: false, 410: false, 429: true, 500: true, 503: true,
		304: false} {
		_, err := client(Config{}).Get(t.Context(), fmt.Sprintf("%s/%d", base, status))
		failure := wantKind(t, err, Status)
		if failure.Status != status || failure.Retryable() != retryable ||
			!strings.Contains(failure.Message(), fmt.Sprint(status)) {
			t.Errorf("status %d returned %+v, retryable %t", status, failure, failure.Retryable())
		}
	}
}

func TestGet_private_addresses_are_never_dialled(t *testing.T) {
	t.Parallel()
	var reached atomic.Bool
	base := startServer(t, func(http.ResponseWriter, *http.Request) { reached.Store(true) })
	_, err := New(Config{}).Get(t.Context(), base)
	failure := wantKind(t, err, Blocked)
	if reached.Load() || failure.Retryable() || failure.Code() != model.ProcessingErrorCodeBlockedAddress {
		t.Fatalf("reached %t, %+v", reached.Load(), failure)
	}
}

func TestGet_redirect_to_a_private_address_is_refused(t *testing.T) {
	t.Parallel()
	for _, target := range []string{"http://127.0.0.2/", "http://169.254.169.254/latest/meta-data", "http://[::1]/",
		"http://2130706434/", "http://10.0.0.1/"} {
		base := startServer(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", target)
			w.WriteHeader(http.StatusFound)
		})
		_, err := client(Config{}).Get(t.Context(), base)
		wantKind(t, err, Blocked)
	}
}

func TestGet_redirect_to_another_scheme_is_refused(t *testing.T) {
	t.Parallel()
	base := startServer(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Location", "file:///etc/passwd")
		w.WriteHeader(http.StatusFound)
	})
	_, err := client(Config{}).Get(t.Context(), base)
	wantKind(t, err, Scheme)
}

func TestGet_redirects_have_a_limit(t *testing.T) {
	t.Parallel()
	base := startServer(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/5" {
			return
		}
		var n int
		fmt.Sscanf(r.URL.Path, "/%d", &n)
		http.Redirect(w, r, fmt.Sprintf("/%d", n+1), http.StatusFound)
	})
	if _, err := client(Config{}).Get(t.Context(), base+"/0"); err != nil {
		t.Fatalf("five redirects: %v", err)
	}
	_, err := client(Config{MaxRedirects: 4}).Get(t.Context(), base+"/0")
	wantKind(t, err, Redirects)
}

func TestGet_size(t *testing.T) {
	t.Parallel()
	base := startServer(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/bomb":
			var packed bytes.Buffer
			zw := gzip.NewWriter(&packed)
			zw.Write(make([]byte, 1<<20))
			zw.Close()
			w.Header().Set("Content-Encoding", "gzip")
			w.Write(packed.Bytes())
		case "/chunked":
			for range 11 {
				w.Write(make([]byte, 1000))
				w.(http.Flusher).Flush()
			}
		case "/announced":
			w.Header().Set("Content-Length", "10001")
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		default:
			w.Write(make([]byte, 10000))
		}
	})
	c := client(Config{MaxBytes: 10000})
	for _, path := range []string{"/bomb", "/chunked", "/announced"} {
		_, err := c.Get(t.Context(), base+path)
		wantKind(t, err, TooLarge)
	}
	if resp, err := c.Get(t.Context(), base+"/exact"); err != nil || len(resp.Body) != 10000 {
		t.Fatalf("a body of exactly the limit: %v", err)
	}
}

func TestGet_timeout(t *testing.T) {
	t.Parallel()
	base := startServer(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/slow-body" {
			io.WriteString(w, "begin")
			w.(http.Flusher).Flush()
		}
		<-r.Context().Done()
	})
	for _, path := range []string{"/slow-header", "/slow-body"} {
		_, err := client(Config{Timeout: 100 * time.Millisecond}).Get(t.Context(), base+path)
		if failure := wantKind(t, err, Timeout); !failure.Retryable() {
			t.Error("a timeout must be retryable")
		}
	}
}

func TestGet_returns_the_cause_of_a_canceled_context(t *testing.T) {
	t.Parallel()
	gone := errors.New("cancelled by a user")
	ctx, cancel := context.WithCancelCause(t.Context())
	base := startServer(t, func(_ http.ResponseWriter, r *http.Request) {
		cancel(gone)
		<-r.Context().Done()
	})
	if _, err := client(Config{}).Get(ctx, base); !errors.Is(err, gone) {
		t.Fatalf("got %v", err)
	}
}

func TestGet_connection(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			io.WriteString(conn, "SSH-2.0-nothing\r\n\r\n")
			conn.Close()
		}
	}()
	for _, u := range []string{"http://127.0.0.1:1/", "http://" + listener.Addr().String(),
		"https://" + listener.Addr().String()} {
		_, err := client(Config{}).Get(t.Context(), u)
		if failure := wantKind(t, err, Connection); !failure.Retryable() {
			t.Error("a connection error may be tried again")
		}
	}
}

func TestGet_limits_requests_per_host(t *testing.T) {
	t.Parallel()
	var now, most atomic.Int32
	arrived, leave := make(chan struct{}), make(chan struct{})
	base := startServer(t, func(http.ResponseWriter, *http.Request) {
		n := now.Add(1)
		for old := most.Load(); n > old && !most.CompareAndSwap(old, n); old = most.Load() {
		}
		arrived <- struct{}{}
		<-leave
		now.Add(-1)
	})
	c := client(Config{})
	done := make(chan error)
	for range 6 {
		go func() { _, err := c.Get(t.Context(), base); done <- err }()
	}
	for range 3 {
		<-arrived
		<-arrived
		leave <- struct{}{}
		leave <- struct{}{}
	}
	for range 6 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if most.Load() != 2 {
		t.Errorf("%d concurrent requests, want 2", most.Load())
	}
}

func TestGet_spaces_starts_on_a_host(t *testing.T) {
	t.Parallel()
	base := startServer(t, func(http.ResponseWriter, *http.Request) {})
	c := New(Config{Allow: loopback, Pause: 50 * time.Millisecond})
	started := time.Now()
	for range 3 {
		if _, err := c.Get(t.Context(), base); err != nil {
			t.Fatal(err)
		}
	}
	if took := time.Since(started); took < 100*time.Millisecond {
		t.Errorf("three starts took %s, want two pauses of 50ms", took)
	}
}

func TestHosts_forgets_idle_hosts(t *testing.T) {
	t.Parallel()
	h := newHostLimiter(1, time.Nanosecond)
	for i := range 3 * maxIdleHosts {
		release, err := h.acquire(t.Context(), fmt.Sprint(i))
		if err != nil {
			t.Fatal(err)
		}
		release()
	}
	if len(h.byHost) > maxIdleHosts {
		t.Errorf("%d hosts are stored", len(h.byHost))
	}
}

func TestSend(t *testing.T) {
	t.Parallel()
	var connections atomic.Int32
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Location", "/elsewhere")
		w.WriteHeader(map[string]int{"/moved": 302, "/broken": 500}[r.URL.Path])
		fmt.Fprintf(w, "%s %s %s", r.Method, r.Header.Get("webhook-id"), body)
	}))
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			connections.Add(1)
		}
	}
	server.Start()
	t.Cleanup(server.Close)
	c := client(Config{})
	for path, status := range map[string]int{"/moved": 302, "/broken": 500} {
		answer, err := c.Send(t.Context(), server.URL+path, http.Header{"Webhook-Id": {"evt_1"}}, []byte("{}"), 10)
		if err != nil || answer.Status != status || string(answer.Body) != "POST evt_1" {
			t.Errorf("%s: %+v, %v", path, answer, err)
		}
	}
	if n := connections.Load(); n != 1 {
		t.Errorf("%d connections, want one reused connection", n)
	}
	_, err := New(Config{}).Send(t.Context(), server.URL, http.Header{}, nil, 10)
	wantKind(t, err, Blocked)
}
