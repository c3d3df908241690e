package policy

import (
	"cmp"
	"context"
	"sync"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/principal"
	"rostrum/platform/slot"
)

const (
	// frameShare is which share of the bytes that are not yet written one workspace may hold: a
	// quarter.
	frameShare = 4
	// smallFrame is the number of bytes up to which a response is not counted, because all streams
	// of a process together may hold that much.
	smallFrame = 4 << 10
)

// Stream is a subscription that runs. Its responses are computed in slots of its workspace, and
// hold bytes of a budget until the transport asks for the next one.
type Stream struct {
	policy  *Policy
	maxText int

	mu    sync.Mutex
	ended bool
	free  func() // gives back the bytes of the last response; nil without any
}

// runStream runs a subscription as long as its caller, workspace and process have not too many. The
// operation of a single event within a subscription (see package compile) is part of it.
func (e policyExtension) runStream(ctx context.Context, next graphql.OperationHandler) graphql.ResponseHandler {
	if outer := ExecutionOf(ctx); outer != nil {
		inner := newExecution(ctx, e.p.limits)
		inner.stream = outer.stream
		return next(context.WithValue(ctx, executionKey{}, inner)) // the outer one notes what is read
	}
	leave, err := e.p.openStream(ctx)
	if err != nil {
		return graphql.OneShot(e.p.ErrorResponse(ctx, err))
	}
	stream := &Stream{policy: e.p, maxText: e.p.maxStreamText(graphql.GetOperationContext(ctx))}
	context.AfterFunc(ctx, func() {
		stream.end()
		leave()
	})
	ctx = withExecution(ctx, ctx, e.p.limits)
	ExecutionOf(ctx).stream = stream
	if stream.maxText == e.p.limits.StreamText {
		ctx = dbx.WithTextLimit(ctx, stream.maxText)
	}
	return next(ctx)
}

// maxStreamText returns how long a text of the subscription may be. One that writes a text, which no
// query can read, sends all of it.
func (p *Policy) maxStreamText(op *graphql.OperationContext) int {
	for _, field := range AnalysisOf(op).scopes {
		if field.scope == model.ScopeWrite {
			return p.limits.Answer
		}
	}
	return p.limits.StreamText
}

// openStream counts a subscription until leave is called. It returns errs.RateLimited or
// errs.Unavailable if there are too many.
func (p *Policy) openStream(ctx context.Context) (leave func(), err error) {
	caller, err := principal.From(ctx)
	if err != nil {
		return nil, err
	}
	own, workspace := cmp.Or(caller.KeyID, caller.UserID), caller.WorkspaceID
	release, full := p.streams.Take(1, slot.Share{Owner: own, Limit: int64(p.limits.KeyStreams)},
		slot.Share{Owner: workspace, Limit: int64(p.limits.WorkspaceStreams)},
		slot.Share{Limit: int64(p.limits.AllStreams)})
	if full == nil {
		openStreams.Inc()
		return sync.OnceFunc(func() {
			release()
			openStreams.Dec()
		}), nil
	}
	const advice = "end one first, or follow everything with one stream, for example workspaceEvents"
	refuse := func(code errs.Code, who string) error {
		return errs.New(code, "%s has the most streams that it may have at the same time, %d: %s", who, full.Limit, advice).
			With("limit", full.Limit).With("retry_after", 1)
	}
	switch full.Owner {
	case own:
		return nil, refuse(errs.RateLimited, "this key or user")
	case workspace:
		return nil, refuse(errs.RateLimited, "this workspace")
	}
	return nil, refuse(errs.Unavailable, "this server")
}

// Compute calls encode, which computes one response, in a slot of the workspace. It returns when
// the bytes of the response fit in the budget of responses that are not yet written. The execution
// of a query computes at once.
func (x *Execution) Compute(ctx context.Context, encode func() []byte) ([]byte, error) {
	if x == nil || x.stream == nil {
		return encode(), nil
	}
	release, err := x.stream.policy.responses.Acquire(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	data := encode()
	return data, x.Hold(ctx, len(data))
}

// Hold waits until a response of this many bytes fits in the budget of responses that are not yet
// written, and takes them until Written is called or the context ends.
func (x *Execution) Hold(ctx context.Context, size int) error {
	if x == nil || x.stream == nil || size <= smallFrame {
		return nil
	}
	free, err := x.stream.policy.frames.AcquireBytes(ctx, size)
	if err != nil {
		return err
	}
	x.stream.hold(free)
	return nil
}

// Written gives back the bytes of the last response.
func (x *Execution) Written() {
	if x != nil && x.stream != nil {
		x.stream.hold(nil)
	}
}

func (s *Stream) hold(free func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.free != nil {
		s.free()
	}
	s.free = free
	if s.ended && free != nil {
		free()
		s.free = nil
	}
}

func (s *Stream) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
	if s.free != nil {
		s.free()
		s.free = nil
	}
}
