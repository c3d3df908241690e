package stored

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// decoder converts a valid JSON value in REST's spelling to a variable's value in the schema's
// spelling. A nil decoder returns the value unchanged.
type decoder struct {
	number string                // Int or Float
	enum   map[string]string     // REST's spelling → the schema's
	other  string                // the enum value for texts that are no value of enum
	fields map[string]inputField // REST's name → the schema's; other keys are dropped
	object func(text string) any // the value of an object that REST writes as a text; nil: there is none
}

type inputField struct {
	name    string
	decoder *decoder
}

// decode returns the value in the schema's spelling; lists are decoded element by element.
func (d *decoder) decode(value any) any {
	if d == nil || value == nil {
		return value
	}
	switch v := value.(type) {
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = d.decode(v[i])
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, member := range v {
			if field, ok := d.fields[key]; ok {
				out[field.name] = field.decoder.decode(member)
			}
		}
		return out
	case json.Number:
		return d.decodeNumber(v)
	case string:
		if d.object != nil {
			return d.object(v)
		}
		if name, ok := d.enum[v]; ok {
			return name
		}
		return d.other
	}
	return value
}

// unknown returns the paths of the members that decode drops.
func (d *decoder) unknown(value any, path []any) [][]any {
	var paths [][]any
	if d == nil {
		return nil
	}
	switch v := value.(type) {
	case []any:
		for i, element := range v {
			paths = append(paths, d.unknown(element, append(slices.Clip(path), i))...)
		}
	case map[string]any:
		for name, member := range v {
			at := append(slices.Clip(path), name)
			if field, ok := d.fields[name]; ok {
				paths = append(paths, field.decoder.unknown(member, at)...)
			} else if d.fields != nil {
				paths = append(paths, at)
			}
		}
	}
	return paths
}

// decodeNumber converts 1e2 and 5.0 to integers, as JSON Schema does.
func (d *decoder) decodeNumber(n json.Number) any {
	f, err := n.Float64()
	if err != nil {
		return n
	}
	if d.number == "Int" {
		return int64(f)
	}
	return f
}

func (in *inputs) decoderFor(typ *ast.Type) *decoder {
	definition := in.schema.Types[typ.Name()]
	switch {
	case definition.Name == "Int" || definition.Name == "Float":
		return &decoder{number: definition.Name}
	case definition.Kind == ast.Enum:
		return &decoder{enum: enumNames(definition), other: otherValue(definition)}
	case definition.Kind == ast.InputObject:
		return in.objectDecoder(definition)
	}
	return nil
}

func (in *inputs) objectDecoder(definition *ast.Definition) *decoder {
	if known, ok := in.decoders[definition.Name]; ok {
		return known
	}
	d := &decoder{fields: make(map[string]inputField, len(definition.Fields))}
	in.decoders[definition.Name] = d
	for _, field := range definition.Fields {
		d.fields[snakeCase(field.Name)] = inputField{field.Name, in.decoderFor(field.Type)}
	}
	return d
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
