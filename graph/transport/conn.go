package transport

import (
	"bufio"
	"errors"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"
)

const (
	idleBuffer   = 256      // bytes each way of an idle connection; enough for a frame's header and a ping's payload
	maxCoalesced = 16 << 10 // bytes of frames that wait for the next frame
)

// hijackWriter is a response writer that wraps its hijacked connection in a coalescingConn.
type hijackWriter struct {
	http.ResponseWriter
	conn *coalescingConn
}

// Hijack implements http.Hijacker.
func (w *hijackWriter) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, buffers, err := http.NewResponseController(w.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, err
	}
	early, _ := buffers.Peek(buffers.Reader.Buffered()) // peeking at buffered bytes never fails
	w.conn = &coalescingConn{Conn: conn, early: slices.Clone(early)}
	w.conn.reader = bufio.NewReaderSize(w.conn, idleBuffer)
	return w.conn, bufio.NewReadWriter(w.conn.reader, bufio.NewWriterSize(w.conn, idleBuffer)), nil
}

// coalescingConn is the network connection of a socket. It sends frames in a row with one write,
// sets a deadline for each write, and holds next to no memory while idle.
type coalescingConn struct {
	net.Conn
	early      []byte        // bytes that arrived with the request; used by the reading goroutine only
	reader     *bufio.Reader // reads this connection; used by the reading goroutine only
	mu         sync.Mutex
	coalescing bool
	buffer     *[]byte // nil when nothing is buffered
}

// writeBuffers holds the buffers of connections that are not coalescing.
var writeBuffers = sync.Pool{New: func() any { return new([]byte) }}

// Read implements io.Reader.
func (c *coalescingConn) Read(p []byte) (int, error) {
	if len(c.early) > 0 {
		n := copy(p, c.early)
		c.early = c.early[n:]
		return n, nil
	}
	return c.Conn.Read(p)
}

// awaitReadable blocks until bytes are available or the connection has ended. Only the reading
// goroutine may call it.
func (c *coalescingConn) awaitReadable() {
	if len(c.early) == 0 && c.reader.Buffered() == 0 {
		awaitReadable(c.Conn)
	}
}

// startCoalescing buffers all writes until flush.
func (c *coalescingConn) startCoalescing() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.coalescing = true
}

// Write implements io.Writer.
func (c *coalescingConn) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.buffer == nil && c.coalescing {
		c.buffer = writeBuffers.Get().(*[]byte) //nolint:forcetypeassert // the pool holds no other type
	}
	if c.buffer != nil && len(*c.buffer)+len(p) <= maxCoalesced {
		*c.buffer = append(*c.buffer, p...)
		return len(p), nil
	}
	if err := c.flushBuffer(); err != nil {
		return 0, err
	}
	return c.writeNow(p)
}

// flush sends the buffered writes and ends coalescing.
func (c *coalescingConn) flush() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.coalescing = false
	return c.flushBuffer()
}

func (c *coalescingConn) flushBuffer() error {
	if c.buffer == nil {
		return nil
	}
	buffer := c.buffer
	c.buffer = nil
	_, err := c.writeNow(*buffer)
	*buffer = (*buffer)[:0]
	writeBuffers.Put(buffer)
	return err
}

func (c *coalescingConn) writeNow(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	deadlineErr := c.Conn.SetWriteDeadline(time.Now().Add(writeTimeout))
	_, err := c.Conn.Write(p)
	return len(p), errors.Join(deadlineErr, err)
}
