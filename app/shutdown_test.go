package app

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"rostrum/domain/event"
	"rostrum/test/kit/poll"
	"rostrum/test/kit/process"
)

// testConfig returns a config for a SQLite file, a free port and the demo workspace. The
// workspace's key is in the data directory.
func testConfig(t *testing.T) Config {
	t.Helper()
	address, err := process.FreeAddress()
	if err != nil {
		t.Fatal(err)
	}
	return Config{Addr: address, DataDir: filepath.Join(t.TempDir(), "data"), Namespace: "test", QueryTime: time.Minute,
		Playground: t.TempDir(), Fonts: t.TempDir()}
}

// startServer runs the program until it is ready. It returns the demo workspace's key, a func that
// sends SIGTERM's signal, and the program's error.
func startServer(t *testing.T, config Config) (key string, stop func(), ended chan error) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	ended = make(chan error, 1)
	go func() { ended <- serveRequests(ctx, config) }()
	t.Cleanup(stop)
	poll.Until(t, func() bool {
		text, err := os.ReadFile(filepath.Join(config.DataDir, "demo.key"))
		key = strings.TrimSpace(string(text))
		return err == nil && key != "" && status(t, config, "/readyz") == http.StatusOK
	}, "the program does not start")
	return key, stop, ended
}

// newConnections sends each request on a connection of its own, and follows no redirect.
var newConnections = &http.Client{
	Timeout:       5 * poll.Patience,
	Transport:     &http.Transport{DisableKeepAlives: true},
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// send sends a request with the key, as a browser, on a new connection. It returns the connection's
// error.
func send(t *testing.T, config Config, method, path, body string, header http.Header) (*http.Response, error) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, "http://"+config.Addr+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header = header.Clone()
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("User-Agent", "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")
	return newConnections.Do(request)
}

// status returns the status of a GET on a new connection, or 0 if it gets no response.
func status(t *testing.T, config Config, path string) int {
	t.Helper()
	response, err := send(t, config, http.MethodGet, path, "", http.Header{})
	if err != nil {
		return 0
	}
	defer response.Body.Close()
	return response.StatusCode
}

// call sends a request and decodes its response.
func call(t *testing.T, config Config, key, method, path, body string, out any) {
	t.Helper()
	response, err := send(t, config, method, path, body, http.Header{"X-Api-Key": {key}})
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode >= 300 {
		t.Fatalf("%s %s returns %s", method, path, response.Status)
	}
	if err := json.NewDecoder(response.Body).Decode(out); err != nil {
		t.Fatal(err)
	}
}

// eventStream is an open stream of the workspace's events, with the ids that it has received.
type eventStream struct {
	lines *bufio.Scanner
	ids   []string
}

// openEvents opens a stream that starts after an event.
func openEvents(t *testing.T, config Config, key, after string) *eventStream {
	t.Helper()
	header := http.Header{"X-Api-Key": {key}, "Accept": {"text/event-stream"}, "Last-Event-Id": {after}}
	response, err := send(t, config, http.MethodGet, "/api/v1/events", "", header)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatal(response, err)
	}
	t.Cleanup(func() { response.Body.Close() })
	return &eventStream{lines: bufio.NewScanner(response.Body)}
}

// receive waits for the next event, and reports false at the end of the stream.
func (s *eventStream) receive() bool {
	for s.lines.Scan() {
		if id, ok := strings.CutPrefix(s.lines.Text(), "id:"); ok {
			s.ids = append(s.ids, strings.TrimSpace(id))
			return true
		}
	}
	return false
}

// newLink creates a link, opens it once and returns its path.
func newLink(t *testing.T, config Config, key string) (path string) {
	t.Helper()
	var link struct{ Slug string }
	call(t, config, key, http.MethodPost, "/api/v1/links", `{"destination_url":"https://example.com/"}`, &link)
	path = "/l/" + link.Slug
	if got := status(t, config, path); got != http.StatusFound {
		t.Fatalf("the link returns %d", got)
	}
	return path
}

// awaitClose waits until a stopping program's listener is closed, and opens the link once. It
// reports whether the program first responded with 503 on /readyz and then opened the link on
// another connection.
func awaitClose(t *testing.T, config Config, link string) (unready, opened bool) {
	t.Helper()
	poll.Until(t, func() bool {
		unready = unready || status(t, config, "/readyz") == http.StatusServiceUnavailable
		opened = opened || unready && status(t, config, link) == http.StatusFound
		conn, err := net.Dial("tcp", config.Addr)
		if err == nil {
			conn.Close()
		}
		return err != nil
	}, "the listener stays open")
	return unready, opened
}

