package graph

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/coder/websocket"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"rostrum/errs"
	"rostrum/model"
	"rostrum/replay"
)

// protocol is the only one that is spoken: https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md.
const protocol = "graphql-transport-ws"

// The reasons that the protocol closes a socket for.
const (
	closeInvalid      websocket.StatusCode = 4400
	closeUnauthorized websocket.StatusCode = 4401
	closeForbidden    websocket.StatusCode = 4403
	closeSubprotocol  websocket.StatusCode = 4406
	closeTimeout      websocket.StatusCode = 4408
	closeDuplicate    websocket.StatusCode = 4409
	closeInitTwice    websocket.StatusCode = 4429
)

// closing ends a socket with a code and a reason that the caller sees.
type closing struct {
	code   websocket.StatusCode
	reason string
}

func (c closing) Error() string { return c.reason }

// message is one frame of the protocol.
type message struct {
	ID      string          `json:"id,omitempty"`
	Type    string          `json:"type"`
	Payload json.RawMessage `json:"payload,omitempty"`
}

// socket is one connection and the operations that run on it.
type socket struct {
	s       *Server
	conn    *websocket.Conn
	wire    *wire
	request *http.Request // that opened it
	headers http.Header
	acked   bool // read and written by the reading loop alone

	mu     sync.Mutex
	active map[string]*running
	all    sync.WaitGroup
}

// running is one operation of a socket.
type running struct{ cancel context.CancelFunc }

// serveSocket speaks graphql-transport-ws. A page of any origin may connect: what it may do is decided by the key that it has
// to send, and nothing that a browser adds by itself counts.
func (s *Server) serveSocket(w http.ResponseWriter, r *http.Request) {
	below := &wired{ResponseWriter: w}
	conn, err := websocket.Accept(below, r, &websocket.AcceptOptions{Subprotocols: []string{protocol}, InsecureSkipVerify: true})
	if err != nil {
		return // Accept has answered
	}
	conn.SetReadLimit(s.limits.Body)
	r.Header.Del(replay.Header) // it would name every operation of the socket
	k := &socket{s: s, conn: conn, wire: below.wire, request: r, headers: r.Header, active: map[string]*running{}}
	go k.serve() // net/http's goroutine ends, and with it the buffers and the deep stack that it would hold for as long as the socket lives
}

// serve is a socket's life, which the server's stopping ends.
func (k *socket) serve() {
	ctx, cancel := context.WithCancel(context.WithoutCancel(k.request.Context()))
	defer context.AfterFunc(k.s.stopping, cancel)()
	defer k.conn.CloseNow()
	defer k.all.Wait()
	defer cancel()
	defer func() {
		if panicked := recover(); panicked != nil {
			k.s.logFailure(ctx, errs.From(recovered(ctx, panicked)))
		}
	}()
	var end closing
	if errors.As(k.read(ctx), &end) {
		_ = k.conn.Close(end.code, end.reason)
	}
}

// read takes messages until the socket ends. The connection is read without the request's context, whose end would cut it off
// before the reason for closing is sent.
func (k *socket) read(ctx context.Context) error {
	if k.conn.Subprotocol() != protocol {
		return closing{closeSubprotocol, "Subprotocol not acceptable: speak " + protocol}
	}
	defer context.AfterFunc(ctx, func() { _ = k.conn.Close(websocket.StatusGoingAway, "the server is stopping") })()
	late := time.AfterFunc(k.s.limits.Handshake, func() { _ = k.conn.Close(closeTimeout, "Connection initialisation timeout") })
	defer late.Stop()
	for {
		kind, raw, err := k.conn.Read(context.WithoutCancel(ctx))
		if err != nil {
			return err
		}
		var m message
		if kind != websocket.MessageText || decode(raw, &m) != nil {
			return closing{closeInvalid, "Invalid message received"}
		}
		if ctx, err = k.take(ctx, m); err != nil {
			return err
		}
		if k.acked {
			late.Stop()
		}
	}
}

