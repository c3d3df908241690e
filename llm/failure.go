package llm

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/openai/openai-go/v3"
	"github.com/sony/gobreaker/v2"

	"rostrum/errs"
)

// callersError is what a caller's context or its send function ended with: nothing that the server did.
type callersError struct{ cause error }

func (e *callersError) Error() string { return e.cause.Error() }
func (e *callersError) Unwrap() error { return e.cause }

// lateError is a failure after pieces were sent, which cannot be taken back.
type lateError struct{ cause error }

func (e *lateError) Error() string { return e.cause.Error() }
func (e *lateError) Unwrap() error { return e.cause }

func statusOf(err error) int {
	if answer, ok := errors.AsType[*openai.Error](err); ok {
		return answer.StatusCode
	}
	return 0
}

// notTheServers reports errors that tell nothing of the server's health: the caller's own, and being asked to come later.
func notTheServers(err error) bool {
	_, callers := errors.AsType[*callersError](err)
	return callers || statusOf(err) == http.StatusTooManyRequests
}

// serverFailed reports a failure of the server and not of what it was asked.
func serverFailed(err error) bool {
	status := statusOf(err)
	return status >= 500 || status == http.StatusRequestTimeout || status == 0 && !errors.Is(err, errDeclined) && !errors.Is(err, errNoAnswer)
}

// again tells backoff whether to ask again, and when.
func again(err error) error {
	if err == nil {
		return nil
	}
	status := statusOf(err)
	_, late := errors.AsType[*lateError](err)
	_, callers := errors.AsType[*callersError](err)
	switch {
	case late, callers, broken(err), errors.Is(err, errDeclined), errors.Is(err, context.DeadlineExceeded), spent(err):
		return backoff.Permanent(err)
	case status == 0, status >= 500, status == http.StatusTooManyRequests, status == http.StatusRequestTimeout, status == http.StatusConflict:
		return withPause(err)
	}
	return backoff.Permanent(err)
}

func broken(err error) bool {
	return errors.Is(err, gobreaker.ErrOpenState) || errors.Is(err, gobreaker.ErrTooManyRequests)
}

// spent is a 429 that no waiting helps.
func spent(err error) bool {
	answer, ok := errors.AsType[*openai.Error](err)
	return ok && answer.Code == "insufficient_quota"
}

// withPause adds the pause that the server asks for, in seconds or until a date (RFC 9110, 10.2.3).
func withPause(err error) error {
	answer, ok := errors.AsType[*openai.Error](err)
	if !ok || answer.Response == nil {
		return err
	}
	after := answer.Response.Header.Get("Retry-After")
	pause := time.Duration(-1)
	if seconds, failed := strconv.ParseFloat(after, 64); failed == nil && seconds >= 0 && seconds < 1e6 {
		pause = time.Duration(seconds * float64(time.Second))
	} else if date, failed := http.ParseTime(after); failed == nil {
		pause = max(0, time.Until(date))
	}
	if pause < 0 {
		return err
	}
	return errors.Join(err, &backoff.RetryAfterError{Duration: pause})
}

// failure says what went wrong in words that hold neither the key nor the prompt.
func (e *OpenAI) failure(task Task, err error) error {
	if callers, ok := errors.AsType[*callersError](err); ok {
		return callers.cause
	}
	if outside, ok := errors.AsType[*url.Error](err); ok {
		err = outside.Err // without the address
	}
	status := statusOf(err)
	fail := func(format string, args ...any) error { return errs.Wrap(err, errs.ModelFailed, format, args...) }
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return errs.Wrap(err, errs.ModelTimeout, "the text model did not answer %s within %s", task.Name, e.config.Timeout)
	case broken(err):
		return fail("the text model's server keeps failing and is left alone for some seconds; try again then")
	case errors.Is(err, errDeclined):
		return fail("the text model declined %s", task.Name)
	case errors.Is(err, errNoAnswer):
		return fail("the text model gave an empty answer to %s", task.Name)
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return fail("the text model's server refused this server's key")
	case spent(err):
		return fail("this server's quota at the text model's server is used up")
	case status == http.StatusTooManyRequests:
		return fail("the text model's server takes no more calls for now; try again later")
	case status != 0:
		return fail("the text model's server answered %s with status %d", task.Name, status)
	}
	return fail("the connection to the text model's server failed during %s", task.Name)
}
