package policy

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"reflect"
	"sync"

	"github.com/go-chi/chi/v5/middleware"

	"rostrum/errs"
)

// LogFailure logs errors with a status of 500 or above, each cause once per operation. It ignores
// canceled requests.
func (p *Policy) LogFailure(ctx context.Context, failure *errs.Error) {
	if failure.Status() < http.StatusInternalServerError || errors.Is(failure, context.Canceled) {
		return
	}
	if x := ExecutionOf(ctx); x != nil && x.failures.isRepeated(failure.Cause) {
		return
	}
	level := slog.LevelWarn
	if failure.Code == errs.Internal {
		level = slog.LevelError
	}
	p.config.Logger.Log(ctx, level, "graph: operation failed", "error", failure, "request_id", middleware.GetReqID(ctx))
}

// failureLog holds the last cause that an operation logged, because a failed batch reports the same
// error for each row.
type failureLog struct {
	mu   sync.Mutex
	last error
}

// isRepeated reports whether the cause is the same as in the previous call.
func (l *failureLog) isRepeated(cause error) bool {
	if cause == nil || !reflect.TypeOf(cause).Comparable() {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.last == cause { //nolint:errorlint // the very same value is a repetition
		return true
	}
	l.last = cause
	return false
}
