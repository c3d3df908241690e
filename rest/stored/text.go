package stored

import (
	"regexp"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/vektah/gqlparser/v2/ast"
)

// writeAsText has a query parameter of an input type written as a text:
//
//   - an order is its field, with a hyphen before it to begin with the greatest: -created_at;
//   - an id with a value is both with a colon between them, or the id alone: atg_1:energy.
//
// Parameters of other types are unchanged.
func (in *inputs) writeAsText(p *Parameter) {
	definition := in.schema.Types[p.typ.Name()]
	if definition.Kind != ast.InputObject || len(definition.Fields) != 2 {
		return
	}
	first, second := definition.Fields[0], definition.Fields[1]
	field := in.schema.Types[first.Type.Name()]
	var text *openapi3.Schema
	switch {
	case field.Kind == ast.Enum && second.Type.Name() == "OrderDirection":
		text, p.decoder = orderText(field, first.Name, second.Name)
	case first.Type.Name() == "ID" && first.Type.NonNull && second.Type.Name() == "String" && !second.Type.NonNull:
		text, p.decoder = pairText(first.Name, second.Name)
	default:
		return
	}
	p.Schema = text.NewRef()
	if p.IsList {
		p.Schema = openapi3.NewArraySchema().WithItems(text).NewRef()
	}
}

// orderText returns the schema and the decoder of an order, whose members have these names.
func orderText(fields *ast.Definition, field, direction string) (*openapi3.Schema, *decoder) {
	s := openapi3.NewStringSchema()
	names := enumNames(fields)
	for _, value := range visibleValues(fields) {
		s.Enum = append(s.Enum, restSpelling(value), "-"+restSpelling(value))
	}
	return s, &decoder{object: func(text string) any {
		name, descending := strings.CutPrefix(text, "-")
		if descending {
			return map[string]any{field: names[name], direction: "DESC"}
		}
		return map[string]any{field: names[name], direction: "ASC"}
	}}
}

// pairText returns the schema and the decoder of an id with an optional value, whose members have
// these names.
func pairText(id, value string) (*openapi3.Schema, *decoder) {
	s := openapi3.NewStringSchema()
	s.Pattern = pairPattern
	return s, &decoder{object: func(text string) any {
		before, after, found := strings.Cut(text, ":")
		pair := map[string]any{id: before}
		if found {
			pair[value] = after
		}
		return pair
	}}
}

// pairPattern is the pattern of an id, or of an id, a colon and a value.
const pairPattern = `^[^:\s]+(:.*\S.*)?$`

var pairs = regexp.MustCompile(pairPattern)
