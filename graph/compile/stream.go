package compile

import "context"

// Stream is the state of a subscription's events, which its transport reads between two responses.
type Stream struct {
	await func(context.Context) // nil if the operation is no compiled subscription
	more  bool
}

// streamKey is the context key of the stream that [WithStream] returns.
type streamKey struct{}

// WithStream returns a context for an operation and the state of its events.
func WithStream(ctx context.Context) (context.Context, *Stream) {
	stream := &Stream{}
	return context.WithValue(ctx, streamKey{}, stream), stream
}

// Await blocks until the next event is available, the last one has passed, or the context ends.
// Wait here and not in the executor's nested calls: the garbage collector then shrinks the
// goroutine's stack.
func (s *Stream) Await(ctx context.Context) {
	if s.await != nil {
		s.await(ctx)
	}
}

// More reports whether the next event is already available, so that a transport can send both
// together.
func (s *Stream) More() bool { return s.more }

func streamOf(ctx context.Context) *Stream {
	if stream, ok := ctx.Value(streamKey{}).(*Stream); ok {
		return stream
	}
	return &Stream{}
}

// nextEvent is an event that was received from a channel but not taken yet. One goroutine uses it.
type nextEvent[E any] struct {
	events         <-chan E
	event          E
	received, open bool
}

// receive blocks until an event is available, the channel is closed or the context ends.
func (n *nextEvent[E]) receive(ctx context.Context) {
	if n.received {
		return
	}
	select {
	case <-ctx.Done():
	case n.event, n.open = <-n.events:
		n.received = true
	}
}

// take returns the next event. It returns false if the channel is closed or the context ends first.
func (n *nextEvent[E]) take(ctx context.Context) (event E, ok bool) {
	n.receive(ctx)
	event, ok = n.event, n.received && n.open
	var none E
	n.event, n.received = none, n.received && !n.open // a closed channel stays received
	return event, ok
}
