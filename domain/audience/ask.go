package audience

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"rostrum/errs"
	"rostrum/llm"
)

// How long a model has for one task of a job, and where somebody waits.
var (
	jobTime  = llm.Limit{Time: 3 * time.Minute}
	callTime = llm.Limit{Time: 25 * time.Second, Otherwise: "the /async path gives it longer"}
)

// alone reports a failure that is the one persona's: the others may do well.
func alone(err error) bool {
	return errs.Is(err, errs.ModelFailed) || errs.Is(err, errs.ModelTimeout) || errs.Is(err, errs.Internal)
}

// guarded makes a panic an error: nobody above a goroutine catches one.
func guarded(ctx context.Context, work func() error) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			slog.ErrorContext(ctx, "a reaction panicked", "panic", cause, "stack", string(debug.Stack()))
			err = errs.Wrap(fmt.Errorf("panic: %v", cause), errs.Internal, "something went wrong on our side")
		}
	}()
	return work()
}
