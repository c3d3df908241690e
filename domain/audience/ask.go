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

// Time limits of one model call: in a job, and while a client waits.
var (
	jobTime  = llm.Limit{Time: 3 * time.Minute}
	callTime = llm.Limit{Time: 25 * time.Second, Alternative: "the /async path gives it longer"}
)

// affectsOnePersona reports whether an error concerns one persona, for example a model's failure,
// so that the others can go on.
func affectsOnePersona(err error) bool {
	return llm.IsFailure(err) || errs.Is(err, errs.Internal)
}

// recoverPanics returns a panic of work as errs.Internal. Otherwise it would end the process,
// because work runs in a goroutine.
func recoverPanics(ctx context.Context, work func() error) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			slog.ErrorContext(ctx, "a reaction panicked", "panic", cause, "stack", string(debug.Stack()))
			err = errs.Wrap(fmt.Errorf("panic: %v", cause), errs.Internal, "something went wrong on our side")
		}
	}()
	return work()
}
