package audience

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"rostrum/errs"
	"rostrum/llm"
)

// jobTime is how long a model has for one task of a job, its second try included; callTime where somebody waits.
const (
	jobTime  = 3 * time.Minute
	callTime = 25 * time.Second
)

// ask asks for an answer of a schema. One that takes longer than that fails with model_timeout.
func ask[T any](ctx context.Context, engine llm.Engine, most time.Duration, task llm.Task) (T, llm.Answer, error) {
	limited, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	value, answer, err := llm.Ask[T](limited, engine, task)
	if err != nil && ctx.Err() == nil && errors.Is(limited.Err(), context.DeadlineExceeded) {
		err = errs.Wrap(err, errs.ModelTimeout, "the text model did not answer within %s", most)
	}
	return value, answer, err
}

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
