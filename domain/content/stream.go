package content

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"

	"rostrum/api"
	"rostrum/errs"
	"rostrum/model"
)

// GenerateStream is Generate in pieces. It returns errors that occur before the first piece.
func (s *Service) GenerateStream(ctx context.Context, in api.GenerateContentInput) (<-chan *api.ContentEvent, error) {
	b, err := s.newGenerateBrief(ctx, in)
	if err != nil {
		return nil, err
	}
	return s.streamPiece(ctx, fieldGenerate, b)
}

// EnhanceStream is Enhance in pieces. It returns errors that occur before the first piece.
func (s *Service) EnhanceStream(ctx context.Context, in api.EnhanceContentInput) (<-chan *api.ContentEvent, error) {
	b, err := newEnhanceBrief(in)
	if err != nil {
		return nil, err
	}
	return s.streamPiece(ctx, fieldEnhance, b)
}

// streamPiece blocks until the run is reserved and returns the reservation's error. It then writes
// the piece concurrently and sends its events.
func (s *Service) streamPiece(ctx context.Context, operation string, b brief) (<-chan *api.ContentEvent, error) {
	t := &eventStream{ctx: ctx, events: make(chan *api.ContentEvent), startErr: make(chan error, 1)}
	go t.runWriter(func() (*api.GeneratedText, error) {
		var out *api.GeneratedText
		err := s.spendRun(ctx, operation, func(ctx context.Context) (err error) {
			t.reportStart(nil)
			if out, err = s.writePiece(ctx, b, t.sendDelta); err != nil && t.ctx.Err() != nil && t.position > 0 {
				return nil // a caller that disconnects after the first event is charged
			}
			return err
		})
		return out, err
	})
	return t.events, <-t.startErr
}

// eventStream is the state of one event stream.
type eventStream struct {
	ctx      context.Context //nolint:containedctx // the stream's own
	events   chan *api.ContentEvent
	startErr chan error
	started  bool
	position int
}

func (t *eventStream) reportStart(err error) {
	t.started = true
	t.startErr <- err
}

func (t *eventStream) sendEvent(e *api.ContentEvent) error {
	t.position++
	e.Position = t.position
	select {
	case t.events <- e:
		return nil
	case <-t.ctx.Done():
		return t.ctx.Err()
	}
}

func (t *eventStream) sendDelta(delta string) error {
	return t.sendEvent(&api.ContentEvent{Kind: model.ContentEventKindDelta, Delta: &delta})
}

// runWriter runs write and sends the final event.
func (t *eventStream) runWriter(write func() (*api.GeneratedText, error)) {
	defer close(t.events)
	out, err := recoverPanic(write)
	switch {
	case !t.started:
		t.reportStart(err)
	case err != nil:
		e := errs.From(err)
		_ = t.sendEvent(&api.ContentEvent{Kind: model.ContentEventKindFailed,
			Failure: &api.ContentFailure{Code: string(e.Code), Message: e.Message}})
	case out != nil:
		_ = t.sendEvent(&api.ContentEvent{Kind: model.ContentEventKindEnd, Text: out})
	}
}

// recoverPanic returns a panic of write as an error. Otherwise it would end the process, because
// write runs in a goroutine.
func recoverPanic(write func() (*api.GeneratedText, error)) (out *api.GeneratedText, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			slog.Error("writing a text panicked", "panic", cause, "stack", string(debug.Stack()))
			err = fmt.Errorf("writing a text panicked: %v", cause)
		}
	}()
	return write()
}
