package graph

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
	wireBuffer = 256      // each way, of a connection that is silent; enough for a frame's head and for what a ping carries
	wireHold   = 16 << 10 // frames that wait for those that follow at once
)

// wired is a response whose connection, once it is taken over, is a wire.
type wired struct {
	http.ResponseWriter
	wire *wire
}

// Hijack implements http.Hijacker.
func (w *wired) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, buffers, err := http.NewResponseController(w.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, err
	}
	early, _ := buffers.Peek(buffers.Reader.Buffered()) // what is buffered can be peeked
	w.wire = &wire{Conn: conn, early: slices.Clone(early)}
	return w.wire, bufio.NewReadWriter(bufio.NewReaderSize(w.wire, wireBuffer), bufio.NewWriterSize(w.wire, wireBuffer)), nil
}

// wire is the connection below a socket. Frames that are made in a row leave in one write, each write has its time, and a silent one
// holds next to no memory.
type wire struct {
	net.Conn
	early     []byte // what came with the request; of the reading side
	mu        sync.Mutex
	gathering bool
	held      *[]byte // nil when nothing waits
}

// holds are the buffers of the wires that gather at present.
var holds = sync.Pool{New: func() any { return new([]byte) }}

// Read implements io.Reader.
func (w *wire) Read(p []byte) (int, error) {
	if len(w.early) > 0 {
		n := copy(p, w.early)
		w.early = w.early[n:]
		return n, nil
	}
	return w.Conn.Read(p)
}

// gather keeps what is written from now on until flush.
func (w *wire) gather() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.gathering = true
}

// Write implements io.Writer.
func (w *wire) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.held == nil && w.gathering {
		w.held = holds.Get().(*[]byte) //nolint:forcetypeassert // nothing else is put there
	}
	if w.held != nil && len(*w.held)+len(p) <= wireHold {
		*w.held = append(*w.held, p...)
		return len(p), nil
	}
	if err := w.release(); err != nil {
		return 0, err
	}
	return w.out(p)
}

// flush sends what was gathered.
func (w *wire) flush() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.gathering = false
	return w.release()
}

func (w *wire) release() error {
	if w.held == nil {
		return nil
	}
	held := w.held
	w.held = nil
	_, err := w.out(*held)
	*held = (*held)[:0]
	holds.Put(held)
	return err
}

func (w *wire) out(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	return len(p), errors.Join(w.Conn.SetWriteDeadline(time.Now().Add(writeTime)), written(w.Conn.Write(p)))
}

func written(_ int, err error) error { return err }
