package policy

import (
	"slices"
	"strings"

	"github.com/99designs/gqlgen/graphql"
)

// maxConditions is the number of condition variables above which nothing is kept for an operation's
// selections.
const maxConditions = 8

// AppendPosition appends the types and aliases on the path to a field, the field's own first. With
// [Analysis.ConditionBits] they determine the selection below it.
func AppendPosition(b []byte, field *graphql.FieldContext) []byte {
	for at := field; at != nil; at = at.Parent {
		if at.Field.Field != nil {
			b = AppendStep(b, at.Object, at.Field.Alias)
		}
	}
	return b
}

// AppendStep appends one field of a position.
func AppendStep(b []byte, object, alias string) []byte {
	return append(append(append(append(b, object...), '.'), alias...), ' ')
}

// AliasPath returns the aliases on the path to a field, without types and indexes, for example
// "documents.nodes.title".
func AliasPath(field *graphql.FieldContext) string {
	var names []string
	for at := field; at != nil; at = at.Parent {
		if at.Field.Field != nil {
			names = append(names, at.Field.Alias)
		}
	}
	slices.Reverse(names)
	return strings.Join(names, ".")
}

// ConditionBits returns the variables of @skip and @include, one bit each; ok is false if there are
// too many.
func (a *Analysis) ConditionBits(variables map[string]any) (bits uint8, ok bool) {
	if len(a.Conditions) > maxConditions {
		return 0, false
	}
	for i, name := range a.Conditions {
		if variables[name] == true {
			bits |= 1 << i
		}
	}
	return bits, true
}
