package transport

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"sync"

	"github.com/99designs/gqlgen/graphql"
	"github.com/coder/websocket"

	"rostrum/graph/policy"
)

// socketOperation is one running operation of a socket.
type socketOperation struct{ cancel context.CancelFunc }

// startOperation starts an operation of any kind.
func (k *socket) startOperation(ctx context.Context, m message) error {
	started := false
	defer func() {
		if !started {
			m.claim.Release()
		}
	}()
	if !k.acked {
		return closeError{closeUnauthorized, "Unauthorized"}
	}
	q, err := parseRequest(m.Payload)
	if m.ID == "" || err != nil {
		return closeError{closeInvalid, "Invalid message received"}
	}
	q.Headers = k.headers
	ctx, cancel := context.WithCancel(graphql.StartOperationTrace(ctx))
	op := &socketOperation{cancel}
	if err = k.admitOperation(ctx, m.ID, op); err == nil {
		if err = k.s.policy.ResolveDocument(ctx, q); err != nil {
			k.releaseID(m.ID, op)
		}
	}
	if err != nil {
		cancel()
		if closing, ok := errors.AsType[closeError](err); ok {
			return closing
		}
		return k.sendErrors(m.ID, k.s.policy.ErrorResponse(ctx, err))
	}
	started = true
	k.running.Go(func() {
		defer m.claim.Release()
		k.runOperation(ctx, m.ID, op, &q.RawParams)
	})
	return nil
}

// admitOperation reserves the operation's id and counts it against the rate limit. A socket cannot
// send the limit's headers.
func (k *socket) admitOperation(ctx context.Context, id string, op *socketOperation) error {
	if err := k.reserveID(id, op); err != nil {
		return err
	}
	err := k.s.config.RateLimit(ctx, http.Header{}, k.request)
	if err != nil {
		k.releaseID(id, op)
	}
	return err
}

// reserveID returns an error if the id is in use or the socket has too many operations.
func (k *socket) reserveID(id string, op *socketOperation) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.operations[id] != nil {
		return closeError{closeDuplicate, "Subscriber for " + id + " already exists"}
	}
	if len(k.operations) >= k.s.limits.Streams {
		return policy.ExceedsLimit("number of operations on this socket", len(k.operations)+1, k.s.limits.Streams)
	}
	k.operations[id] = op
	return nil
}

// releaseID frees the id. It reports false if the client has completed the operation; no further
// message may then be sent.
func (k *socket) releaseID(id string, op *socketOperation) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.operations[id] != op {
		return false
	}
	delete(k.operations, id)
	return true
}

func (k *socket) cancelOperation(id string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if op := k.operations[id]; op != nil {
		op.cancel()
		delete(k.operations, id)
	}
}

// runOperation sends the operation's responses until it ends or the client completes it.
func (k *socket) runOperation(ctx context.Context, id string, op *socketOperation, params *graphql.RawParams) {
	defer op.cancel()
	defer func() {
		if panicked := recover(); panicked != nil && k.releaseID(id, op) {
			_ = k.sendErrors(id, k.s.policy.ErrorResponse(ctx, policy.PanicError(ctx, panicked)))
		}
	}()
	opCtx, rejected := k.s.exec.CreateOperationContext(ctx, params)
	if len(rejected) > 0 {
		resp := k.s.rejectOperation(ctx, opCtx, params.Variables, rejected)
		if k.releaseID(id, op) {
			_ = k.sendErrors(id, resp)
		}
		return
	}
	k.s.forEachResponse(ctx, opCtx, specOf(opCtx.Extensions["incrementalSpec"]), func(resp response, more bool) bool {
		return ctx.Err() == nil && k.sendNext(id, resp, more) == nil
	})
	// without complete when the server stops, so that the client subscribes again
	if k.releaseID(id, op) && ctx.Err() == nil {
		_ = k.sendMessage(message{ID: id, Type: "complete"})
	}
}

// sendErrors ends an operation that did not run.
func (k *socket) sendErrors(id string, resp *graphql.Response) error {
	payload, err := json.Marshal(resp.Errors)
	if err != nil {
		return err
	}
	return k.sendMessage(message{ID: id, Type: "error", Payload: payload})
}

// sendNext sends a response of an operation. With more set, it may wait for the next response,
// which is available, to be sent together.
func (k *socket) sendNext(id string, resp response, more bool) error {
	frame := frames.Get().(*objectWriter) //nolint:forcetypeassert // the pool holds no other type
	defer func() {
		if cap(frame.text) <= maxCoalesced {
			frames.Put(frame)
		}
	}()
	frame.text, frame.hasMember = append(frame.text[:0], '{'), false
	frame.addMember("id", id)
	frame.addMember("type", "next")
	frame.addName("payload")
	frame.text = append(append(append(append(frame.text, resp.head...), resp.data...), resp.tail...), '}')
	return k.writeFrame(frame.text, more)
}

// frames holds buffers of sendNext, which all sockets share.
var frames = sync.Pool{New: func() any { return &objectWriter{} }}

// sendMessage sends one message; the bytes of its payload stay as they are.
func (k *socket) sendMessage(m message) error {
	frame := objectWriter{text: []byte{'{'}}
	if m.ID != "" {
		frame.addMember("id", m.ID)
	}
	frame.addMember("type", m.Type)
	if len(m.Payload) > 0 {
		frame.addName("payload")
		frame.text = append(frame.text, m.Payload...)
	}
	return k.writeFrame(append(frame.text, '}'), false)
}

// writeFrame writes a text frame. With more set, the frame may stay buffered until the next one. An
// error closes the connection.
func (k *socket) writeFrame(frame []byte, more bool) error {
	k.network.startCoalescing()
	err := k.conn.Write(context.Background(), websocket.MessageText, frame) // coalescingConn sets the deadline
	if !more || err != nil {
		err = cmp.Or(err, k.network.flush())
	}
	if err != nil {
		_ = k.conn.CloseNow()
	}
	return err
}
