package stored

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/getkin/kin-openapi/openapi3"

	"rostrum/errs"
	"rostrum/model"
)

// formatTime is the format of instants. Requests may also have the other forms that the scalar Time
// parses, such as dates without a time.
const formatTime = "date-time"

// formatURL is the format of absolute addresses in requests.
const formatURL = "uri"

var timeFormat = openapi3.WithStringFormatValidator(formatTime, openapi3.NewCallbackValidator(func(text string) error {
	_, err := model.UnmarshalTime(text)
	return err
}))

var urlFormat = openapi3.WithStringFormatValidator(formatURL, openapi3.NewCallbackValidator(func(text string) error {
	_, err := model.UnmarshalURL(text)
	return err
}))

var slugs = regexp.MustCompile(model.SlugPattern)

// notBlank is the pattern of texts with a character other than white space. Go's \S knows
// ASCII white space only, so the pattern is matched by [strings.TrimSpace], as the schema's @length
// counts.
const notBlank = `\S`

type notBlankMatcher struct{}

// MatchString reports whether the text has a character other than white space.
func (notBlankMatcher) MatchString(text string) bool { return strings.TrimSpace(text) != "" }

// CompilePattern returns the matcher of a schema's pattern. The library caches it for the process,
// so that everything that compiles patterns must use this function.
func CompilePattern(pattern string) (openapi3.RegexMatcher, error) {
	switch pattern {
	case notBlank:
		return notBlankMatcher{}, nil
	case model.SlugPattern:
		return slugs, nil
	case pairPattern:
		return pairs, nil
	}
	return nil, fmt.Errorf("the pattern %q is not supported", pattern)
}

// Validate validates a JSON value against a schema and returns every invalid field. Texts that are
// not UTF-8 or have a NUL character are invalid too, because neither database stores them.
func Validate(schema *openapi3.Schema, value any, at Locator) []errs.Field {
	return append(validate(schema, value, at), unstorable(value, at, nil)...)
}

// unstorable returns an error for every string that neither database stores.
func unstorable(value any, at Locator, path []any) []errs.Field {
	var bad []errs.Field
	switch v := value.(type) {
	case string:
		if msg := TextError(v); msg != "" {
			bad = append(bad, at("string_type", msg, path...))
		}
	case []any:
		for i, element := range v {
			bad = append(bad, unstorable(element, at, append(path[:len(path):len(path)], i))...)
		}
	case map[string]any:
		for _, key := range sortedKeys(v) {
			bad = append(bad, unstorable(v[key], at, append(path[:len(path):len(path)], key))...)
		}
	}
	return bad
}

// TextError returns the reason that neither database can store a text, or an empty string.
func TextError(text string) string {
	switch {
	case !utf8.ValidString(text):
		return "must be valid UTF-8"
	case strings.ContainsRune(text, 0):
		return "must not contain a NUL character"
	}
	return ""
}

// validate validates a value against a schema and returns every
// invalid field.
func validate(schema *openapi3.Schema, value any, at Locator) []errs.Field {
	err := schema.VisitJSON(value, openapi3.MultiErrors(), openapi3.DisableSchemaErrorDetails(), timeFormat, urlFormat,
		openapi3.SetSchemaRegexCompiler(CompilePattern))
	if err == nil {
		return nil
	}
	return slices.CompactFunc(collectFieldErrors(err, value, at, nil),
		func(x, y errs.Field) bool { return x.Pointer == y.Pointer })
}

func collectFieldErrors(err error, value any, at Locator, bad []errs.Field) []errs.Field {
	switch e := err.(type) { //nolint:errorlint // the validator returns trees of its two types
	case openapi3.MultiError:
		for _, one := range e {
			bad = collectFieldErrors(one, value, at, bad)
		}
		return bad
	case *openapi3.SchemaError:
		path := pathSteps(e.JSONPointer(), value)
		if e.SchemaField == "anyOf" {
			return append(bad, validate(e.Schema.AnyOf[0].Value, e.Value, at.withPrefix(path))...)
		}
		kind, msg := explainKeyword(e)
		return append(bad, at(kind, msg, path...))
	}
	return append(bad, at("value_error", "does not fit its schema"))
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

func sortedKeys(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }
