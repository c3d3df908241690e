package rest

import (
	"encoding/json"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// coder turns a JSON value in REST's spelling, already found valid, into a variable's value in the schema's spelling.
// A nil coder leaves the value as it is.
type coder struct {
	number string            // Int or Float
	enum   map[string]string // REST's spelling → the schema's
	fields map[string]coded  // REST's name → the schema's; other keys are dropped
}

type coded struct {
	name  string
	coder *coder
}

// decode returns the value in the schema's spelling; lists are decoded element by element.
func (c *coder) decode(value any) any {
	if c == nil || value == nil {
		return value
	}
	switch v := value.(type) {
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = c.decode(v[i])
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, member := range v {
			if field, ok := c.fields[key]; ok {
				out[field.name] = field.coder.decode(member)
			}
		}
		return out
	case json.Number:
		return c.decodeNumber(v)
	case string:
		return c.enum[v]
	}
	return value
}

// decodeNumber takes 1e2 and 5.0 for whole numbers, as JSON Schema does.
func (c *coder) decodeNumber(n json.Number) any {
	f, err := n.Float64()
	if err != nil {
		return n
	}
	if c.number == "Int" {
		return int64(f)
	}
	return f
}

// coderSet makes the coders of a schema's input types, each once.
type coderSet struct {
	schema *ast.Schema
	inputs map[string]*coder
}

func (s coderSet) of(typ *ast.Type) *coder {
	definition := s.schema.Types[typ.Name()]
	switch {
	case definition.Name == "Int" || definition.Name == "Float":
		return &coder{number: definition.Name}
	case definition.Kind == ast.Enum:
		return &coder{enum: enumNames(definition)}
	case definition.Kind == ast.InputObject:
		return s.input(definition)
	}
	return nil
}

func (s coderSet) input(definition *ast.Definition) *coder {
	if known, ok := s.inputs[definition.Name]; ok {
		return known
	}
	c := &coder{fields: make(map[string]coded, len(definition.Fields))}
	s.inputs[definition.Name] = c
	for _, field := range definition.Fields {
		c.fields[snake(field.Name)] = coded{field.Name, s.of(field.Type)}
	}
	return c
}

func enumNames(definition *ast.Definition) map[string]string {
	names := make(map[string]string, len(definition.EnumValues))
	for _, value := range definition.EnumValues {
		names[restSpelling(value)] = value.Name
	}
	return names
}

// restSpelling is an enum value as REST writes it: in lower case, unless @restValue says otherwise.
func restSpelling(value *ast.EnumValueDefinition) string {
	if d := value.Directives.ForName("restValue"); d != nil {
		return d.Arguments.ForName("value").Value.Raw
	}
	return strings.ToLower(value.Name)
}
