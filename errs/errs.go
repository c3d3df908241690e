package errs

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// Code identifies a kind of error in both APIs: code in problem documents and extensions.code in
// GraphQL.
type Code string

// The codes that clients may rely on, and Internal for errors that no caller can act on.
const (
	MalformedJSON        Code = "malformed_json"
	BadRequest           Code = "bad_request"
	DocumentNotTrusted   Code = "document_not_trusted"
	Unauthenticated      Code = "unauthenticated"
	InvalidKey           Code = "invalid_key"
	KeyExpired           Code = "key_expired"
	KeyRevoked           Code = "key_revoked"
	BudgetExhausted      Code = "budget_exhausted"
	SecondFactorRequired Code = "second_factor_required"
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
	EngineRequired       Code = "engine_required"
	RateLimited          Code = "rate_limited"
	WorkerDied           Code = "worker_died"
	ModelFailed          Code = "model_failed"
	ModelTimeout         Code = "model_timeout"
	Unavailable          Code = "unavailable"
	LimitExceeded        Code = "limit_exceeded"
	Internal             Code = "internal"
	// PersistedQueryNotFound and PersistedQueryNotSupported are the answers to hashes of automatic
	// persisted queries.
	PersistedQueryNotFound     Code = "persisted_query_not_found"
	PersistedQueryNotSupported Code = "persisted_query_not_supported"
)

// RetryUnavailable is the header Retry-After, in seconds, of responses with status 503 that name no
// other time.
const RetryUnavailable = "1"

// Class describes a code.
type Class struct {
	Status      int    // HTTP status over REST
	Retry       bool   // whether a job that failed with it is retried
	Description string // description in OpenAPI and the schema
}

var classes = map[Code]Class{
	MalformedJSON:              {400, false, "The body is not JSON."},
	BadRequest:                 {400, false, "The request is not valid HTTP or GraphQL."},
	DocumentNotTrusted:         {400, false, "Only stored operations are accepted, and this text is not a stored operation."},
	PersistedQueryNotSupported: {400, false, "The server does not persist queries: send the text."},
	PersistedQueryNotFound:     {404, false, "No query with this hash is persisted: send its text with the hash."},
	LimitExceeded:              {400, false, "The operation is deeper, wider or costlier than this server accepts."},
	Unauthenticated:            {401, false, "The request has no key and no session."},
	InvalidKey:                 {401, false, "The key is unknown."},
	KeyExpired:                 {401, false, "The key has expired."},
	KeyRevoked:                 {401, false, "The key was revoked."},
	SecondFactorRequired:       {401, false, "The password is right, and the user's second factor is missing: send its code."},
	BudgetExhausted:            {402, false, "The workspace's run budget is exhausted."},
	InsufficientScope:          {403, false, "The key's scopes do not cover this operation."},
	UpgradeRequired:            {403, false, "The workspace's plan does not include this feature."},
	WorkspaceMismatch:          {403, false, "The request names a workspace other than the key's."},
	CrossOrigin:                {403, false, "A page of another origin sent the request with the user's cookie."},
	NotFound:                   {404, false, "No resource with this id in the workspace."},
	MethodNotAllowed:           {405, false, "The path does not support this method; Allow lists the supported ones."},
	NotAcceptable:              {406, false, "None of the accepted media types can be produced."},
	Conflict:                   {409, false, "The request conflicts with stored data."},
	InvalidState:               {409, false, "The resource's state does not allow the request."},
	AmbiguousName:              {409, false, "Several resources have this name."},
	IdempotencyInFlight:        {409, true, "A request with this Idempotency-Key is still running."},
	CursorGone:                 {410, false, "The position is older than the oldest stored event."},
	PreconditionFailed:         {412, false, "The stored version is not the one named by If-Match."},
	TooLarge:                   {413, false, "The body or file is over its limit."},
	UnsupportedMediaType:       {415, false, "The media type of the body is not supported."},
	ValidationFailed:           {422, false, "Fields are missing or wrong; errors names every one."},
	IdempotencyMismatch:        {422, false, "The Idempotency-Key was used with another body."},
	UnsupportedContent:         {422, false, "The type of the content is unknown or not supported."},
	NoText:                     {422, false, "No text was found in the content."},
	EngineRequired:             {422, false, "The request needs a text model, and none is configured."},
	RateLimited:                {429, true, "Too many requests; Retry-After is the delay until the next one."},
	Internal:                   {500, true, "The server failed; its log contains the cause under the request id."},
	WorkerDied:                 {500, false, "The processes that ran the job died, three times in a row."},
	ModelFailed:                {502, true, "The text model's provider failed."},
	Unavailable:                {503, true, "The database cannot be reached, or the server has no memory left for the request; Retry-After is the delay until the next try."},
	ModelTimeout:               {504, true, "The text model's provider did not answer in time."},
}

// Codes returns every code in alphabetical order.
func Codes() []Code { return slices.Sorted(maps.Keys(classes)) }

// Lookup returns the class of a code; that of Internal for an unknown code.
func Lookup(c Code) Class {
	if row, ok := classes[c]; ok {
		return row
	}
	return classes[Internal]
}

// Field is an invalid field of a request, in the terms of RFC 9457 (pointer) and of the
// specification's older clients (loc, msg, type).
type Field struct {
	Pointer string `json:"pointer"` // "#/field/0/name"
	Loc     []any  `json:"loc"`     // "body", "field", 0, "name"
	Msg     string `json:"msg"`
	Type    string `json:"type"`
}

// Error is an error that a caller may see: a code, a sentence to act on, the invalid fields,
// additional members, and an internal cause.
type Error struct {
	Code    Code
	Message string
	Fields  []Field
	Extra   map[string]any // top-level members of the problem document and the extensions
	Cause   error
}

func (e *Error) Error() string {
	if e.Cause != nil {
		return fmt.Sprintf("%s: %s: %v", e.Code, e.Message, e.Cause)
	}
	return fmt.Sprintf("%s: %s", e.Code, e.Message)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// Status returns the HTTP status of the error's code.
func (e *Error) Status() int { return Lookup(e.Code).Status }

// With returns a copy of the error with one more member.
func (e *Error) With(name string, value any) *Error {
	out := *e
	out.Extra = maps.Clone(e.Extra)
	if out.Extra == nil {
		out.Extra = map[string]any{}
	}
	out.Extra[name] = value
	return &out
}

// New returns an Error with a lower-case sentence that the caller can act on.
func New(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// Wrap returns an Error that keeps its cause for the log and shows only the sentence to callers.
func Wrap(cause error, code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...), Cause: cause}
}

// Is reports whether err has the code.
func Is(err error, code Code) bool { return err != nil && From(err).Code == code }

// From returns the Error in err. Any other error becomes Internal with a fixed sentence, so that
// callers see no internal text.
func From(err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return Wrap(err, Unavailable, "the request took too long")
	}
	return Wrap(err, Internal, "something went wrong on our side")
}
