package app

import (
	"fmt"
	"net"
	"net/http"
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
	address := plain.Addr().String()
	if status, text, err := fetchText(t.Context(), http.DefaultClient, address, 30<<10); status != 200 || err != nil {
		t.Errorf("a header of 30 KB: %d %s, %v", status, text, err)
	}
	if listener.deadlines.Load() == 0 {
		t.Error("a response is written without a deadline")
	}
	if status, text, err := fetchText(t.Context(), http.DefaultClient, address, 40<<10); status != 431 {
		t.Errorf("a header of 40 KB: %d %s, %v", status, text, err)
	}
}
