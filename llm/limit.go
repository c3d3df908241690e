package llm

import (
	"context"
	"errors"
	"time"

	"rostrum/errs"
)

// IsFailure reports whether a model failed or did not answer in time. Work that does not need it
// may go on.
func IsFailure(err error) bool {
	return errs.Is(err, errs.ModelFailed) || errs.Is(err, errs.ModelTimeout)
}

// Limit is the time limit of model work, retries included.
type Limit struct {
	Time time.Duration
	// Alternative is the second half of the error's sentence: what the caller can do after a
	// timeout. It is empty for jobs.
	Alternative string
}

// Within runs work that calls a model. After the limit it returns errs.ModelTimeout.
func Within[T any](ctx context.Context, limit Limit, work func(context.Context) (T, error)) (T, error) {
	limited, cancel := context.WithTimeout(ctx, limit.Time)
	defer cancel()
	out, err := work(limited)
	if err == nil || ctx.Err() != nil || !errors.Is(limited.Err(), context.DeadlineExceeded) {
		return out, err
	}
	if limit.Alternative == "" {
		return out, errs.Wrap(err, errs.ModelTimeout, "the text model did not answer within %s", limit.Time)
	}
	return out, errs.Wrap(err, errs.ModelTimeout, "the text model did not answer within %s; %s", limit.Time,
		limit.Alternative)
}

// AskWithin calls Ask with a limit. It returns the errors of Ask and Within.
func AskWithin[T any](ctx context.Context, engine Engine, limit Limit, task Task) (value T, answer Answer, err error) {
	answer, err = Within(ctx, limit, func(ctx context.Context) (Answer, error) {
		var err error
		value, answer, err = Ask[T](ctx, engine, task)
		return answer, err
	})
	return value, answer, err
}
