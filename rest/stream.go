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
)

const (
	// grace is how long a stream waits for its first event before it opens with nothing: what fails at once still gets a status of its own.
	grace = 200 * time.Millisecond
	// keepAlive is the time between comments on a silent stream, so that nothing in between takes it for dead.
	keepAlive = 15 * time.Second
	// recheck is the time between two checks of what the stream was entered with.
	recheck = 2 * time.Second
	// reconnect is the retry hint to clients.
	reconnect = "retry: 1000\n\n"
)

// frame is one event as it goes out, or the failure that ends the stream.
type frame struct {
	text []byte
	err  error
}

// stream answers with the subscription's events (the HTML standard's server-sent events) until it ends or the client goes.
func (a *Adapter) stream(ctx context.Context, op *operation, variables map[string]any, w http.ResponseWriter, r *http.Request) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	next, ctx := a.dispatch(ctx, op, variables, r)
	frames := make(chan frame)
	go a.pump(ctx, op, next, frames)

	var first *frame
	select {
	case f, ok := <-frames:
		if ok && f.err != nil {
			return f.err
		}
		if ok {
			first = &f
		}
	case <-time.After(grace):
	}
	out := sse{w: w, flush: http.NewResponseController(w)}
	out.start()
	if r.Method == http.MethodHead || out.open(first) != nil {
		return nil
	}
	out.run(ctx, r, frames, a.config.Lost)
	return nil
}

// pump turns each answer into a frame before it asks for the next one: the executor reuses the memory of an answer.
func (a *Adapter) pump(ctx context.Context, op *operation, next graphql.ResponseHandler, frames chan<- frame) {
	defer close(frames)
	send := func(f frame) bool {
		select {
		case frames <- f:
			return f.err == nil
		case <-ctx.Done():
			return false
		}
	}
	defer func() {
		if cause := recover(); cause != nil {
			a.log.ErrorContext(ctx, "a stream panicked", "panic", cause, "stack", string(debug.Stack()))
			send(frame{err: errs.New(errs.Internal, "something went wrong on our side")})
		}
	}()
	for response := next(ctx); response != nil; response = next(ctx) {
		text, err := op.frame(response)
		if !send(frame{text, err}) {
			return
		}
	}
}

// frame writes one event: its id, its name, and as data the event or the one field of it that the operation names.
func (op *operation) frame(response *graphql.Response) ([]byte, error) {
	value, err := op.value(response)
	if err != nil {
		return nil, err
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(value, &members); err != nil {
		return nil, errNotAnswered
	}
	var text bytes.Buffer
	if op.rule.ID != "" {
		fmt.Fprintf(&text, "id: %s\n", bytes.Trim(members[op.rule.ID], `"`))
	}
	if op.rule.Event != "" {
		fmt.Fprintf(&text, "event: %s\n", bytes.Trim(members[op.rule.Event], `"`))
	}
	if op.rule.Unwrap != "" {
		value = members[op.rule.Unwrap]
	}
	fmt.Fprintf(&text, "data: %s\n\n", value)
	return text.Bytes(), nil
}

// sse is a stream that was opened.
type sse struct {
	w     http.ResponseWriter
	flush *http.ResponseController
}

// start sends the status and lifts the server's deadlines, which are meant for answers that end.
func (s sse) start() {
	_ = s.flush.SetWriteDeadline(time.Time{})
	_ = s.flush.SetReadDeadline(time.Time{})
	header := s.w.Header()
	header.Set("Content-Type", mediaStream)
	header.Set("Cache-Control", "no-store")
	header.Set("X-Accel-Buffering", "no")
	s.w.WriteHeader(http.StatusOK)
}

// open sends the hint to clients, and the first frame when there is one already.
func (s sse) open(first *frame) error {
	text := []byte(reconnect)
	if first != nil {
		text = append(text, first.text...)
	}
	return s.send(text)
}

func (s sse) send(text []byte) error {
	if _, err := s.w.Write(text); err != nil {
		return err
	}
	return s.flush.Flush()
}

// run sends frames until they end, the client goes, or what it came with stops working.
func (s sse) run(ctx context.Context, r *http.Request, frames <-chan frame, lost func(context.Context) error) {
	silent := time.NewTicker(keepAlive)
	defer silent.Stop()
	again := time.NewTicker(recheck)
	defer again.Stop()
	for {
		text := []byte(": still here\n\n")
		select {
		case f, ok := <-frames:
			if !ok {
				return
			}
			text = f.text
			if f.err != nil {
				text = failure(r, f.err)
			}
			silent.Reset(keepAlive)
		case <-again.C:
			if err := lost(ctx); err != nil {
				_ = s.send(failure(r, err))
				return
			}
			continue
		case <-silent.C:
		case <-ctx.Done():
			return
		}
		if s.send(text) != nil {
			return
		}
	}
}

// failure is the event that ends a stream which went wrong.
func failure(r *http.Request, err error) []byte {
	return fmt.Appendf(nil, "event: error\ndata: %s\n\n", problem(r, errs.From(err)))
}
