package app

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rostrum/testkit/poll"
)

// testConfig returns a config for a SQLite file and a free port, with the demo workspace, whose key is in the data directory.
func testConfig(t *testing.T) Config {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	listener.Close()
	return Config{Addr: address, DataDir: filepath.Join(t.TempDir(), "data"), Namespace: "test", QueryTime: time.Minute, Playground: t.TempDir(), Fonts: t.TempDir()}
}

// startServer runs the program and returns the demo workspace's key, a func that sends SIGTERM's signal, and the program's error.
func startServer(t *testing.T, config Config) (key string, stop func(), ended chan error) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	ended = make(chan error, 1)
	go func() { ended <- serveRequests(ctx, config) }()
	t.Cleanup(stop)
	poll.Until(t, func() bool {
		text, err := os.ReadFile(filepath.Join(config.DataDir, "demo.key"))
		key = strings.TrimSpace(string(text))
		return err == nil && key != ""
	}, "the program does not start")
	return key, stop, ended
}

// TestShutdown stops the program while a request and a stream are open: the request is answered, and the stream ends without an error.
func TestShutdown(t *testing.T) {
	t.Parallel()
	config := testConfig(t)
	key, stop, ended := startServer(t, config)

	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+config.Addr+"/api/v1/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("X-API-Key", key)
	request.Header.Set("Accept", "text/event-stream")
	stream, err := http.DefaultClient.Do(request)
	if err != nil || stream.StatusCode != http.StatusOK {
		t.Fatal(stream, err)
	}
	defer stream.Body.Close()

	const body = `{"title":"Late","content":"This request was open."}`
	conn, err := net.Dial("tcp", config.Addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "POST /api/v1/documents HTTP/1.1\r\nHost: test\r\nX-API-Key: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\nExpect: 100-continue\r\n\r\n", key, len(body))
	answers := bufio.NewReader(conn)
	if line, err := answers.ReadString('\n'); err != nil || !strings.Contains(line, "100 Continue") {
		t.Fatalf("the handler does not read the body: %q %v", line, err)
	}
	stop()
	if _, err := io.ReadAll(stream.Body); err != nil {
		t.Errorf("the stream ends with %v", err)
	}
	poll.Until(t, func() bool {
		probe, err := net.Dial("tcp", config.Addr)
		if err == nil {
			probe.Close()
		}
		return err != nil
	}, "the listener stays open")
	fmt.Fprint(conn, body)
	rest, err := io.ReadAll(answers)
	if err != nil || !strings.Contains(string(rest), "HTTP/1.1 200") {
		t.Errorf("the open request was answered with %s (%v)", rest, err)
	}
	if err := <-ended; err != nil {
		t.Errorf("the program ends with %v", err)
	}
}

// TestReady asks for readiness while the process is stopping, and while its data directory takes no files.
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
