package transport

import (
	"bytes"
	"context"
	"net/http"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/graph/compile"
	"rostrum/graph/incremental"
	"rostrum/graph/policy"
)

// writeTimeout bounds the time for sending one event; a slower client is disconnected.
const writeTimeout = 10 * time.Second

// writeStream responds with server-sent events, one connection per operation (GraphQL over SSE,
// "distinct connections mode").
func (a *responder) writeStream(ctx context.Context, op *graphql.OperationContext) {
	ctx, cancel := a.s.UntilStop(ctx)
	defer cancel()
	events, written := a.s.startStream(ctx, op, a.formats.spec)
	a.writeStreamHeader()
	keepAlive := time.NewTicker(a.s.config.KeepAlive)
	defer keepAlive.Stop()
	revalidate := time.NewTicker(min(revalidateInterval, a.s.config.KeepAlive))
	defer revalidate.Stop()
	for {
		select {
		case event, more := <-events:
			if !more && ctx.Err() == nil {
				_ = a.writeEvent("complete", nil)
			}
			if !more {
				return // without complete when the server stops, so that the client reconnects
			}
			if a.writeEvent("next", event) != nil {
				return
			}
			written()
		case <-revalidate.C:
			if err := a.s.RevalidateCredentials(ctx); err != nil {
				a.writeLastEvent(a.s.policy.ErrorResponse(ctx, err))
				return
			}
		case <-keepAlive.C:
			if a.writeFrame([]byte(":\n\n")) != nil {
				return
			}
		}
	}
}

// writeSingleEvent responds with one event and status 200, because a browser's EventSource hides
// the body of any other status.
func (a *responder) writeSingleEvent(resp *graphql.Response) {
	a.writeStreamHeader()
	a.writeLastEvent(resp)
}

func (a *responder) writeLastEvent(resp *graphql.Response) {
	_ = a.writeEvent("next", encodeResponse(resp))
	_ = a.writeEvent("complete", nil)
}

func (a *responder) writeStreamHeader() {
	a.started = true
	h := a.w.Header()
	h.Set("Content-Type", typeStream+"; charset=utf-8")
	h.Set("Cache-Control", "no-cache")
	h.Set("X-Accel-Buffering", "no")
	a.w.WriteHeader(http.StatusOK)
	_ = a.writeFrame([]byte(":\n\n"))
}

// writeEvent writes one event. A line break would end its data. Line breaks occur only between JSON
// tokens, so they become spaces.
func (a *responder) writeEvent(name string, data []byte) error {
	frame := append(append([]byte("event: "), name...), "\ndata: "...)
	frame = append(frame, bytes.ReplaceAll(data, []byte("\n"), []byte(" "))...)
	return a.writeFrame(append(frame, "\n\n"...))
}

// writeFrame writes and flushes; it returns an error after writeTimeout.
func (a *responder) writeFrame(frame []byte) error {
	control := http.NewResponseController(a.w)
	_ = control.SetWriteDeadline(time.Now().Add(writeTimeout)) // not every writer supports deadlines
	defer func() { _ = control.SetWriteDeadline(time.Time{}) }()
	if _, err := a.w.Write(frame); err != nil {
		return err
	}
	return control.Flush()
}

// startStream runs an operation and returns its encoded responses. Call written after each has been
// written; the next one is not computed before. The channel is closed when the operation or its
// context ends.
func (s *Server) startStream(ctx context.Context, op *graphql.OperationContext, spec incremental.Format) (events <-chan []byte,
	written func()) {
	responses, done := make(chan []byte), make(chan struct{}, 1)
	go func() {
		defer close(responses)
		s.forEachResponse(ctx, op, spec, func(resp response, _ bool) bool {
			select {
			case responses <- resp.join():
			case <-ctx.Done():
				return false
			}
			select {
			case <-done:
				return true
			case <-ctx.Done():
				return false
			}
		})
	}()
	return responses, func() { done <- struct{}{} }
}

// forEachResponse runs an operation and calls handle with each response until it returns false.
// more is true if the next response is available. A response is valid only during the call, because
// the executor reuses its memory.
func (s *Server) forEachResponse(ctx context.Context, op *graphql.OperationContext, spec incremental.Format,
	handle func(resp response, more bool) bool) {
	defer func() {
		if panicked := recover(); panicked != nil {
			handle(newResponse(s.policy.ErrorResponse(ctx, policy.PanicError(ctx, panicked))), false)
		}
	}()
	ctx, stream := compile.WithStream(ctx)
	if policy.AnalysisOf(op).Deferred {
		s.forEachPart(ctx, op, spec, func(resp response) bool { return handle(resp, false) })
		return
	}
	responses, inner := s.exec.DispatchOperation(ctx, op)
	for {
		stream.Await(inner)
		resp := responses(inner)
		if resp == nil || !handle(newResponse(resp), stream.More()) {
			return
		}
	}
}
