package rest

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// inputDecoder converts a valid JSON value in REST's spelling to a variable's value in the schema's
// spelling. A nil decoder returns the value unchanged.
type inputDecoder struct {
	number string                // Int or Float
	enum   map[string]string     // REST's spelling → the schema's
	other  string                // the enum value for texts that are no value of enum
	fields map[string]inputField // REST's name → the schema's; other keys are dropped
}

type inputField struct {
	name  string
	coder *inputDecoder
}

// decodeValue returns the value in the schema's spelling; lists are decoded element by element.
func (c *inputDecoder) decodeValue(value any) any {
	if c == nil || value == nil {
		return value
	}
	switch v := value.(type) {
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = c.decodeValue(v[i])
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, member := range v {
			if field, ok := c.fields[key]; ok {
				out[field.name] = field.coder.decodeValue(member)
			}
		}
		return out
	case json.Number:
		return c.decodeNumber(v)
	case string:
		if name, ok := c.enum[v]; ok {
			return name
		}
		return c.other
	}
	return value
}

// decodeNumber converts 1e2 and 5.0 to integers, as JSON Schema does.
func (c *inputDecoder) decodeNumber(n json.Number) any {
	f, err := n.Float64()
	if err != nil {
		return n
	}
	if c.number == "Int" {
		return int64(f)
	}
	return f
}

// decoderSet builds the decoders of a schema's input types, each once.
type decoderSet struct {
	schema *ast.Schema
	inputs map[string]*inputDecoder
}

func (s decoderSet) decoderFor(typ *ast.Type) *inputDecoder {
	definition := s.schema.Types[typ.Name()]
	switch {
	case definition.Name == "Int" || definition.Name == "Float":
		return &inputDecoder{number: definition.Name}
	case definition.Kind == ast.Enum:
		return &inputDecoder{enum: enumNames(definition), other: otherValue(definition)}
	case definition.Kind == ast.InputObject:
		return s.objectDecoder(definition)
	}
	return nil
}

func (s decoderSet) objectDecoder(definition *ast.Definition) *inputDecoder {
	if known, ok := s.inputs[definition.Name]; ok {
		return known
	}
	c := &inputDecoder{fields: make(map[string]inputField, len(definition.Fields))}
	s.inputs[definition.Name] = c
	for _, field := range definition.Fields {
		c.fields[snakeCase(field.Name)] = inputField{field.Name, s.decoderFor(field.Type)}
	}
	return c
}

func enumNames(definition *ast.Definition) map[string]string {
	names := make(map[string]string, len(definition.EnumValues))
	for _, value := range visibleValues(definition) {
		names[restSpelling(value)] = value.Name
	}
	return names
}

// visibleValues returns the values of an enum that clients see.
func visibleValues(definition *ast.Definition) ast.EnumValueList {
	return slices.DeleteFunc(slices.Clone(definition.EnumValues),
		func(v *ast.EnumValueDefinition) bool { return isHidden(v.Directives) })
}

// otherValue returns the value of an enum that REST reads any other text as, or an empty string if
// REST rejects other texts by the schema.
func otherValue(definition *ast.Definition) string {
	i := slices.IndexFunc(definition.EnumValues, func(v *ast.EnumValueDefinition) bool {
		return isHidden(v.Directives)
	})
	if i < 0 {
		return ""
	}
	return definition.EnumValues[i].Name
}

// restSpelling returns an enum value as REST spells it: in lower case, unless @restValue names
// another spelling.
func restSpelling(value *ast.EnumValueDefinition) string {
	if d := value.Directives.ForName("restValue"); d != nil {
		return d.Arguments.ForName("value").Value.Raw
	}
	return strings.ToLower(value.Name)
}
