package web

import (
	"errors"
	"net"
	"os"
	"time"
)

// NewListener returns a listener whose connections fail a write when the client receives less than
// 10 KB of it in 10 seconds. This covers all responses: whole ones, files, event streams and
// WebSockets.
func NewListener(l net.Listener) net.Listener { return listener{l} }

type listener struct{ net.Listener }

// Accept implements net.Listener.
func (l listener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &pacedConn{conn, window}, nil
}

// pacedConn is a connection with a deadline for each window of a write.
type pacedConn struct {
	net.Conn
	window time.Duration
}

// Write implements io.Writer. It replaces a deadline that the caller has set.
//
// A blocked write of a slow client advances in large steps: the system wakes the writer only when
// much of the send buffer is free. The bytes that the client receives between two steps are counted
// by the length of the send queue, from the second window on.
func (c *pacedConn) Write(p []byte) (written int, err error) {
	queued := -1
	for {
		if err := c.SetWriteDeadline(time.Now().Add(c.window)); err != nil {
			return written, err
		}
		n, err := c.Conn.Write(p[written:])
		written += n
		if !errors.Is(err, os.ErrDeadlineExceeded) {
			return written, err
		}
		before, received := queued, n
		queued = queuedBytes(c.Conn)
		if before >= 0 {
			received += before - queued
		}
		if received < minBytes && (before >= 0 || queued == 0) {
			return written, err
		}
	}
}

// UnreadBytes returns the number of bytes that have arrived and were not read; 0 if the system does
// not report it.
func (c *pacedConn) UnreadBytes() int { return unreadBytes(c.Conn) }

// CloseWrite shuts down the sending side, with which net/http ends a connection without losing the
// response that it has sent.
func (c *pacedConn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return errors.ErrUnsupported
}
