package rostrum

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
)

// Field is a field of a request that the gateway does not accept.
type Field struct {
	Pointer string // where it is, as a JSON pointer: #/sourceUrl
	Msg     string
	Type    string
}

// Error is why the gateway refused a request, or did not answer it.
type Error struct {
	// Code is a value of ErrorCode in lower case, such as not_found; "network" without an answer, and
	// "bad_answer" for one that is not the gateway's.
	Code    string
	Message string
	Status  int     // of HTTP; 0 without an answer
	Fields  []Field // what is wrong with each field, with the code validation_failed
	cause   error
}

func (e *Error) Error() string { return e.Code + ": " + e.Message }

// Unwrap returns the error of the connection.
func (e *Error) Unwrap() error { return e.cause }

// IsPassing reports whether the same request may succeed later.
func (e *Error) IsPassing() bool {
	return slices.Contains([]int{0, http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable,
		http.StatusGatewayTimeout}, e.Status) ||
		slices.Contains([]string{"unavailable", "idempotency_in_flight", "rate_limited"}, e.Code)
}

func networkError(err error) *Error {
	return &Error{Code: "network", Message: err.Error(), cause: err}
}

// body is a GraphQL response, or a problem document of REST.
type body struct {
	Data         json.RawMessage
	Code, Detail string
	Errors       []struct {
		Message    string
		Extensions struct {
			Code   string
			Errors []Field
		}
	}
}

// errorOf returns the error that a response tells, or nil.
func errorOf(status int, text []byte) (body, *Error) {
	var told body
	if json.Unmarshal(text, &told) != nil || status == http.StatusOK && told.Data == nil && told.Errors == nil {
		return told, &Error{Code: "bad_answer", Status: status,
			Message: fmt.Sprintf("the answer %d is not the gateway's", status)}
	}
	switch {
	case len(told.Errors) > 0:
		first := told.Errors[0]
		return told, &Error{Code: first.Extensions.Code, Message: first.Message, Status: status,
			Fields: first.Extensions.Errors}
	case status != http.StatusOK:
		return told, &Error{Code: told.Code, Message: told.Detail, Status: status}
	}
	return told, nil
}
