package fetch

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"

	"code.dny.dev/ssrf"

	"rostrum/model"
)

// Kind is the reason of a failed fetch.
type Kind string

// Kinds of failures.
const (
	Blocked    Kind = "blocked"    // a private, loopback, link-local, shared or otherwise special address
	DNS        Kind = "dns"        // the name has no address, or its server did not respond
	Timeout    Kind = "timeout"    // Config.Timeout was exceeded
	Status     Kind = "status"     // a response outside 2xx
	Connection Kind = "connection" // refused, reset, cut, TLS failed, or not HTTP
	TooLarge   Kind = "too_large"  // the body is over Config.MaxBytes
	Redirects  Kind = "redirects"  // more than Config.MaxRedirects
	BadURL     Kind = "bad_url"    // not an address, or one with user information
	Scheme     Kind = "scheme"     // not http or https
)

// Error is a failed fetch. Message is for users, Cause for the log.
type Error struct {
	Kind   Kind
	Status int       // the HTTP status of kind Status
	Page   *Response // the start of the response of kind Status, which often explains it
	Cause  error
}

func (e *Error) Error() string {
	if e.Cause != nil {
		return e.Message() + ": " + e.Cause.Error()
	}
	return e.Message()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

var kindMessages = map[Kind]string{
	Blocked:    "the address is private or reserved, and this server does not reach those",
	DNS:        "the host's name could not be resolved; check the spelling or try again",
	Timeout:    "the site did not answer in time; try again later",
	Connection: "the connection to the site failed; try again later",
	TooLarge:   "the source is larger than this server reads",
	Redirects:  "the site redirects too many times",
	BadURL:     "the address is not a valid http or https URL without user name and password",
	Scheme:     "only http and https addresses can be fetched",
}

// Message returns a lower-case sentence for users without details of the internal network.
func (e *Error) Message() string {
	if e.Kind == Status {
		return fmt.Sprintf("the site answered with status %d %s", e.Status, http.StatusText(e.Status))
	}
	return kindMessages[e.Kind]
}

// Retryable reports whether the same fetch may succeed later without a change of the URL.
func (e *Error) Retryable() bool {
	switch e.Kind {
	case DNS, Timeout, Connection:
		return true
	case Status:
		return e.Status >= 500 || e.Status == http.StatusTooManyRequests || e.Status == http.StatusRequestTimeout
	}
	return false
}

var errorCodes = map[Kind]model.ProcessingErrorCode{
	Blocked:    model.ProcessingErrorCodeBlockedAddress,
	DNS:        model.ProcessingErrorCodeDnsFailed,
	Timeout:    model.ProcessingErrorCodeTimeout,
	Status:     model.ProcessingErrorCodeHttpStatus,
	Connection: model.ProcessingErrorCodeHttpStatus,
	TooLarge:   model.ProcessingErrorCodeTooLarge,
	Redirects:  model.ProcessingErrorCodeHttpStatus,
	BadURL:     model.ProcessingErrorCodeUnsupportedContent,
	Scheme:     model.ProcessingErrorCodeUnsupportedContent,
}

// Code returns the error code of a document if its source failed with this error.
func (e *Error) Code() model.ProcessingErrorCode { return errorCodes[e.Kind] }

// classifyError converts an error of the HTTP client; an unknown error gets the kind Connection.
func classifyError(err error) *Error {
	if known, ok := errors.AsType[*Error](err); ok {
		return known
	}
	kind := Connection
	var dns *net.DNSError
	var network net.Error
	switch {
	case errors.Is(err, ssrf.ErrProhibitedIP), errors.Is(err, ssrf.ErrProhibitedNetwork),
		errors.Is(err, ssrf.ErrInvalidHostPort):
		kind = Blocked
	case errors.Is(err, context.DeadlineExceeded):
		kind = Timeout
	case errors.As(err, &dns):
		kind = DNS
	case errors.As(err, &network) && network.Timeout():
		kind = Timeout
	}
	return &Error{Kind: kind, Cause: err}
}
