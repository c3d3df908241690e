package stored

import "rostrum/errs"

// Locator creates the error of a field at a path in a part of the request. errs.BodyField is the
// locator of the body.
type Locator func(kind, msg string, path ...any) errs.Field

// At returns the locator of a named part of the request. The body has no name; a file is a named
// part of the body.
func At(in, name string) Locator {
	if in == InBody {
		return errs.BodyField
	}
	return func(kind, msg string, path ...any) errs.Field {
		field := errs.BodyField(kind, msg, append([]any{name}, path...)...)
		if in != InFile {
			field.Loc[0] = in
		}
		return field
	}
}

// withPrefix returns a locator for fields below a path. An anyOf of these schemas is an object or
// null, and the value is not null.
func (at Locator) withPrefix(prefix []any) Locator {
	return func(kind, msg string, path ...any) errs.Field {
		return at(kind, msg, append(prefix[:len(prefix):len(prefix)], path...)...)
	}
}
