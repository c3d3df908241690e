package compile

import (
	"encoding/json"
	"math"
	"reflect"
	"strconv"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

// scalarAppender returns a function that writes a scalar or enum as gqlgen or model does; nil for
// other types.
func scalarAppender(def *ast.Definition, from reflect.Type) appender {
	if def.Kind == ast.Enum {
		if from.Kind() == reflect.String && from.Implements(reflect.TypeFor[graphql.ContextMarshaler]()) {
			return appendEnum
		}
		if isIntrospection(def) && from.Kind() == reflect.String {
			return appendText
		}
		return nil
	}
	switch kind := from.Kind(); {
	case kind == reflect.String:
		return appendText
	case def.Name == "Int" && kind == reflect.Int:
		return func(_ *planRun, b []byte, v reflect.Value) ([]byte, bool) {
			return strconv.AppendInt(b, v.Int(), 10), true
		}
	case def.Name == "Boolean" && kind == reflect.Bool:
		return func(_ *planRun, b []byte, v reflect.Value) ([]byte, bool) {
			return strconv.AppendBool(b, v.Bool()), true
		}
	case def.Name == "Float" && kind == reflect.Float64:
		return appendFloat
	case def.Name == "Time" && from == reflect.TypeFor[time.Time]():
		return appendTime
	case def.Name == "JSON" && from == reflect.TypeFor[json.RawMessage]():
		return appendJSON
	}
	return nil
}

func appendText(r *planRun, b []byte, v reflect.Value) ([]byte, bool) {
	if v.Len() > r.maxText {
		return b, false // gqlgen's walk gives the field its error
	}
	return appendString(b, v.String()), true
}

const hexDigits = "0123456789ABCDEF"

// appendString writes a JSON string with the same escapes as gqlgen.
func appendString(b []byte, s string) []byte {
	b = append(b, '"')
	start := 0
	for i := range len(s) {
		c := s[i]
		if c >= 0x20 && c != '\\' && c != '"' {
			continue
		}
		b = append(b, s[start:i]...)
		start = i + 1
		switch c {
		case '\t':
			b = append(b, '\\', 't')
		case '\r':
			b = append(b, '\\', 'r')
		case '\n':
			b = append(b, '\\', 'n')
		case '\\', '"':
			b = append(b, '\\', c)
		default:
			b = append(b, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&0xf])
		}
	}
	return append(append(b, s[start:]...), '"')
}

// appendEnum writes an enum value. It is stored in lower case, as REST shows it. The graph has
// upper case, underscores for dots, and null for an empty value: for example LINK_OPENED for
// link.opened.
func appendEnum(r *planRun, b []byte, v reflect.Value) ([]byte, bool) {
	if v.Len() == 0 && !r.lowerEnums {
		return append(b, "null"...), true
	}
	start := len(b)
	b = strconv.AppendQuote(b, v.String())
	if r.lowerEnums {
		return b, true
	}
	for i, c := range b[start:] {
		if 'a' <= c && c <= 'z' {
			b[start+i] = c - 'a' + 'A'
		}
		if c == '.' {
			b[start+i] = '_'
		}
		if c == '\\' || c >= 0x80 {
			return b, false // no enum value of the schema has such characters
		}
	}
	return b, true
}

func appendFloat(_ *planRun, b []byte, v reflect.Value) ([]byte, bool) {
	f := v.Float()
	if math.IsInf(f, 0) || math.IsNaN(f) {
		return b, false
	}
	return strconv.AppendFloat(b, f, 'g', -1, 64), true
}

func appendTime(_ *planRun, b []byte, v reflect.Value) ([]byte, bool) {
	if !v.CanAddr() {
		return b, false
	}
	b = append(b, '"')
	b = v.Addr().Interface().(*time.Time).UTC().AppendFormat(b, time.RFC3339Nano) //nolint:forcetypeassert // only times are written by it
	return append(b, '"'), true
}

func appendJSON(r *planRun, b []byte, v reflect.Value) ([]byte, bool) {
	if v.Len() == 0 {
		return append(b, "null"...), true
	}
	if v.Len() > r.maxText {
		return b, false
	}
	return append(b, v.Bytes()...), true
}
