package app

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"golang.org/x/net/http2"

	"rostrum/test/kit/poll"
)

// streamClient returns a client that uses HTTP/2 without TLS.
func streamClient() *http.Client {
	protocols := new(http.Protocols)
	protocols.SetUnencryptedHTTP2(true)
	return &http.Client{Timeout: 5 * poll.Patience, Transport: &http.Transport{Protocols: protocols}}
}

// serveHandler serves the handler on a free port and returns its address.
func serveHandler(t *testing.T, handler http.HandlerFunc) (server limitedServer, address string, ended chan error) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server, ended = newServer(handler), make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	t.Cleanup(func() { server.Close() })
	return server, listener.Addr().String(), ended
}

// TestDrain_streams stops a server while a request over HTTP/2 is open. The request is answered,
// and a new connection is refused.
func TestDrain_streams(t *testing.T) {
	t.Parallel()
	begun, release := make(chan struct{}), make(chan struct{})
	server, address, ended := serveHandler(t, func(w http.ResponseWriter, r *http.Request) {
		close(begun)
		<-release
		io.WriteString(w, r.Proto)
	})
	client := streamClient()
	type answer struct {
		text string
		err  error
	}
	answers := make(chan answer, 1)
	go func() {
		_, text, err := fetchText(t.Context(), client, address, 0)
		answers <- answer{text, err}
	}()
	<-begun
	drained := make(chan error, 1)
	go func() { drained <- server.drain() }()
	if err := <-ended; !errors.Is(err, http.ErrServerClosed) && !errors.Is(err, net.ErrClosed) {
		t.Errorf("serving ends with %v", err)
	}
	if _, text, err := fetchText(t.Context(), streamClient(), address, 0); err == nil {
		t.Errorf("a new connection is answered with %q", text)
	}
	close(release)
	if got := <-answers; got.text != "HTTP/2.0" || got.err != nil {
		t.Errorf("the open request is answered with %q, %v", got.text, got.err)
	}
	if err := <-drained; err != nil {
		t.Errorf("the shutdown returns %v", err)
	}
}

// fetchText returns the status and text of the response to a request with header bytes of header.
func fetchText(ctx context.Context, client *http.Client, address string, header int) (status int, text string,
	err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address, nil)
	if err != nil {
		return 0, "", err
	}
	r.Header.Set("X-Padding", strings.Repeat("x", header))
	response, err := client.Do(r)
	if err != nil {
		return 0, "", err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return response.StatusCode, string(body), err
}

// partConn is a connection from which each read returns the next part.
type partConn struct {
	net.Conn
	parts []string
}

func (c *partConn) Read(p []byte) (int, error) {
	n := copy(p, c.parts[0])
	c.parts = c.parts[1:]
	return n, nil
}

func TestDrainConn_preface(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		parts []string
		want  connPhase
	}{
		{[]string{http2Preface}, phaseStreams},
		{[]string{"P", "RI * HTT", "P/2.0", "\r\n\r\nSM\r\n\r\n"}, phaseStreams},
		{[]string{"P", "RI * HTT"}, phaseReceiving},
		{[]string{"GET / HTTP/1.1"}, phaseReceiving},
		{[]string{"PR", "OPFIND / HTT", "PRI * HTTP/2.0"}, phaseReceiving},
	} {
		conn := &drainConn{Conn: &partConn{parts: c.parts}, drainer: &drainer{}}
		for range len(c.parts) {
			if _, err := conn.Read(make([]byte, 100)); err != nil {
				t.Fatal(err)
			}
		}
		if conn.phase != c.want {
			t.Errorf("after %q the phase is %d, want %d", c.parts, conn.phase, c.want)
		}
	}
}

// TestDrain_idleStreams stops a server with an HTTP/2 connection that only sends pings. No request
// has begun on it, so the shutdown closes it.
func TestDrain_idleStreams(t *testing.T) {
	t.Parallel()
	server, address, _ := serveHandler(t, func(http.ResponseWriter, *http.Request) {})
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	framer := http2.NewFramer(conn, conn)
	_, err = io.WriteString(conn, http2.ClientPreface)
	if err := errors.Join(err, framer.WriteSettings(), framer.WritePing(false, [8]byte{1})); err != nil {
		t.Fatal(err)
	}
	awaitPing(t, framer)
	if !server.anyConn(func(c *drainConn) bool { return c.phase == phaseStreams }) {
		t.Error("the connection is not known as one of HTTP/2")
	}
	if err := server.drain(); err != nil {
		t.Errorf("the shutdown returns %v", err)
	}
	for err == nil {
		_, err = framer.ReadFrame()
	}
	if !errors.Is(err, io.EOF) {
		t.Errorf("the connection ends with %v", err)
	}
}

// awaitPing reads frames until the answer to a ping.
func awaitPing(t *testing.T, framer *http2.Framer) {
	t.Helper()
	for {
		frame, err := framer.ReadFrame()
		if err != nil {
			t.Fatal(err)
		}
		if ping, ok := frame.(*http2.PingFrame); ok && ping.IsAck() {
			return
		}
	}
}
