package policy

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"sync"
	"sync/atomic"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/errs"
	"rostrum/model"
)

// Execution is the state of a running operation. The methods of a nil Execution limit nothing.
type Execution struct {
	answerLimit int
	stream      *Stream         // nil unless it is a subscription
	work        context.Context // ends when the operation must stop
	done        <-chan struct{} // of work
	bytes       atomic.Int64    // of the response
	listed      atomic.Int64    // errors that are in the response
	stopped     atomic.Bool     // whether the error of Err is in the response
	failures    failureLog
	reads       model.ReadSet // since the last response

	mu      sync.Mutex
	omitted map[string]struct{} // paths of the fields with errors that the response does not list
}

type executionKey struct{}

// withExecution returns a context with a new execution, which must stop when work ends. It collects
// the texts that the context's statements read.
func withExecution(ctx, work context.Context, limits Limits) context.Context {
	x := newExecution(work, limits)
	return model.WithReads(context.WithValue(ctx, executionKey{}, x), &x.reads)
}

func newExecution(work context.Context, limits Limits) *Execution {
	return &Execution{answerLimit: limits.Answer, work: work, done: work.Done()}
}

// ExecutionOf returns the execution of an operation's context, or nil.
func ExecutionOf(ctx context.Context) *Execution {
	x, _ := ctx.Value(executionKey{}).(*Execution)
	return x
}

// Err returns an error once the operation must stop: the client has left, the time is up, or the
// response has too many bytes.
func (x *Execution) Err() error {
	if x == nil {
		return nil
	}
	select {
	case <-x.done:
		return stopError{context.Cause(x.work)}
	default:
		return x.sizeErr()
	}
}

func (x *Execution) sizeErr() error {
	if x == nil || x.bytes.Load() <= int64(x.answerLimit) {
		return nil
	}
	return stopError{answerError(x.answerLimit)}
}

// AddBytes counts bytes of the response.
func (x *Execution) AddBytes(n int) {
	if x != nil {
		x.bytes.Add(int64(n))
	}
}

// RemainingBytes returns the number of bytes that the response may still have.
func (x *Execution) RemainingBytes() int {
	if x == nil {
		return math.MaxInt
	}
	return x.answerLimit - int(x.bytes.Load())
}

// reset starts the next response of a stream.
func (x *Execution) reset() {
	x.bytes.Store(0)
	x.listed.Store(0)
	x.stopped.Store(false)
}

// admitsError reports whether the response may list one more error. The error of Err is listed only
// once, because each field after the stop has it.
func (x *Execution) admitsError(ctx context.Context, err error, limit int) bool {
	switch {
	case x == nil:
		return true
	case isStop(err):
		return x.stopped.CompareAndSwap(false, true)
	case x.listed.Add(1) <= int64(limit):
		return true
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.omitted == nil {
		x.omitted = map[string]struct{}{}
	}
	// gqlgen adds a second error to a field if it does not find the first one
	x.omitted[graphql.GetPath(ctx).String()] = struct{}{}
	return false
}

// takeOmitted returns the number of errors that were omitted since the last call.
func (x *Execution) takeOmitted() int {
	if x == nil {
		return 0
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	n := len(x.omitted)
	x.omitted = nil
	return n
}

func isStop(err error) bool {
	_, ok := errors.AsType[stopError](err)
	return ok
}

// stopError marks the error of an operation that stopped.
type stopError struct{ error }

func (s stopError) Unwrap() error { return s.error }

// answerError is the error of a response with too many bytes.
func answerError(limit int) error {
	return errs.New(errs.LimitExceeded, "the response has more than the %d bytes that this server sends: select fewer fields or request smaller pages", limit).
		With("limit", limit)
}

// MaxText returns the number of bytes above which a text is not part of the response.
func (x *Execution) MaxText() int {
	if x == nil || x.stream == nil {
		return math.MaxInt
	}
	return x.stream.maxText
}

// textErr returns an error if a value is a text that is too long for a stream.
func (x *Execution) textErr(value any) error {
	limit, size := x.MaxText(), 0
	switch v := value.(type) {
	case string:
		size = len(v)
	case *string:
		if v != nil {
			size = len(*v)
		}
	case json.RawMessage:
		size = len(v)
	}
	if size <= limit {
		return nil
	}
	return errs.New(errs.LimitExceeded, "the text has more than the %d bytes that a stream sends: select the id here, and read the text by a query", limit).
		With("limit", limit)
}

// valueOverhead is the least number of bytes of a field besides its text: quotes, colon and comma.
const valueOverhead = 8

// sizeOf returns about the number of bytes of a resolved value in the response, without its fields.
func sizeOf(value any) int {
	switch v := value.(type) {
	case interface{ Size() int }:
		return v.Size() + valueOverhead
	case string:
		return len(v) + valueOverhead
	case *string:
		if v != nil {
			return len(*v) + valueOverhead
		}
	case json.RawMessage:
		return len(v) + valueOverhead
	case []string:
		total := valueOverhead
		for _, text := range v {
			total += len(text) + valueOverhead
		}
		return total
	}
	return valueOverhead
}
