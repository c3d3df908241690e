package errs

import (
	"fmt"
	"strings"
)

// The limits of what an Error names of its invalid fields, because a small body can have very many.
const (
	maxFields = 1000
	maxNamed  = 20 // in its message
)

// Invalid returns an Error with code ValidationFailed that has up to 1,000 invalid fields. Its
// message names 20 of them and the number of all further ones.
func Invalid(fields ...Field) *Error {
	named := fields[:min(len(fields), maxNamed)]
	names := make([]string, len(named), len(named)+1)
	for i, f := range named {
		names[i] = strings.TrimPrefix(f.Pointer, "#/") + ": " + f.Msg
	}
	if more := len(fields) - len(named); more > 0 {
		names = append(names, fmt.Sprintf("and %d more", more))
	}
	fields = fields[:min(len(fields), maxFields)]
	return &Error{Code: ValidationFailed, Message: strings.Join(names, "; "), Fields: fields}
}

// BodyField returns an invalid field of a body or of a GraphQL input; path holds names and indexes
// from the outside in.
func BodyField(kind, msg string, path ...any) Field { return newField("body", kind, msg, path) }

// QueryField returns an invalid query parameter.
func QueryField(kind, msg, name string) Field { return newField("query", kind, msg, []any{name}) }

func newField(where, kind, msg string, path []any) Field {
	var pointer strings.Builder
	pointer.WriteString("#")
	for _, p := range path {
		fmt.Fprintf(&pointer, "/%v", escapePointer(p))
	}
	return Field{Pointer: pointer.String(), Loc: append([]any{where}, path...), Msg: msg, Type: kind}
}

// escapePointer escapes one step of a JSON pointer (RFC 6901).
func escapePointer(step any) any {
	if s, ok := step.(string); ok {
		return strings.NewReplacer("~", "~0", "/", "~1").Replace(s)
	}
	return step
}

// FieldErrors collects the invalid fields of one request, so that the caller learns of all of them
// at once.
type FieldErrors []Field

// Body adds an invalid field of a body or of a GraphQL input; path holds names and indexes from the
// outside in.
func (f *FieldErrors) Body(kind, message string, path ...any) {
	*f = append(*f, BodyField(kind, message, path...))
}

// Query adds an invalid query parameter.
func (f *FieldErrors) Query(kind, message, name string) {
	*f = append(*f, QueryField(kind, message, name))
}

// Err returns an Error with code ValidationFailed that names every collected field, or nil when
// there is none.
func (f FieldErrors) Err() error {
	if len(f) == 0 {
		return nil
	}
	return Invalid(f...)
}
