package server

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/sony/gobreaker/v2"

	"rostrum/errs"
	"rostrum/llm"
)

// callerError is the error of the caller's context or send function. The server is not responsible.
type callerError struct{ cause error }

func (e *callerError) Error() string { return e.cause.Error() }
func (e *callerError) Unwrap() error { return e.cause }

// partialStreamError is an error after parts of an answer were sent, which cannot be retracted.
type partialStreamError struct{ cause error }

func (e *partialStreamError) Error() string { return e.cause.Error() }
func (e *partialStreamError) Unwrap() error { return e.cause }

// statusError is a response with the status of a failure.
type statusError struct {
	status int
	code   string // of the protocol
	after  string // the header Retry-After
	cause  error
}

func newStatusError(cause error, status int, response *http.Response, code string) error {
	failed := &statusError{status: status, code: code, cause: cause}
	if response != nil {
		failed.after = response.Header.Get("Retry-After")
	}
	return failed
}

func (e *statusError) Error() string { return e.cause.Error() }
func (e *statusError) Unwrap() error { return e.cause }

func statusOf(err error) int {
	if answer, ok := errors.AsType[*statusError](err); ok {
		return answer.status
	}
	return 0
}

var (
	errCut       = errors.New("the connection ended before the answer")
	errNoAnswer  = errors.New("the answer is empty")
	errNoVectors = errors.New("the answer has no usable vectors")
	errDeclined  = errors.New("the model declined")
	errObeyed    = errors.New("the answer repeats a passage that addresses text models")
)

// checkAnswer returns errDeclined or errNoAnswer for an unusable answer. A truncated answer may be
// empty.
func checkAnswer(answer llm.Answer, truncated, declined bool) (llm.Answer, error) {
	answer.Text, answer.Truncated = removeNULBytes(answer.Text), truncated
	switch {
	case declined:
		return answer, errDeclined
	case strings.TrimSpace(answer.Text) == "" && !truncated:
		return answer, errNoAnswer
	}
	return answer, nil
}

// removeNULBytes removes NUL characters, which Postgres cannot store.
func removeNULBytes(said string) string { return strings.ReplaceAll(said, "\x00", "") }

// isCallerError reports whether an error says nothing about the server's health: the caller's own
// error, or a rate limit.
func isCallerError(err error) bool {
	_, callers := errors.AsType[*callerError](err)
	return callers || statusOf(err) == http.StatusTooManyRequests
}

// isServerError reports whether the server failed, as opposed to rejecting the request.
func isServerError(err error) bool {
	status := statusOf(err)
	return status >= 500 || status == http.StatusRequestTimeout || status == 0 && !isUnusable(err)
}

// isUnusable reports whether the server answered, and the answer is unusable.
func isUnusable(err error) bool {
	return errors.Is(err, errDeclined) || errors.Is(err, errNoAnswer) || errors.Is(err, errNoVectors) ||
		errors.Is(err, errObeyed)
}

// classifyRetry returns the error as backoff expects it: permanent, or retryable with a delay.
func classifyRetry(err error) error {
	if err == nil {
		return nil
	}
	status := statusOf(err)
	_, late := errors.AsType[*partialStreamError](err)
	_, callers := errors.AsType[*callerError](err)
	switch {
	case late, callers, isConnectionError(err), errors.Is(err, errDeclined), errors.Is(err, errObeyed),
		errors.Is(err, context.DeadlineExceeded), isQuotaExhausted(err):
		return backoff.Permanent(err)
	case status == 0, status >= 500, status == http.StatusTooManyRequests, status == http.StatusRequestTimeout,
		status == http.StatusConflict:
		return withRetryAfter(err)
	}
	return backoff.Permanent(err)
}

func isConnectionError(err error) bool {
	return errors.Is(err, gobreaker.ErrOpenState) || errors.Is(err, gobreaker.ErrTooManyRequests)
}

// isQuotaExhausted reports a 429 that a retry cannot resolve.
func isQuotaExhausted(err error) bool {
	answer, ok := errors.AsType[*statusError](err)
	return ok && answer.code == "insufficient_quota"
}

// withRetryAfter adds the delay that the server requests, in seconds or as a date (RFC 9110,
// 10.2.3).
func withRetryAfter(err error) error {
	answer, ok := errors.AsType[*statusError](err)
	if !ok {
		return err
	}
	pause := time.Duration(-1)
	if seconds, failed := strconv.ParseFloat(answer.after, 64); failed == nil && seconds >= 0 && seconds < 1e6 {
		pause = time.Duration(seconds * float64(time.Second))
	} else if date, failed := http.ParseTime(answer.after); failed == nil {
		pause = max(0, time.Until(date))
	}
	if pause < 0 {
		return err
	}
	return errors.Join(err, &backoff.RetryAfterError{Duration: pause})
}

// newFailure returns the error of a call for a task without the key and the prompt.
func (c Config) newFailure(task string, err error) error {
	if callers, ok := errors.AsType[*callerError](err); ok {
		return callers.cause
	}
	if outside, ok := errors.AsType[*url.Error](err); ok {
		err = outside.Err // without the address
	}
	status := statusOf(err)
	fail := func(format string, args ...any) error { return errs.Wrap(err, errs.ModelFailed, format, args...) }
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return errs.Wrap(err, errs.ModelTimeout, "the text model did not answer %s within %s", task, c.Timeout)
	case isConnectionError(err):
		return fail("the text model's server keeps failing and is left alone for some seconds; try again then")
	case errors.Is(err, errDeclined):
		return fail("the text model declined %s", task)
	case errors.Is(err, errObeyed):
		return fail("the text model's answer to %s repeats a passage of a text that addresses text models", task)
	case errors.Is(err, errNoAnswer):
		return fail("the text model gave an empty answer to %s", task)
	case errors.Is(err, errNoVectors):
		return fail("the text model's answer to %s does not have a usable vector for each text", task)
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return fail("the text model's server refused this server's key")
	case isQuotaExhausted(err):
		return fail("this server's quota at the text model's server is used up")
	case status == http.StatusTooManyRequests:
		return fail("the text model's server takes no more calls for now; try again later")
	case status != 0:
		return fail("the text model's server answered %s with status %d", task, status)
	}
	return fail("the connection to the text model's server failed during %s", task)
}
