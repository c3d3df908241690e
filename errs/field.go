package errs

import (
	"fmt"
	"strings"
)

// Invalid is a validation failure that names every bad field at once.
func Invalid(fields ...Field) *Error {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = strings.TrimPrefix(f.Pointer, "#/") + ": " + f.Msg
	}
	return &Error{Code: ValidationFailed, Message: strings.Join(names, "; "), Fields: fields}
}

// BodyField is a bad field of a body (or of a GraphQL input); path holds names and indexes from the outside in.
func BodyField(kind, msg string, path ...any) Field { return field("body", kind, msg, path) }

// QueryField is a bad query parameter.
func QueryField(kind, msg, name string) Field { return field("query", kind, msg, []any{name}) }

func field(where, kind, msg string, path []any) Field {
	var pointer strings.Builder
	pointer.WriteString("#")
	for _, p := range path {
		fmt.Fprintf(&pointer, "/%v", escape(p))
	}
	return Field{Pointer: pointer.String(), Loc: append([]any{where}, path...), Msg: msg, Type: kind}
}

// escape writes one step of a JSON pointer as RFC 6901 asks.
func escape(step any) any {
	if s, ok := step.(string); ok {
		return strings.NewReplacer("~", "~0", "/", "~1").Replace(s)
	}
	return step
}
