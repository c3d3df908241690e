package app

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

const (
	// drainTime is the time limit of open requests at a shutdown, as that of running jobs.
	drainTime = 20 * time.Second
	// firstByteWait is how long a shutdown waits for the first byte of a request on a new
	// connection.
	firstByteWait = time.Second
	drainPoll     = 10 * time.Millisecond
	// http2Preface begins a connection of HTTP/2; net/http reads exactly its bytes first.
	http2Preface = "PRI * HTTP/2.0"
)

// connPhase is the part of a request that a connection is in.
type connPhase int

const (
	phaseNew       connPhase = iota // no request has been received
	phaseReceiving                  // a part of a request's header has been received
	phaseActive                     // the server has the request
	phaseIdle                       // the last request was answered
	phaseFailed                     // reading failed
	// HTTP/2, which reports at a shutdown which requests have not begun; net/http closes it
	phaseStreams
)

// drainer shuts a server down without losing a request that has begun. [http.Server.Shutdown] drops
// requests with an incomplete header, so the drainer calls it only when every begun header has
// arrived.
type drainer struct {
	server   *http.Server
	mu       sync.Mutex
	listener net.Listener
	draining bool
	conns    map[*drainConn]struct{}
}

func newDrainer(server *http.Server) *drainer {
	d := &drainer{server: server, conns: map[*drainConn]struct{}{}}
	server.ConnState = d.setState
	return d
}

// listen returns a listener that tells the drainer its connections.
func (d *drainer) listen(l net.Listener) net.Listener {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.listener = drainListener{l, d}
	return d.listener
}

// shutdown closes the listener and idle connections. It waits for requests that have begun, at most
// until the context ends; their responses have Connection: close. Then it closes all connections.
func (d *drainer) shutdown(ctx context.Context) error {
	d.mu.Lock()
	d.draining = true
	listener := d.listener
	d.mu.Unlock()
	var failed error
	if listener != nil {
		failed = ignoreClosed(listener.Close())
	}
	d.server.SetKeepAlivesEnabled(false) // closes idle connections, except ones that keepOpen reports
	start := time.Now()
	d.await(ctx, func(c *drainConn) bool {
		return c.phase == phaseReceiving || c.phase == phaseNew && time.Since(start) < firstByteWait
	})
	if ignoreClosed(d.server.Shutdown(ctx)) != nil {
		failed = errors.Join(failed, ignoreClosed(d.server.Close()))
	}
	d.await(ctx, func(c *drainConn) bool { return c.kept })
	return errors.Join(failed, d.closeKept())
}

// await blocks until the condition holds for no connection, or the context ends.
func (d *drainer) await(ctx context.Context, condition func(*drainConn) bool) {
	ticker := time.NewTicker(drainPoll)
	defer ticker.Stop()
	for d.anyConn(condition) {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

func (d *drainer) anyConn(condition func(*drainConn) bool) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	for c := range d.conns {
		if condition(c) {
			return true
		}
	}
	return false
}

// closeKept closes the connections that the server has forgotten.
func (d *drainer) closeKept() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	var failed error
	for c := range d.conns {
		if c.kept {
			failed = errors.Join(failed, ignoreClosed(c.Conn.Close()))
			delete(d.conns, c)
		}
	}
	return failed
}

// setState is the ConnState func of the server.
func (d *drainer) setState(conn net.Conn, state http.ConnState) {
	c, ok := conn.(*drainConn)
	if !ok {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case state == http.StateHijacked || state == http.StateClosed:
		delete(d.conns, c)
	case c.phase == phaseStreams:
	case state == http.StateActive:
		c.phase = phaseActive
	case state == http.StateIdle:
		c.phase = phaseIdle
	}
}

// drainListener registers its connections with the drainer.
type drainListener struct {
	net.Listener
	drainer *drainer
}

// Accept implements net.Listener.
func (l drainListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	c := &drainConn{Conn: conn, drainer: l.drainer}
	l.drainer.mu.Lock()
	defer l.drainer.mu.Unlock()
	l.drainer.conns[c] = struct{}{}
	return c, nil
}

// drainConn is a connection of a drainer. The drainer's mutex guards its fields.
type drainConn struct {
	net.Conn
	drainer *drainer
	phase   connPhase
	preface int  // bytes of http2Preface that the connection began with
	kept    bool // the server has closed it as idle while it received a request
}

// Read implements io.Reader.
func (c *drainConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.drainer.mu.Lock()
	defer c.drainer.mu.Unlock()
	switch {
	case err != nil && c.phase == phaseReceiving:
		c.phase = phaseFailed
	case n > 0 && (c.phase == phaseNew || c.preface > 0):
		c.phase = phaseReceiving
		c.readPreface(string(p[:n]))
	case n > 0 && c.phase == phaseIdle:
		c.phase = phaseReceiving
	}
	return n, err
}

// readPreface compares the first bytes of a connection with http2Preface.
func (c *drainConn) readPreface(received string) {
	if !strings.HasPrefix(http2Preface[c.preface:], received) {
		c.preface = 0
		return
	}
	if c.preface += len(received); c.preface == len(http2Preface) {
		c.preface, c.phase = 0, phaseStreams
	}
}

// Close implements io.Closer. During a shutdown, a connection that is receiving a header stays
// open. net/http counts it as idle, and closes it again once the request was answered.
func (c *drainConn) Close() error {
	if c.keepOpen() {
		return nil
	}
	return c.Conn.Close()
}

// keepOpen reports whether a close by the server is ignored. If not, the drainer forgets the
// connection.
func (c *drainConn) keepOpen() bool {
	c.drainer.mu.Lock()
	defer c.drainer.mu.Unlock()
	if c.drainer.draining && (c.phase == phaseReceiving || c.phase == phaseIdle && c.hasUnread()) {
		c.kept, c.phase = true, phaseReceiving
		return true
	}
	delete(c.drainer.conns, c)
	return false
}

// hasUnread reports whether a part of a request has arrived that the server has not read. On a busy
// machine that takes a while.
func (c *drainConn) hasUnread() bool {
	queue, ok := c.Conn.(interface{ UnreadBytes() int })
	return ok && queue.UnreadBytes() > 0
}

// CloseWrite shuts down the sending side; see [httplimit.NewListener].
func (c *drainConn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return errors.ErrUnsupported
}
