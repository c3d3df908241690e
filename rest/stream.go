package rest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/errs"
	"rostrum/rest/stored"
)

const (
	// firstFrameWait is how long a stream waits for its first event before the status is sent, so
	// that an immediate error has its own status.
	firstFrameWait = 200 * time.Millisecond
	// keepAliveInterval is the time between comments on an idle stream, so that proxies do not
	// close it.
	keepAliveInterval = 15 * time.Second
	// credentialCheckInterval is the time between two checks of the stream's credentials.
	credentialCheckInterval = 2 * time.Second
	// reconnectHint is the delay in milliseconds after which clients reconnect.
	reconnectHint = "retry: 1000\n\n"
)

// streamFrame is one encoded event, or the error that ends the stream.
type streamFrame struct {
	text    []byte
	err     error
	written chan<- struct{} // receives once the frame is written; the next one is not computed before
}

// serveStream sends the subscription's events as server-sent events until it ends or the client
// disconnects. It returns an error if nothing was sent.
func (a *Adapter) serveStream(ctx context.Context, op *stored.Operation, variables map[string]any,
	w http.ResponseWriter, r *http.Request) error {
	ctx, cancel := a.config.UntilStop(ctx)
	defer cancel()
	next, ctx := a.dispatchOperation(ctx, op, variables, r)
	frames := make(chan streamFrame)
	go a.produceFrames(ctx, op, next, frames)

	var first *streamFrame
	select {
	case f, ok := <-frames:
		if ok && f.err != nil {
			return f.err
		}
		if ok {
			first = &f
		}
	case <-time.After(firstFrameWait):
	}
	out := eventWriter{w: w, controller: http.NewResponseController(w)}
	out.writeHeader()
	if r.Method == http.MethodHead || out.writeOpening(first) != nil {
		return nil
	}
	if first != nil {
		first.written <- struct{}{}
	}
	out.writeFrames(ctx, r, frames, a.config.RevalidateCredentials)
	return nil
}

// produceFrames encodes each response, and requests the next once it is written: the executor
// reuses the memory of a response, and frames that wait take memory.
func (a *Adapter) produceFrames(ctx context.Context, op *stored.Operation, next graphql.ResponseHandler,
	frames chan<- streamFrame) {
	defer close(frames)
	written := make(chan struct{}, 1)
	send := func(f streamFrame) bool {
		f.written = written
		select {
		case frames <- f:
		case <-ctx.Done():
			return false
		}
		select {
		case <-written:
			return f.err == nil
		case <-ctx.Done():
			return false
		}
	}
	defer func() {
		if cause := recover(); cause != nil {
			a.log.ErrorContext(ctx, "a stream panicked", "panic", cause, "stack", string(debug.Stack()))
			send(streamFrame{err: errs.New(errs.Internal, "something went wrong on our side")})
		}
	}()
	for response := next(ctx); response != nil; response = next(ctx) {
		text, err := encodeFrame(op, response)
		if !send(streamFrame{text: text, err: err}) {
			return
		}
	}
}

// encodeFrame encodes an event: its ID, its name, and as data the event or the field that the
// operation names.
func encodeFrame(op *stored.Operation, response *graphql.Response) ([]byte, error) {
	data, err := responseData(op, response)
	if err != nil {
		return nil, err
	}
	value, err := op.RootValue(data)
	if err != nil {
		return nil, err
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(value, &members); err != nil {
		return nil, fmt.Errorf("read an event of %s: %w", op.Name, err)
	}
	var text bytes.Buffer
	if op.Rule.ID != "" {
		fmt.Fprintf(&text, "id: %s\n", bytes.Trim(members[op.Rule.ID], `"`))
	}
	if op.Rule.Event != "" {
		fmt.Fprintf(&text, "event: %s\n", bytes.Trim(members[op.Rule.Event], `"`))
	}
	if op.Rule.Unwrap != "" {
		value = members[op.Rule.Unwrap]
	}
	fmt.Fprintf(&text, "data: %s\n\n", value)
	return text.Bytes(), nil
}

// eventWriter writes server-sent events.
type eventWriter struct {
	w          http.ResponseWriter
	controller *http.ResponseController
}

// writeHeader sends the status and removes the server's deadlines, which are for finite responses.
func (s eventWriter) writeHeader() {
	_ = s.controller.SetWriteDeadline(time.Time{})
	_ = s.controller.SetReadDeadline(time.Time{})
	header := s.w.Header()
	header.Set("Content-Type", stored.MediaStream)
	header.Set("Cache-Control", "no-store")
	header.Set("X-Accel-Buffering", "no")
	s.w.WriteHeader(http.StatusOK)
}

// writeOpening sends the reconnect hint, and the first frame if there is one.
func (s eventWriter) writeOpening(first *streamFrame) error {
	text := []byte(reconnectHint)
	if first != nil {
		text = append(text, first.text...)
	}
	return s.writeFlushed(text)
}

func (s eventWriter) writeFlushed(text []byte) error {
	if _, err := s.w.Write(text); err != nil {
		return err
	}
	return s.controller.Flush()
}

// writeFrames sends frames until they end, the client disconnects, or its credentials are revoked.
func (s eventWriter) writeFrames(ctx context.Context, r *http.Request, frames <-chan streamFrame,
	lost func(context.Context) error) {
	silent := time.NewTicker(keepAliveInterval)
	defer silent.Stop()
	again := time.NewTicker(credentialCheckInterval)
	defer again.Stop()
	for {
		text, written := []byte(": still here\n\n"), make(chan<- struct{}, 1)
		select {
		case f, ok := <-frames:
			if !ok {
				return
			}
			text, written = f.text, f.written
			if f.err != nil {
				text = errorEvent(r, f.err)
			}
			silent.Reset(keepAliveInterval)
		case <-again.C:
			if err := lost(ctx); err != nil {
				_ = s.writeFlushed(errorEvent(r, err))
				return
			}
			continue
		case <-silent.C:
		case <-ctx.Done():
			return
		}
		if s.writeFlushed(text) != nil {
			return
		}
		written <- struct{}{}
	}
}

// errorEvent returns the event that ends a stream with an error.
func errorEvent(r *http.Request, err error) []byte {
	return fmt.Appendf(nil, "event: error\ndata: %s\n\n", problemDocument(r, errs.From(err)))
}
