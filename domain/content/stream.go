package content

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"

	"rostrum/errs"
	"rostrum/model"
)

// GenerateStream does what Generate does, and tells of the pieces as they come; it fails as that does before the first one.
func (s *Service) GenerateStream(ctx context.Context, in model.ContentGenerateInput) (<-chan *model.ContentEvent, error) {
	b, err := s.generating(ctx, in)
	if err != nil {
		return nil, err
	}
	return s.stream(ctx, opGenerate, b)
}

// EnhanceStream does what Enhance does, and tells of the pieces as they come; it fails as that does before the first one.
func (s *Service) EnhanceStream(ctx context.Context, in model.ContentEnhanceInput) (<-chan *model.ContentEvent, error) {
	b, err := enhancing(in)
	if err != nil {
		return nil, err
	}
	return s.stream(ctx, opEnhance, b)
}

// stream waits for the run to be reserved, so that a budget that is spent is an error of the operation, and then writes beside its caller.
func (s *Service) stream(ctx context.Context, operation string, b brief) (<-chan *model.ContentEvent, error) {
	t := &telling{ctx: ctx, events: make(chan *model.ContentEvent), began: make(chan error, 1)}
	go t.run(func() (*model.GeneratedText, error) {
		var out *model.GeneratedText
		err := s.spend(ctx, operation, func(ctx context.Context) (err error) {
			t.begin(nil)
			if out, err = s.write(ctx, s.chosen(b), t.piece); err != nil && t.ctx.Err() != nil && t.position > 0 {
				return nil // who leaves after they have read keeps what they have read, and pays for it
			}
			return err
		})
		return out, err
	})
	return t.events, <-t.began
}

// telling is one stream's side of a text that is being written.
type telling struct {
	ctx      context.Context //nolint:containedctx // the stream's own
	events   chan *model.ContentEvent
	began    chan error
	started  bool
	position int
}

func (t *telling) begin(err error) {
	t.started = true
	t.began <- err
}

func (t *telling) send(e *model.ContentEvent) error {
	t.position++
	e.Position = t.position
	select {
	case t.events <- e:
		return nil
	case <-t.ctx.Done():
		return t.ctx.Err()
	}
}

func (t *telling) piece(delta string) error {
	return t.send(&model.ContentEvent{Kind: model.ContentEventKindDelta, Delta: &delta})
}

// run writes and tells how it ended.
func (t *telling) run(write func() (*model.GeneratedText, error)) {
	defer close(t.events)
	out, err := guarded(write)
	switch {
	case !t.started:
		t.begin(err)
	case err != nil:
		e := errs.From(err)
		_ = t.send(&model.ContentEvent{Kind: model.ContentEventKindFailed, Failure: &model.ContentFailure{Code: string(e.Code), Message: e.Message}})
	case out != nil:
		_ = t.send(&model.ContentEvent{Kind: model.ContentEventKindEnd, Text: out})
	}
}

// guarded makes a panic an error: nothing else stands between it and the end of the process.
func guarded(write func() (*model.GeneratedText, error)) (out *model.GeneratedText, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			slog.Error("writing a text panicked", "panic", cause, "stack", string(debug.Stack()))
			err = fmt.Errorf("writing a text panicked: %v", cause)
		}
	}()
	return write()
}
