package rest

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"rostrum/errs"
	"rostrum/model"
)

// formatTime is the format of instants in requests: all that the scalar Time parses, including
// dates without a time.
const formatTime = "iso-8601"

// formatURL is the format of absolute addresses in requests.
const formatURL = "uri"

// inputFormats maps scalars with their own syntax to their formats.
var inputFormats = map[string]string{"Time": formatTime, "URL": formatURL}

var timeFormat = openapi3.WithStringFormatValidator(formatTime, openapi3.NewCallbackValidator(func(text string) error {
	_, err := model.UnmarshalTime(text)
	return err
}))

var urlFormat = openapi3.WithStringFormatValidator(formatURL, openapi3.NewCallbackValidator(func(text string) error {
	_, err := model.UnmarshalURL(text)
	return err
}))

// notBlank is the only pattern of the schemas: a character other than white space. Go's \S knows
// ASCII white space only, so the pattern is matched by [strings.TrimSpace], as the schema's @length
// counts.
const notBlank = `\S`

type notBlankMatcher struct{}

// MatchString reports whether the text has a character other than white space.
func (notBlankMatcher) MatchString(text string) bool { return strings.TrimSpace(text) != "" }

// compilePattern returns the matcher of a schema's pattern. The library caches it for the process,
// so that everything that compiles patterns must use this function.
func compilePattern(pattern string) (openapi3.RegexMatcher, error) {
	if pattern != notBlank {
		return nil, fmt.Errorf("the pattern %q is not supported", pattern)
	}
	return notBlankMatcher{}, nil
}

// validateValue validates a value against its schema in the OpenAPI document and returns every
// invalid field.
func validateValue(schema *openapi3.Schema, value any, at fieldLocator) []errs.Field {
	err := schema.VisitJSON(value, openapi3.MultiErrors(), openapi3.DisableSchemaErrorDetails(), timeFormat, urlFormat,
		openapi3.SetSchemaRegexCompiler(compilePattern))
	if err == nil {
		return nil
	}
	return slices.CompactFunc(collectFieldErrors(err, value, at, nil),
		func(x, y errs.Field) bool { return x.Pointer == y.Pointer })
}

func collectFieldErrors(err error, value any, at fieldLocator, bad []errs.Field) []errs.Field {
	switch e := err.(type) {
	case openapi3.MultiError:
		for _, one := range e {
			bad = collectFieldErrors(one, value, at, bad)
		}
		return bad
	case *openapi3.SchemaError:
		path := pathSteps(e.JSONPointer(), value)
		if e.SchemaField == "anyOf" {
			return append(bad, validateValue(e.Schema.AnyOf[0].Value, e.Value, at.withPrefix(path))...)
		}
		kind, msg := explainKeyword(e)
		return append(bad, at(kind, msg, path...))
	}
	return append(bad, at("value_error", "does not fit its schema"))
}

// withPrefix returns a locator for fields below a path. An anyOf of these schemas is an object or
// null, and the value is not null.
func (at fieldLocator) withPrefix(prefix []any) fieldLocator {
	return func(kind, msg string, path ...any) errs.Field {
		return at(kind, msg, append(prefix[:len(prefix):len(prefix)], path...)...)
	}
}

// pathSteps converts the positions in arrays among the path's steps to numbers.
func pathSteps(path []string, value any) []any {
	out := make([]any, len(path))
	for i, step := range path {
		out[i] = step
		switch v := value.(type) {
		case []any:
			n, err := strconv.Atoi(step)
			if err != nil || n >= len(v) {
				return out
			}
			out[i], value = n, v[n]
		case map[string]any:
			value = v[step]
		}
	}
	return out
}

// explainKeyword returns the error type and message of a violated JSON Schema keyword, as clients
// of the first specification know them.
func explainKeyword(e *openapi3.SchemaError) (kind, msg string) {
	s := e.Schema
	switch e.SchemaField {
	case "required":
		return "missing", "is required"
	case "enum":
		return "enum", "must be " + joinEnum(s.Enum)
	case "minLength":
		return "string_too_short", minLengthMessage(s.MinLength)
	case "maxLength":
		return "string_too_long", fmt.Sprintf("must have at most %d characters", *s.MaxLength)
	case "pattern":
		return "string_too_short", "must not be blank"
	case "minimum":
		return "greater_than_equal", fmt.Sprintf("must be at least %.0f", *s.Min)
	case "maximum":
		return "less_than_equal", fmt.Sprintf("must be at most %.0f", *s.Max)
	case "format":
		return explainFormat(s.Format)
	case "type", "nullable":
		return explainType(s)
	}
	return "value_error", cmp.Or(e.Reason, "does not fit its schema")
}

func minLengthMessage(characters uint64) string {
	if characters == 1 {
		return "must not be blank"
	}
	return fmt.Sprintf("must have at least %d characters", characters)
}

func explainFormat(format string) (kind, msg string) {
	switch format {
	case formatTime:
		return "datetime_parsing", "must be an ISO-8601 date or date-time"
	case formatURL:
		return "url_parsing", "must be an absolute URL without user name and password"
	}
	return "int_type", "must fit 32 bits"
}

var typeNames = map[string][2]string{
	openapi3.TypeString:  {"string_type", "a text"},
	openapi3.TypeInteger: {"int_type", "a whole number"},
	openapi3.TypeNumber:  {"float_type", "a number"},
	openapi3.TypeBoolean: {"bool_type", "true or false"},
	openapi3.TypeArray:   {"list_type", "a list"},
	openapi3.TypeObject:  {"dict_type", "an object"},
}

func explainType(s *openapi3.Schema) (kind, msg string) {
	for _, name := range s.Type.Slice() {
		if words, ok := typeNames[name]; ok {
			return words[0], "must be " + words[1]
		}
	}
	return "value_error", "does not fit its schema"
}

func joinEnum(values []any) string {
	words := make([]string, 0, len(values))
	for _, v := range values {
		if s, ok := v.(string); ok {
			words = append(words, s)
		}
	}
	return "one of " + strings.Join(words, ", ")
}

func sortedKeys(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }
