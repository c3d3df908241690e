// Package errs is the one table of failures: a code, the HTTP status it leaves with, and whether a job may try again.
package errs

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// Code is the word that names a kind of failure on every face: problem+json's code and GraphQL's extensions.code.
type Code string

// The codes of shared/spec/operations.md, and Internal for what no caller can act on.
const (
	MalformedJSON        Code = "malformed_json"
	BadRequest           Code = "bad_request"
	DocumentNotTrusted   Code = "document_not_trusted"
	Unauthenticated      Code = "unauthenticated"
	InvalidKey           Code = "invalid_key"
	KeyExpired           Code = "key_expired"
	KeyRevoked           Code = "key_revoked"
	BudgetExhausted      Code = "budget_exhausted"
	InsufficientScope    Code = "insufficient_scope"
	UpgradeRequired      Code = "upgrade_required"
	WorkspaceMismatch    Code = "workspace_mismatch"
	CrossOrigin          Code = "cross_origin"
	NotFound             Code = "not_found"
	MethodNotAllowed     Code = "method_not_allowed"
	NotAcceptable        Code = "not_acceptable"
	UnsupportedMediaType Code = "unsupported_media_type"
	Conflict             Code = "conflict"
	InvalidState         Code = "invalid_state"
	AmbiguousName        Code = "ambiguous_name"
	IdempotencyInFlight  Code = "idempotency_in_flight"
	CursorGone           Code = "cursor_gone"
	PreconditionFailed   Code = "precondition_failed"
	TooLarge             Code = "too_large"
	ValidationFailed     Code = "validation_failed"
	IdempotencyMismatch  Code = "idempotency_mismatch"
	UnsupportedContent   Code = "unsupported_content"
	NoText               Code = "no_text"
	RateLimited          Code = "rate_limited"
	ModelFailed          Code = "model_failed"
	ModelTimeout         Code = "model_timeout"
	Unavailable          Code = "unavailable"
	LimitExceeded        Code = "limit_exceeded"
	Internal             Code = "internal"
)

// Row is what the table knows of a code.
type Row struct {
	Status int    // the HTTP status REST answers with
	Retry  bool   // whether a job that failed with it may run again
	When   string // the sentence OpenAPI and the schema describe it by
}

var table = map[Code]Row{
	MalformedJSON:        {400, false, "The body is not JSON."},
	BadRequest:           {400, false, "The request cannot be read as HTTP or GraphQL asks."},
	DocumentNotTrusted:   {400, false, "Only stored operations are accepted and this text is not one of them."},
	LimitExceeded:        {400, false, "The operation is deeper, wider or costlier than this server accepts."},
	Unauthenticated:      {401, false, "No key was sent and nobody is signed in."},
	InvalidKey:           {401, false, "The key is not one of this server's."},
	KeyExpired:           {401, false, "The key's time is over."},
	KeyRevoked:           {401, false, "The key was revoked."},
	BudgetExhausted:      {402, false, "The workspace's run budget is spent."},
	InsufficientScope:    {403, false, "The key's scopes do not cover this operation."},
	UpgradeRequired:      {403, false, "The workspace's plan does not include this feature."},
	WorkspaceMismatch:    {403, false, "The request names another workspace than the key's."},
	CrossOrigin:          {403, false, "A page of another origin sent this with the user's cookie."},
	NotFound:             {404, false, "No such thing in this workspace."},
	MethodNotAllowed:     {405, false, "The path does not take this method; Allow lists those it takes."},
	NotAcceptable:        {406, false, "None of the accepted media types can be produced."},
	Conflict:             {409, false, "It clashes with what is stored."},
	InvalidState:         {409, false, "It is not possible in the present state."},
	AmbiguousName:        {409, false, "More than one carries that name."},
	IdempotencyInFlight:  {409, true, "A request with this Idempotency-Key is still running."},
	CursorGone:           {410, false, "The position is older than what is kept."},
	PreconditionFailed:   {412, false, "The stored version is not the one named by If-Match."},
	TooLarge:             {413, false, "The body or file is over its limit."},
	UnsupportedMediaType: {415, false, "The body's media type is not read here."},
	ValidationFailed:     {422, false, "Fields are missing or wrong; errors names every one."},
	IdempotencyMismatch:  {422, false, "The Idempotency-Key was used with another body."},
	UnsupportedContent:   {422, false, "The content's type is not known or not read."},
	NoText:               {422, false, "No text was found in the content."},
	RateLimited:          {429, true, "Too many requests; Retry-After says when to come back."},
	Internal:             {500, true, "The server failed; the request id finds the cause in its log."},
	ModelFailed:          {502, true, "The text model's provider failed."},
	Unavailable:          {503, true, "The database cannot be reached."},
	ModelTimeout:         {504, true, "The text model's provider did not answer in time."},
}

// Codes lists every code of the table in alphabetical order.
func Codes() []Code { return slices.Sorted(maps.Keys(table)) }

// Lookup gives the table's row of a code; a code outside the table counts as Internal.
func Lookup(c Code) Row {
	if row, ok := table[c]; ok {
		return row
	}
	return table[Internal]
}

// Field is one bad field of a request, in the words of RFC 9457 (pointer) and of the specification's older clients (loc, msg, type).
type Field struct {
	Pointer string `json:"pointer"` // "#/field/0/name"
	Loc     []any  `json:"loc"`     // "body", "field", 0, "name"
	Msg     string `json:"msg"`
	Type    string `json:"type"`
}

// Error is a failure that a caller may see: its code, a sentence to act on, the bad fields, extra members, and the cause that stays inside.
type Error struct {
	Code    Code
	Message string
	Fields  []Field
	Extra   map[string]any // members that stand at the top of the problem document and in the extensions
	Cause   error
}

func (e *Error) Error() string {
	if e.Cause != nil {
		return fmt.Sprintf("%s: %s: %v", e.Code, e.Message, e.Cause)
	}
	return fmt.Sprintf("%s: %s", e.Code, e.Message)
}

// Unwrap gives the cause to errors.Is and errors.As.
func (e *Error) Unwrap() error { return e.Cause }

// Status is the HTTP status of the error's code.
func (e *Error) Status() int { return Lookup(e.Code).Status }

// With returns the error with one more extra member.
func (e *Error) With(name string, value any) *Error {
	out := *e
	out.Extra = maps.Clone(e.Extra)
	if out.Extra == nil {
		out.Extra = map[string]any{}
	}
	out.Extra[name] = value
	return &out
}

// New makes a failure with a lower-case sentence that the caller can act on.
func New(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// Wrap makes a failure that keeps its cause for the log and shows the caller the sentence only.
func Wrap(cause error, code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...), Cause: cause}
}

// Is reports whether err carries the code.
func Is(err error, code Code) bool { return err != nil && From(err).Code == code }

// From finds the Error in err; anything else becomes Internal with a fixed sentence, so that no inner text reaches a caller.
func From(err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return Wrap(err, Unavailable, "the request took too long")
	}
	return Wrap(err, Internal, "something went wrong on our side")
}
