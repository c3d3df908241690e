package policy

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"net/http"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/errcode"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"rostrum/errs"
)

// PresentError converts any error into the error that the client sees, and logs internal errors.
// Its Err is the errs.Error, which package rest reads.
func (p *Policy) PresentError(ctx context.Context, err error) *gqlerror.Error {
	given, _ := errors.AsType[*gqlerror.Error](err)
	if given != nil && strings.HasPrefix(given.Message, tokenLimitPrefix) {
		given, err = nil, p.limits.tooManyTokens()
	}
	failure := toFailure(ctx, given, err)
	p.LogFailure(ctx, failure)
	out := &gqlerror.Error{Err: failure, Message: failure.Message, Extensions: errorExtensions(failure)}
	if given != nil && !isVariableError(given) {
		out.Path, out.Locations = responsePath(ctx, given.Path), given.Locations
	}
	return out
}

// ErrorResponse returns a response without data that carries the error.
func (p *Policy) ErrorResponse(ctx context.Context, err error) *graphql.Response {
	return &graphql.Response{Errors: gqlerror.List{p.PresentError(ctx, err)}}
}

// tokenLimitPrefix begins the parser's error for an operation with too many tokens.
const tokenLimitPrefix = "exceeded token limit"

// jsonTypeNames replaces the validator's Go types by JSON's.
var jsonTypeNames = strings.NewReplacer(
	"cannot use map as", "an object cannot be used as", "cannot use slice as", "a list cannot be used as",
	"cannot use string as", "a string cannot be used as", "cannot use bool as", "a boolean cannot be used as",
	"cannot use float64 as", "a number cannot be used as", "cannot use int64 as", "a number cannot be used as",
	", not a slice", ", not a list", ", not a map", ", not an object", ", not a bool", ", not a boolean",
	", not a float64", ", not a number", ", not a int64", ", not a number", "must be a Int", "must be an Int",
	"Unexpected <Invalid>", "Unexpected character",
)

// maxMessage limits an error message in code points, because messages repeat the client's text.
const maxMessage = 300

// plainMessage returns the message of an executor's error in the terms of JSON, shortened.
func plainMessage(err *gqlerror.Error) string {
	message := jsonTypeNames.Replace(err.Message)
	if runes := []rune(message); len(runes) > maxMessage {
		return string(runes[:maxMessage]) + "…"
	}
	return message
}

// toFailure returns the errs.Error of an error. A scalar that cannot be parsed is a validation
// error: arguments fail before a resolver runs, with a path below their field's.
func toFailure(ctx context.Context, given *gqlerror.Error, err error) *errs.Error {
	if failure, ok := errors.AsType[*errs.Error](err); ok {
		return failure
	}
	switch {
	case given == nil:
		return errs.From(err)
	case isVariableError(given):
		return errs.Invalid(errs.BodyField("value_error", plainMessage(given), pathSteps(given.Path[1:])...))
	case isExecutorError(given):
		return errs.New(errs.BadRequest, "%s", plainMessage(given))
	}
	if input := inputPath(ctx, given.Path); len(input) > 0 {
		return errs.Invalid(errs.BodyField("value_error", given.Message, input...))
	}
	return errs.From(cmp.Or(given.Err, err)) // without gqlgen's wrapper, which differs for each row of a batch
}

// inputPath returns the part of a path below the current field: the position of an argument's
// error.
func inputPath(ctx context.Context, path ast.Path) []any {
	field := graphql.GetFieldContext(ctx)
	if field == nil || len(path) <= len(field.Path()) {
		return nil
	}
	return pathSteps(path[len(field.Path()):])
}

// pathSteps returns the names and indexes of a path. It leaves out a leading argument input, so
// that the path is the same whether the schema or a domain package rejects the field.
func pathSteps(path ast.Path) []any {
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

// responsePath removes the names of arguments, which are not part of a response's path.
func responsePath(ctx context.Context, path ast.Path) ast.Path {
	if field := graphql.GetFieldContext(ctx); field != nil {
		if own := field.Path(); len(path) > len(own) {
			return own
		}
	}
	return path
}

// isExecutorError reports whether the parser or the validator found the error.
func isExecutorError(err *gqlerror.Error) bool {
	return err.Extensions["code"] == errcode.ParseFailed || err.Extensions["code"] == errcode.ValidationFailed
}

// isVariableError reports whether the validator found that a variable is not of its type.
func isVariableError(err *gqlerror.Error) bool {
	return isExecutorError(err) && len(err.Path) > 1 && err.Path[0] == ast.PathName("variable")
}

func errorExtensions(failure *errs.Error) map[string]any {
	out := map[string]any{}
	maps.Copy(out, failure.Extra)
	if len(failure.Fields) > 0 {
		out["errors"] = failure.Fields
	}
	out["code"] = string(failure.Code)
	return out
}

// HTTPStatus returns the HTTP status of a response without data, by its first error. Invalid
// variables are 400, as the specification of GraphQL over HTTP recommends. An unknown hash is 200,
// because clients then send the text.
func HTTPStatus(list gqlerror.List) int {
	code, _ := list[0].Extensions["code"].(string)
	switch errs.Code(code) {
	case errs.PersistedQueryNotFound:
		return http.StatusOK
	case errs.ValidationFailed:
		return http.StatusBadRequest
	}
	return errs.Lookup(errs.Code(code)).Status
}

// PanicError returns an internal error. Its cause has the panic's value and stack; only the log
// shows it.
func PanicError(_ context.Context, panicked any) error {
	return errs.FromPanic(panicked)
}
