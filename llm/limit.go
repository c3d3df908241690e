package llm

import (
	"context"
	"errors"
	"time"

	"rostrum/errs"
)

// Limit is how long a model has for a piece of work, its second tries included.
type Limit struct {
	Time time.Duration
	// Otherwise is what a caller may do when that was too short, as half a sentence; empty where nobody waits.
	Otherwise string
}

// Within does work that asks a model. What is not done within the limit fails with errs.ModelTimeout.
func Within[T any](ctx context.Context, limit Limit, work func(context.Context) (T, error)) (T, error) {
	limited, cancel := context.WithTimeout(ctx, limit.Time)
	defer cancel()
	out, err := work(limited)
	if err == nil || ctx.Err() != nil || !errors.Is(limited.Err(), context.DeadlineExceeded) {
		return out, err
	}
	if limit.Otherwise == "" {
		return out, errs.Wrap(err, errs.ModelTimeout, "the text model did not answer within %s", limit.Time)
	}
	return out, errs.Wrap(err, errs.ModelTimeout, "the text model did not answer within %s; %s", limit.Time, limit.Otherwise)
}

// AskWithin does as Ask, within a limit.
func AskWithin[T any](ctx context.Context, engine Engine, limit Limit, task Task) (value T, answer Answer, err error) {
	answer, err = Within(ctx, limit, func(ctx context.Context) (Answer, error) {
		var err error
		value, answer, err = Ask[T](ctx, engine, task)
		return answer, err
	})
	return value, answer, err
}
