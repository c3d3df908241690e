package graph

import (
	"slices"

	"github.com/vektah/gqlparser/v2/ast"
)

// inaccessible is the directive of elements that exist for stored operations only.
const inaccessible = "inaccessible"

// hiddenDirectives are the directives that clients do not see.
var hiddenDirectives = []string{inaccessible, "lift", "constant", "jsonText", "keyed", "header", "nonNull"}

// apiSchema returns the schema that clients see: the full one without its inaccessible elements.
// Both share the definitions that have none.
func apiSchema(full *ast.Schema) *ast.Schema {
	kept := make(map[*ast.Definition]*ast.Definition, len(full.Types))
	api := *full
	api.Types = make(map[string]*ast.Definition, len(full.Types))
	for name, def := range full.Types {
		if def.Directives.ForName(inaccessible) == nil {
			kept[def] = withoutInaccessible(def)
			api.Types[name] = kept[def]
		}
	}
	api.Query, api.Mutation, api.Subscription = kept[full.Query], kept[full.Mutation], kept[full.Subscription]
	api.PossibleTypes, api.Implements = keptLists(full.PossibleTypes, kept), keptLists(full.Implements, kept)
	api.Directives = make(map[string]*ast.DirectiveDefinition, len(full.Directives))
	for name, directive := range full.Directives {
		if !slices.Contains(hiddenDirectives, name) {
			api.Directives[name] = directive
		}
	}
	return &api
}

// keptLists returns the lists of definitions as the schema that clients see has them.
func keptLists(lists map[string][]*ast.Definition,
	kept map[*ast.Definition]*ast.Definition) map[string][]*ast.Definition {
	out := make(map[string][]*ast.Definition, len(lists))
	for name, list := range lists {
		for _, def := range list {
			if kept[def] != nil {
				out[name] = append(out[name], kept[def])
			}
		}
	}
	return out
}

// withoutInaccessible returns the definition, or a copy without inaccessible fields, arguments and
// values.
func withoutInaccessible(def *ast.Definition) *ast.Definition {
	if !hasInaccessible(def) {
		return def
	}
	out := *def
	out.EnumValues = slices.DeleteFunc(slices.Clone(def.EnumValues), isInaccessibleValue)
	out.Fields = nil
	for _, field := range def.Fields {
		if field.Directives.ForName(inaccessible) != nil {
			continue
		}
		visible := *field
		visible.Arguments = slices.DeleteFunc(slices.Clone(field.Arguments), isInaccessible)
		out.Fields = append(out.Fields, &visible)
	}
	return &out
}

func hasInaccessible(def *ast.Definition) bool {
	return slices.ContainsFunc(def.EnumValues, isInaccessibleValue) ||
		slices.ContainsFunc(def.Fields, func(field *ast.FieldDefinition) bool {
			return field.Directives.ForName(inaccessible) != nil || slices.ContainsFunc(field.Arguments, isInaccessible)
		})
}

func isInaccessible(argument *ast.ArgumentDefinition) bool {
	return argument.Directives.ForName(inaccessible) != nil
}

func isInaccessibleValue(value *ast.EnumValueDefinition) bool {
	return value.Directives.ForName(inaccessible) != nil
}
