package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Kinds of generated inputs.
const (
	kindValid   = "valid value"
	kindType    = "wrong type or text"
	kindLimit   = "limit and beyond"
	kindForeign = "id of another workspace"
	kindCursor  = "forged cursor"
)

// value is the JSON of a value, which may be invalid, with the kind of input.
type value struct {
	kind string
	text json.RawMessage
}

// wrongValues are values of a wrong type for most places, and texts that are hard to store.
var wrongValues = []string{
	`null`, `true`, `12.5`, `-1`, `0`, `1e400`, `-99999999999999999999999`, `2147483648`, `[]`, `[null]`, `[[[[1]]]]`,
	`{}`, `{"a":{"b":[]}}`,
	`""`, `" "`, `"\u0000"`, `"a\u0000b"`, `"\ud800"`, "\"\xff\xfe\"", `"' OR 1=1 --"`, `"%s%n{{.}}"`,
	`"../../../etc/passwd"`, `"\u202e\u2028\ufeff"`,
	`"2026-13-45T99:99:99Z"`, `"9999999-01-01"`, `"http://[::1]:bad/"`, `"file:///etc/passwd"`, `"javascript:alert(1)"`,
	`"\r\nX-Injected: 1"`,
}

// longText is a text of 20 KB, which most places reject.
var longText = `"` + strings.Repeat("long text ", 2000) + `"`

// wrongTypes returns the values for any place.
func wrongTypes() []value {
	values := []value{{kindType, json.RawMessage(longText)}}
	for _, text := range wrongValues {
		values = append(values, value{kindType, json.RawMessage(text)})
	}
	return values
}

// maxLimit is the greatest length that a text is made for.
const maxLimit = 3_000_000

// textLimits returns texts at the limits of a length, and one character beyond.
func textLimits(limits ...int) []value {
	var values []value
	for _, limit := range limits {
		for _, length := range []int{limit - 1, limit, limit + 1} {
			if length >= 0 && length <= maxLimit {
				values = append(values, value{kindLimit, json.RawMessage(`"` + strings.Repeat("a", length) + `"`)})
			}
		}
	}
	return values
}

// numberLimits returns the numbers at limits, and those beside them.
func numberLimits(limits ...int) []value {
	var values []value
	for _, limit := range limits {
		for _, n := range []int{limit - 1, limit, limit + 1} {
			values = append(values, value{kindLimit, json.RawMessage(fmt.Sprint(n))})
		}
	}
	return values
}

// idValues returns ids of both workspaces.
func idValues(own, foreign []string) []value {
	var values []value
	for _, id := range own {
		values = append(values, value{kindValid, encode(id)})
	}
	for _, id := range foreign {
		values = append(values, value{kindForeign, encode(id)})
	}
	return values
}

// cursorValues returns cursors with values that no list returns, with ids of both workspaces.
func cursorValues(own, foreign []string) []value {
	var values []value
	for _, id := range []string{own[0], foreign[0], "x", ""} {
		for _, v := range []string{`null`, `"0000-01-01T00:00:00Z"`, `"9999-12-31T23:59:59-01:00"`,
			`"2026-01-01T00:00:00Z"`, `"a\u0000"`, `"text"`, `1`, `1e300`, `-1.5`, `[]`, `{}`} {
			cursor := fmt.Sprintf(`{"v":%s,"id":%q}`, v, id)
			values = append(values, value{kindCursor, encode(base64.RawURLEncoding.EncodeToString([]byte(cursor)))})
		}
	}
	return values
}

// isCursor reports whether a parameter or an argument of the name takes a cursor.
func isCursor(name string) bool { return name == "after" || name == "before" }

// wrapped returns the values as elements of a list, or as the member of an object that has other
// members.
func wrapped(values []value, wrap func(json.RawMessage) json.RawMessage) []value {
	out := make([]value, len(values))
	for i, v := range values {
		out[i] = value{v.kind, wrap(v.text)}
	}
	return out
}

func inList(element json.RawMessage) json.RawMessage {
	return append(append([]byte{'['}, element...), ']')
}

// withMember returns an object's JSON in which a member has the value.
func withMember(object map[string]json.RawMessage, name string, member json.RawMessage) json.RawMessage {
	var out strings.Builder
	fmt.Fprintf(&out, "{%q:%s", name, member)
	for _, other := range slices.Sorted(maps.Keys(object)) {
		if other != name {
			fmt.Fprintf(&out, ",%q:%s", other, object[other])
		}
	}
	out.WriteString("}")
	return json.RawMessage(out.String())
}