// take acts on one message; the context that it gives back knows who is asking once that has been said.
func (k *socket) take(ctx context.Context, m message) (context.Context, error) {
	switch m.Type {
	case "connection_init":
		return k.init(ctx, m)
	case "ping":
		return ctx, k.send(message{Type: "pong", Payload: m.Payload})
	case "pong":
		return ctx, nil
	case "subscribe":
		return ctx, k.subscribe(ctx, m)
	case "complete":
		k.stop(m.ID)
		return ctx, nil
	}
	return ctx, closing{closeInvalid, "Invalid message type"}
}

// init takes the key from the message, else from the header of the upgrade.
func (k *socket) init(ctx context.Context, m message) (context.Context, error) {
	if k.acked {
		return ctx, closing{closeInitTwice, "Too many initialisation requests"}
	}
	var payload map[string]any
	if len(m.Payload) > 0 && decode(m.Payload, &payload) != nil {
		return ctx, closing{closeInvalid, "Invalid message received"}
	}
	key := ""
	for name, value := range payload {
		if text, ok := value.(string); ok && strings.EqualFold(name, keyHeader) {
			key = text
		}
	}
	key = cmp.Or(key, k.headers.Get(keyHeader))
	ctx, err := k.s.identify(ctx, key, k.headers.Get(workspaceHeader))
	if err == nil {
		_, err = model.PrincipalFrom(ctx)
	}
	if err != nil {
		return ctx, k.forbid(ctx, err)
	}
	k.acked = true
	k.keepAlive(ctx)
	return ctx, k.send(message{Type: "connection_ack"})
}

// forbid closes for a key that does not count; when it could not be checked the client is asked to come again.
func (k *socket) forbid(ctx context.Context, err error) error {
	failure := k.s.present(ctx, err)
	if status(gqlerror.List{failure}) != http.StatusUnauthorized {
		return closing{websocket.StatusTryAgainLater, "the key could not be checked"}
	}
	code, _ := failure.Extensions["code"].(string)
	return closing{closeForbidden, "Forbidden: " + code}
}

// keepAlive finds out now and then whether the other side still answers and its key still works.
func (k *socket) keepAlive(ctx context.Context) {
	every(ctx, min(recheckTime, k.s.keepAlive), func() bool {
		err := k.s.Lost(ctx)
		if err != nil {
			_ = k.conn.Close(closeForbidden, "Forbidden: "+string(errs.From(err).Code))
		}
		return err == nil
	})
	every(ctx, k.s.keepAlive, func() bool {
		pong, cancel := context.WithTimeout(ctx, writeTime)
		defer cancel()
		err := k.conn.Ping(pong)
		if err != nil {
			_ = k.conn.CloseNow()
		}
		return err == nil
	})
}

// every does something again and again until it says no or the context ends. In the pauses it takes no goroutine.
func every(ctx context.Context, pause time.Duration, do func() bool) {
	var timer *time.Timer
	timer = time.AfterFunc(time.Hour, func() {
		if ctx.Err() == nil && do() {
			timer.Reset(pause)
		}
	})
	timer.Reset(pause)
	context.AfterFunc(ctx, func() { timer.Stop() })
}

// subscribe starts an operation of any kind.
func (k *socket) subscribe(ctx context.Context, m message) error {
	if !k.acked {
		return closing{closeUnauthorized, "Unauthorized"}
	}
	q, err := fromJSON(m.Payload)
	if m.ID == "" || err != nil {
		return closing{closeInvalid, "Invalid message received"}
	}
	q.Headers = k.headers
	ctx, cancel := context.WithCancel(graphql.StartOperationTrace(ctx))
	op := &running{cancel}
	if err = k.admit(ctx, m.ID, op); err == nil {
		if err = k.s.resolve(ctx, q); err != nil {
			k.finish(m.ID, op)
		}
	}
	if err != nil {
		cancel()
		if end, ok := errors.AsType[closing](err); ok {
			return end
		}
		return k.refuse(m.ID, k.s.presented(ctx, err))
	}
	k.all.Go(func() { k.run(ctx, m.ID, op, &q.RawParams) })
	return nil
}