// TestShutdown stops the program while a request and a stream are open. It is not ready, but
// accepts connections until the delay is over; the request is answered. The stream ends without an
// error. The next process resumes it without losing or repeating an event.
func TestShutdown(t *testing.T) {
	t.Parallel()
	config := testConfig(t)
	config.ShutdownDelay = time.Second
	key, stop, ended := startServer(t, config)
	path := newLink(t, config, key)
	stream := openEvents(t, config, key, event.StartCursor)
	if !stream.receive() {
		t.Fatal("the stream ends", stream.lines.Err())
	}
	request := beginRequest(t, config, key)
	stopped := time.Now()
	stop()
	unready, opened := awaitClose(t, config, path)
	if wait := time.Since(stopped); wait < config.ShutdownDelay {
		t.Errorf("the listener closes after %s, want at least %s", wait, config.ShutdownDelay)
	}
	for stream.receive() {
	}
	if err := stream.lines.Err(); err != nil {
		t.Errorf("the stream ends with %v", err)
	}
	request.finish(t)
	if err := <-ended; err != nil {
		t.Errorf("the program ends with %v", err)
	}

	if !unready || !opened { // a busy machine may use up a second; the second process has more time
		config.ShutdownDelay = 20 * time.Second
	}
	_, stop, ended = startServer(t, config)
	opens := 2 // one before the stop, one after the start
	if opened {
		opens++
	}
	checkResumed(t, config, key, path, stream.ids, opens)
	stop()
	if !unready || !opened {
		if unready, opened = awaitClose(t, config, path); !unready || !opened {
			t.Errorf("before the listener closes, /readyz responds with 503: %t, and another request is served: %t",
				unready, opened)
		}
	}
	if err := <-ended; err != nil {
		t.Errorf("the second process ends with %v", err)
	}
}

// openRequest is a request with a body that the program waits for.
type openRequest struct {
	conn    net.Conn
	answers *bufio.Reader
	body    string
}

// beginRequest sends the header of a request and waits until its handler reads the body.
func beginRequest(t *testing.T, config Config, key string) *openRequest {
	t.Helper()
	conn, err := net.Dial("tcp", config.Addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	r := &openRequest{conn, bufio.NewReader(conn), `{"title":"Late","content":"This request was open."}`}
	fmt.Fprintf(conn, "POST /api/v1/documents HTTP/1.1\r\nHost: test\r\nX-API-Key: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\nExpect: 100-continue\r\n\r\n", key, len(r.body))
	if line, err := r.answers.ReadString('\n'); err != nil || !strings.Contains(line, "100 Continue") {
		t.Fatalf("the handler does not read the body: %q %v", line, err)
	}
	return r
}

// finish sends the body and checks the response.
func (r *openRequest) finish(t *testing.T) {
	t.Helper()
	fmt.Fprint(r.conn, r.body)
	rest, err := io.ReadAll(r.answers)
	if err != nil || !strings.Contains(string(rest), "HTTP/1.1 200") {
		t.Errorf("the open request was answered with %s (%v)", rest, err)
	}
}

// checkResumed opens the link and checks a stream that resumes after the last received event: it
// gets each of the other events once. The link has at least as many events as opens.
func checkResumed(t *testing.T, config Config, key, link string, received []string, opens int) {
	t.Helper()
	if got := status(t, config, link); got != http.StatusFound {
		t.Fatalf("after the restart the link returns %d", got)
	}
	stream := openEvents(t, config, key, received[len(received)-1])
	var want []string
	poll.Until(t, func() bool {
		var page struct{ Events []struct{ ID string } }
		call(t, config, key, http.MethodGet, "/api/v1/events", "", &page)
		want = want[:0]
		for _, e := range page.Events {
			want = append(want, e.ID)
		}
		return len(want) >= opens
	}, "the opens of the link have no events")
	for got := received; !slices.Equal(got, want); got = slices.Concat(received, stream.ids) {
		if len(got) >= len(want) || !stream.receive() {
			t.Fatalf("received %v and, after the restart, %v, want %v", received, stream.ids, want)
		}
	}
}

// TestReady asks for readiness while the process is stopping, and while its data directory takes no
// files.
func TestReady(t *testing.T) {
	t.Parallel()
	a, err := New(t.Context(), testConfig(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	check := func(status int, text string) {
		t.Helper()
		answer := httptest.NewRecorder()
		a.Handler().ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/readyz", nil))
		if answer.Code != status || !strings.Contains(answer.Body.String(), text) {
			t.Errorf("%d %s, want %d with %s", answer.Code, answer.Body, status, text)
		}
	}
	check(http.StatusOK, "ready")
	folder := a.config.DataDir
	a.config.DataDir = filepath.Join(folder, "missing") // as a full disk, it takes no files
	check(http.StatusServiceUnavailable, "not writable")
	a.config.DataDir = folder
	a.draining.Store(true)
	check(http.StatusServiceUnavailable, "shutting down")
}
