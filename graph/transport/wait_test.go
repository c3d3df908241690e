package transport

import (
	"bufio"
	"io"
	"net"
	"testing"
	"time"
)

// TestAwaitReadable checks that waiting ends in every state in which reading would not block.
func TestAwaitReadable(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		early   string
		act     func(t *testing.T, own *coalescingConn, far net.Conn)
		after   func(t *testing.T, far net.Conn) // while it waits
		want    string                           // the bytes that are then read
		wantErr bool
	}{
		"bytes that came with the request": {early: "e", want: "e"},
		"bytes that have arrived": {act: func(t *testing.T, _ *coalescingConn, far net.Conn) {
			send(t, far, "a")
		}, want: "a"},
		"bytes that are buffered": {act: func(t *testing.T, own *coalescingConn, far net.Conn) {
			send(t, far, "ab")
			if b, err := own.reader.ReadByte(); b != 'a' || err != nil {
				t.Fatalf("%q, %v", b, err)
			}
		}, want: "b"},
		"bytes that arrive":        {after: func(t *testing.T, far net.Conn) { send(t, far, "l") }, want: "l"},
		"an end by the other side": {after: func(_ *testing.T, far net.Conn) { far.Close() }, wantErr: true},
		"an end by this side": {act: func(_ *testing.T, own *coalescingConn, _ net.Conn) { own.Close() },
			wantErr: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			near, far := connectPair(t)
			own := &coalescingConn{Conn: near, early: []byte(c.early)}
			own.reader = bufio.NewReaderSize(own, idleBuffer)
			if c.act != nil {
				c.act(t, own, far)
			}
			ready := make(chan struct{})
			go func() {
				own.awaitReadable()
				close(ready)
			}()
			if c.after != nil {
				c.after(t, far)
			}
			select {
			case <-ready:
			case <-time.After(time.Minute):
				t.Fatal("it still waits after a minute")
			}
			text := make([]byte, 1)
			n, err := io.ReadFull(own.reader, text)
			if string(text[:n]) != c.want || (err != nil) != c.wantErr {
				t.Errorf("%q, %v", text[:n], err)
			}
		})
	}
}

func send(t *testing.T, conn net.Conn, text string) {
	t.Helper()
	if _, err := io.WriteString(conn, text); err != nil {
		t.Fatal(err)
	}
}

// connectPair returns both ends of a TCP connection.
func connectPair(t *testing.T) (near, far net.Conn) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	if far, err = net.Dial("tcp", listener.Addr().String()); err != nil {
		t.Fatal(err)
	}
	if near, err = listener.Accept(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { near.Close(); far.Close() })
	return near, far
}
