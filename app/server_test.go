package app

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// countingListener counts the write deadlines of its connections.
type countingListener struct {
	net.Listener
	deadlines atomic.Int64
}

func (l *countingListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	return countingConn{conn, l}, err
}

type countingConn struct {
	net.Conn
	listener *countingListener
}

func (c countingConn) SetWriteDeadline(t time.Time) error {
	if !t.IsZero() {
		c.listener.deadlines.Add(1)
	}
	return c.Conn.SetWriteDeadline(t)
}

func TestServer(t *testing.T) {
	t.Parallel()
	plain, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	listener := &countingListener{Listener: plain}
	server := newServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "ok") }))
	go server.Serve(listener)
	t.Cleanup(func() { server.Close() })
	get := func(header int) (int, string) {
		r, _ := http.NewRequestWithContext(t.Context(), "GET", "http://"+plain.Addr().String(), nil)
		r.Header.Set("X-Padding", strings.Repeat("x", header))
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		text, _ := io.ReadAll(answer.Body)
		return answer.StatusCode, string(text)
	}
	if status, text := get(30 << 10); status != 200 {
		t.Errorf("a header of 30 KB: %d %s", status, text)
	}
	if listener.deadlines.Load() == 0 {
		t.Error("a response is written without a deadline")
	}
	if status, text := get(40 << 10); status != 431 {
		t.Errorf("a header of 40 KB: %d %s", status, text)
	}
}
