package stored

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"rostrum/model"
)

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
		switch s.Pattern {
		case model.SlugPattern:
			return "string_pattern_mismatch", model.SlugRule
		case pairPattern:
			return "string_pattern_mismatch", "must be an id, or an id and a value with a colon between them"
		}
		return "string_too_short", "must not be blank"
	case "minimum":
		return "greater_than_equal", fmt.Sprintf("must be at least %.0f", *s.Min)
	case "maximum":
		return "less_than_equal", fmt.Sprintf("must be at most %.0f", *s.Max)
	case "format":
		return explainFormat(s.Format, e.Value)
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

func explainFormat(format string, value any) (kind, msg string) {
	switch format {
	case formatTime:
		return "datetime_parsing", "must be an ISO-8601 date or date-time"
	case formatURL:
		_, err := model.UnmarshalURL(value)
		return "url_parsing", err.Error()
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