// admit starts an operation whose turn it is; what the limit says of it has no headers to leave in.
func (k *socket) admit(ctx context.Context, id string, op *running) error {
	if err := k.start(id, op); err != nil {
		return err
	}
	err := k.s.limit(ctx, http.Header{}, k.request)
	if err != nil {
		k.finish(id, op)
	}
	return err
}

// start takes the id for an operation.
func (k *socket) start(id string, op *running) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.active[id] != nil {
		return closing{closeDuplicate, "Subscriber for " + id + " already exists"}
	}
	if len(k.active) >= k.s.limits.Streams {
		return tooMuch("number of operations on this socket", len(k.active)+1, k.s.limits.Streams)
	}
	k.active[id] = op
	return nil
}

// run sends an operation's answers; what the client has completed in the meantime sends nothing more.
func (k *socket) run(ctx context.Context, id string, op *running, params *graphql.RawParams) {
	defer op.cancel()
	exec := k.s.exec
	opCtx, refused := exec.CreateOperationContext(ctx, params)
	if len(refused) > 0 {
		resp := exec.DispatchError(graphql.WithOperationContext(ctx, opCtx), refused)
		if k.finish(id, op) {
			_ = k.refuse(id, resp)
		}
		return
	}
	ctx, more := withMore(ctx)
	k.s.each(ctx, opCtx, func(resp *graphql.Response) bool {
		return ctx.Err() == nil && k.next(id, resp, *more) == nil
	})
	if k.finish(id, op) && ctx.Err() == nil { // without an end when the server stops: the client subscribes again
		_ = k.send(message{ID: id, Type: "complete"})
	}
}

// refuse ends an operation that did not run.
func (k *socket) refuse(id string, resp *graphql.Response) error {
	payload, err := json.Marshal(resp.Errors)
	if err != nil {
		return err
	}
	return k.send(message{ID: id, Type: "error", Payload: payload})
}

// finish frees the id and reports whether the operation still held it, so that it may send its last message.
func (k *socket) finish(id string, op *running) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.active[id] != op {
		return false
	}
	delete(k.active, id)
	return true
}

func (k *socket) stop(id string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if op := k.active[id]; op != nil {
		op.cancel()
		delete(k.active, id)
	}
}

// next sends an answer of an operation; with more it may leave together with the one that follows at once.
func (k *socket) next(id string, resp *graphql.Response, more bool) error {
	head, tail := envelope(resp)
	frame := frames.Get().(*members) //nolint:forcetypeassert // nothing else is put there
	defer func() {
		if cap(frame.text) <= wireHold {
			frames.Put(frame)
		}
	}()
	frame.text, frame.any = append(frame.text[:0], '{'), false
	frame.add("id", id)
	frame.add("type", "next")
	frame.name("payload")
	frame.text = append(append(append(append(frame.text, head...), resp.Data...), tail...), '}')
	return k.write(frame.text, more)
}

// frames are kept between two answers, of whatever sockets.
var frames = sync.Pool{New: func() any { return &members{} }}

// send writes one frame; the payload goes out as it is.
func (k *socket) send(m message) error {
	frame := members{text: []byte{'{'}}
	if m.ID != "" {
		frame.add("id", m.ID)
	}
	frame.add("type", m.Type)
	if len(m.Payload) > 0 {
		frame.name("payload")
		frame.text = append(frame.text, m.Payload...)
	}
	return k.write(append(frame.text, '}'), false)
}

func (k *socket) write(frame []byte, more bool) error {
	k.wire.gather()
	err := k.conn.Write(context.Background(), websocket.MessageText, frame) // the wire has a deadline
	if !more || err != nil {
		err = cmp.Or(err, k.wire.flush())
	}
	if err != nil {
		_ = k.conn.CloseNow()
	}
	return err
}
