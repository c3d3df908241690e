package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
)

// The exit codes of failures; any other error ends with 1.
const (
	exitRefused     = 1
	exitUnreached   = 3
	exitSignedOut   = 4
	exitInterrupted = 130
)

// ExitUsage is the exit code of wrong use.
const ExitUsage = 2

// failure is an error with an exit code.
type failure struct {
	code    int
	status  int    // of the response; 0 without one
	problem string // the code of the problem document
	message string
}

func (f *failure) Error() string { return f.message }

// isPassing reports whether the same request may succeed later.
func (f *failure) isPassing() bool {
	return f.code == exitUnreached || f.status >= http.StatusInternalServerError || f.status == http.StatusTooManyRequests
}

// ExitCode returns the exit code of a command's error, and whether it has something to print.
func ExitCode(err error) (code int, isPrinted bool) {
	var failed *failure
	switch {
	case err == nil:
		return 0, false
	case errors.As(err, &failed):
		return failed.code, failed.message != ""
	}
	return exitRefused, true
}

func misuse(format string, values ...any) error {
	return &failure{code: ExitUsage, message: cleanText(fmt.Sprintf(format, values...))}
}

func refused(format string, values ...any) error {
	return &failure{code: exitRefused, message: cleanText(fmt.Sprintf(format, values...))}
}

// unreached returns the failure of a request without a response.
func unreached(ctx context.Context, address string, err error) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return &failure{code: exitInterrupted}
	}
	var failed *url.Error
	if errors.As(err, &failed) {
		err = failed.Err // without the address, which is named once
	}
	return &failure{code: exitUnreached, message: cleanText(fmt.Sprintf("%s is not reached: %v", address, err))}
}

// problem is a problem document of REST, or an error response of GraphQL.
type problem struct {
	Code, Detail string
	Status       int
	Errors       []struct {
		Message    string
		Extensions struct{ Code string }
	}
}

// problemFailure returns the failure that a response with an error, or an event with one, describes.
func problemFailure(status int, body []byte) *failure {
	failed := &failure{code: exitRefused, status: status}
	var told problem
	err := json.Unmarshal(body, &told)
	if err == nil && told.Detail == "" && len(told.Errors) > 0 {
		told.Code, told.Detail = told.Errors[0].Extensions.Code, told.Errors[0].Message
	}
	if err == nil && told.Detail != "" {
		failed.problem, failed.message = told.Code, cleanText(told.Detail)
		if status == 0 {
			failed.status = told.Status
		}
	} else {
		failed.message = fmt.Sprintf("the gateway answers %d %s", status, http.StatusText(status))
	}
	if failed.status == http.StatusUnauthorized {
		failed.code = exitSignedOut
	}
	return failed
}
