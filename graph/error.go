package graph

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"reflect"
	"runtime/debug"
	"strings"
	"sync"

	"github.com/99designs/gqlgen/graphql"
	"github.com/go-chi/chi/v5/middleware"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"rostrum/errs"
)

// The codes that protocols set and that are kept: the parser's and the validator's, and those of automatic persisted queries.
const (
	protocolPrefix        = "GRAPHQL_"
	persistedPrefix       = "PERSISTED_QUERY_"
	persistedNotFound     = persistedPrefix + "NOT_FOUND"
	persistedNotSupported = persistedPrefix + "NOT_SUPPORTED"
)

// present turns any failure into what a caller may see. Package rest finds the errs.Error again in the result's Err.
func (s *Server) present(ctx context.Context, err error) *gqlerror.Error {
	given, _ := errors.AsType[*gqlerror.Error](err)
	if given != nil && strings.HasPrefix(given.Message, tooManyTokens) {
		given, err = nil, errs.New(errs.LimitExceeded, "the operation has more than the %d tokens that this server reads", s.limits.Tokens).
			With("limit", s.limits.Tokens)
	}
	if given != nil && isProtocol(given) {
		given.Message = brief(plainWords.Replace(given.Message))
		return nameVariable(given)
	}
	failure := findFailure(ctx, given, err)
	s.logFailure(ctx, failure)
	out := &gqlerror.Error{Err: failure, Message: failure.Message, Extensions: extensions(failure)}
	if given != nil {
		out.Path, out.Locations = responsePath(ctx, given.Path), given.Locations
	}
	return out
}

// tooManyTokens is how the parser's refusal of a long operation begins.
const tooManyTokens = "exceeded token limit"

// plainWords turns the validator's names of Go types into those of JSON.
var plainWords = strings.NewReplacer(
	"cannot use map as", "an object cannot be used as", "cannot use slice as", "a list cannot be used as",
	"cannot use string as", "a string cannot be used as", "cannot use bool as", "a boolean cannot be used as",
	"cannot use float64 as", "a number cannot be used as", "cannot use int64 as", "a number cannot be used as",
	", not a slice", ", not a list", ", not a map", ", not an object", ", not a bool", ", not a boolean",
	", not a float64", ", not a number", ", not a int64", ", not a number", "must be a Int", "must be an Int",
	"Unexpected <Invalid>", "Unexpected character",
)

// longestMessage bounds what an error repeats of the text that it is about, in code points.
const longestMessage = 300

func brief(message string) string {
	if runes := []rune(message); len(runes) > longestMessage {
		return string(runes[:longestMessage]) + "…"
	}
	return message
}

// findFailure sees a value that a scalar could not read as the caller's fault: the arguments fail before any resolver runs,
// on a path that goes on below the field's own.
func findFailure(ctx context.Context, given *gqlerror.Error, err error) *errs.Error {
	if failure, ok := errors.AsType[*errs.Error](err); ok {
		return failure
	}
	if given == nil {
		return errs.From(err)
	}
	if input := inputPath(ctx, given.Path); len(input) > 0 {
		return errs.Invalid(errs.BodyField("value_error", given.Message, input...))
	}
	return errs.From(cmp.Or(given.Err, err)) // without gqlgen's wrapping, which differs for each row of a batch
}

// inputPath is where in the arguments of the current field the path points. The argument named input is left out, so that
// a field is called the same whether the schema or a room refuses it.
func inputPath(ctx context.Context, path ast.Path) []any {
	field := graphql.GetFieldContext(ctx)
	if field == nil || len(path) <= len(field.Path()) {
		return nil
	}
	return inputSteps(path[len(field.Path()):])
}

func inputSteps(path ast.Path) []any {
	steps := make([]any, 0, len(path))
	for i, step := range path {
		switch step := step.(type) {
		case ast.PathName:
			if i > 0 || len(path) == 1 || step != "input" {
				steps = append(steps, string(step))
			}
		case ast.PathIndex:
			steps = append(steps, int(step))
		}
	}
	return steps
}

// responsePath cuts argument names off, which have no place in a response's path.
func responsePath(ctx context.Context, path ast.Path) ast.Path {
	if field := graphql.GetFieldContext(ctx); field != nil {
		if own := field.Path(); len(path) > len(own) {
			return own
		}
	}
	return path
}

func isProtocol(err *gqlerror.Error) bool {
	code, _ := err.Extensions["code"].(string)
	return strings.HasPrefix(code, protocolPrefix) || strings.HasPrefix(code, persistedPrefix)
}

// nameVariable adds the bad field where a variable's value is what the validator refused.
func nameVariable(err *gqlerror.Error) *gqlerror.Error {
	if len(err.Path) < 2 || err.Path[0] != ast.PathName("variable") {
		return err
	}
	out := *err
	out.Path = nil
	out.Extensions = maps.Clone(err.Extensions)
	steps := inputSteps(err.Path[1:])
	out.Extensions["errors"] = []errs.Field{errs.BodyField("value_error", err.Message, steps...)}
	out.Message = strings.TrimPrefix(err.Path.String(), "variable.") + " " + err.Message
	return &out
}

func extensions(failure *errs.Error) map[string]any {
	out := map[string]any{}
	maps.Copy(out, failure.Extra)
	if len(failure.Fields) > 0 {
		out["errors"] = failure.Fields
	}
	out["code"] = string(failure.Code)
	return out
}

// status is the HTTP status of a request that failed before it was executed, by its first error.
func status(list gqlerror.List) int {
	code, _ := list[0].Extensions["code"].(string)
	switch {
	case code == persistedNotFound: // clients of the protocol expect to go on with the text
		return http.StatusOK
	case isProtocol(list[0]):
		return http.StatusBadRequest
	}
	return errs.Lookup(errs.Code(code)).Status
}

// recovered keeps a panic's text and stack for the log and shows neither.
func recovered(_ context.Context, panicked any) error {
	return errs.From(fmt.Errorf("panic: %v\n%s", panicked, debug.Stack()))
}

// logFailure writes down what failed on our side; a caller who went away is nobody's failure.
func (s *Server) logFailure(ctx context.Context, failure *errs.Error) {
	if failure.Status() < http.StatusInternalServerError || errors.Is(failure, context.Canceled) {
		return
	}
	if known, ok := ctx.Value(loggedKey{}).(*logged); ok && known.before(failure.Cause) {
		return
	}
	level := slog.LevelWarn
	if failure.Code == errs.Internal {
		level = slog.LevelError
	}
	s.log.Log(ctx, level, "graph: operation failed", "error", failure, "request_id", middleware.GetReqID(ctx))
}

type loggedKey struct{}

// logged remembers the last cause of an operation's failure: a batch that fails reports the same one for every row.
type logged struct {
	mu   sync.Mutex
	last error
}

func (l *logged) before(cause error) bool {
	if cause == nil || !reflect.TypeOf(cause).Comparable() {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.last == cause {
		return true
	}
	l.last = cause
	return false
}
