package graph

import (
	"bytes"
	"context"
	"net/http"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// writeTime is how long one event may take to leave; a reader that is slower is cut off.
const writeTime = 10 * time.Second

// stream answers over server-sent events, one connection per operation (GraphQL over SSE, "distinct connections mode").
func (a *answer) stream(ctx context.Context, op *graphql.OperationContext) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	events := a.s.pump(ctx, op)
	a.openStream()
	alive := time.NewTicker(a.s.keepAlive)
	defer alive.Stop()
	recheck := time.NewTicker(min(recheckTime, a.s.keepAlive))
	defer recheck.Stop()
	for {
		select {
		case event, more := <-events:
			if !more && ctx.Err() == nil {
				_ = a.event("complete", nil)
			}
			if !more {
				return // without an end when the server stops: the caller comes again
			}
			if a.event("next", event) != nil {
				return
			}
		case <-recheck.C:
			if err := a.s.Lost(ctx); err != nil {
				a.events(a.s.presented(ctx, err))
				return
			}
		case <-alive.C:
			if a.frame([]byte(":\n\n")) != nil {
				return
			}
		}
	}
}

// streamOne answers with a single event: a browser's EventSource shows the body of no other status than 200.
func (a *answer) streamOne(resp *graphql.Response) {
	a.openStream()
	a.events(resp)
}

// events writes a last answer and the end.
func (a *answer) events(last *graphql.Response) {
	_ = a.event("next", encode(last))
	_ = a.event("complete", nil)
}

func (a *answer) openStream() {
	a.begun = true
	h := a.w.Header()
	h.Set("Content-Type", typeStream+"; charset=utf-8")
	h.Set("Cache-Control", "no-cache")
	h.Set("X-Accel-Buffering", "no")
	a.w.WriteHeader(http.StatusOK)
	_ = a.frame([]byte(":\n\n"))
}

// event writes one event. A line break in it stands between JSON tokens, never in a string, and would end the data.
func (a *answer) event(name string, data []byte) error {
	frame := append(append([]byte("event: "), name...), "\ndata: "...)
	frame = append(frame, bytes.ReplaceAll(data, []byte("\n"), []byte(" "))...)
	return a.frame(append(frame, "\n\n"...))
}

func (a *answer) frame(frame []byte) error {
	control := http.NewResponseController(a.w)
	_ = control.SetWriteDeadline(time.Now().Add(writeTime)) // not every writer has deadlines
	defer func() { _ = control.SetWriteDeadline(time.Time{}) }()
	if _, err := a.w.Write(frame); err != nil {
		return err
	}
	return control.Flush()
}

func (s *Server) presented(ctx context.Context, err error) *graphql.Response {
	return &graphql.Response{Errors: gqlerror.List{s.present(ctx, err)}}
}

// pump runs an operation, encodes its answers as they come and ends with the operation or its context.
func (s *Server) pump(ctx context.Context, op *graphql.OperationContext) <-chan []byte {
	events := make(chan []byte)
	go func() {
		defer close(events)
		s.each(ctx, op, func(resp *graphql.Response) bool {
			select {
			case events <- encode(resp):
				return true
			case <-ctx.Done():
				return false
			}
		})
	}()
	return events
}

// each runs an operation and hands its answers to take as they come, until it says no. An answer is used before the next is asked for,
// because the executor makes it in the same memory.
func (s *Server) each(ctx context.Context, op *graphql.OperationContext, take func(*graphql.Response) bool) {
	defer func() {
		if panicked := recover(); panicked != nil {
			take(s.presented(ctx, recovered(ctx, panicked)))
		}
	}()
	responses, inner := s.exec.DispatchOperation(ctx, op)
	for resp := responses(inner); resp != nil && take(resp); resp = responses(inner) {
	}
}
