package stored

import (
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/vektah/gqlparser/v2/ast"

	"rostrum/model"
)

// ComponentPrefix precedes the name of a component in a reference to its schema.
const ComponentPrefix = "#/components/schemas/"

// inputFormats maps scalars with their own syntax to their formats.
var inputFormats = map[string]string{"Time": formatTime, "URL": formatURL}

// inputPatterns maps scalars with their own letters to their patterns.
var inputPatterns = map[string]string{"Slug": model.SlugPattern}

// inputs builds the decoders and schemas of a schema's input types, each once.
type inputs struct {
	schema     *ast.Schema
	decoders   map[string]*decoder
	components openapi3.Schemas
	bodies     map[string]string // input type and omitted fields → the component's name
}

func newInputs(schema *ast.Schema) *inputs {
	return &inputs{schema: schema, decoders: map[string]*decoder{}, components: openapi3.Schemas{},
		bodies: map[string]string{}}
}

// parameter returns a parameter of the type. The caller sets its position.
func (in *inputs) parameter(name string, typ *ast.Type, fallback *ast.Value) *Parameter {
	return &Parameter{
		Name: name, typ: typ, fallback: fallback, Required: typ.NonNull && fallback == nil, IsList: typ.Elem != nil,
		decoder: in.decoderFor(typ),
	}
}

// parameterSchema returns the schema of a parameter in the path or query, which cannot be null.
func (in *inputs) parameterSchema(p *Parameter) *openapi3.SchemaRef {
	return in.value(AlwaysPresent(p.typ), p.fallback, p.directives)
}

// value returns the schema of a variable or an input field.
func (in *inputs) value(typ *ast.Type, fallback *ast.Value, directives ast.DirectiveList) *openapi3.SchemaRef {
	if typ.Elem != nil {
		list := openapi3.NewArraySchema()
		list.Items = in.value(typ.Elem, nil, nil)
		list.Type = OrNull(list.Type, !typ.NonNull)
		list.Default = in.restDefault(typ, fallback)
		return list.NewRef()
	}
	definition := in.schema.Types[typ.NamedType]
	if definition.Kind == ast.InputObject {
		return RefOrNull(in.object(definition, nil), !typ.NonNull)
	}
	s := ScalarSchema(definition, !typ.NonNull)
	if otherValue(definition) != "" {
		s.Enum = nil // other texts are rejected by the operation
	}
	if format, ok := inputFormats[definition.Name]; ok {
		s.Format = format
	}
	s.Pattern = inputPatterns[definition.Name]
	addConstraints(s, directives)
	s.Default = in.restDefault(typ, fallback)
	return s.NewRef()
}

// object returns the component of an input type without the omitted fields; unknown members are
// accepted and ignored.
func (in *inputs) object(definition *ast.Definition, omitted []string) *openapi3.SchemaRef {
	name := definition.Name
	if len(omitted) > 0 {
		name = in.bodyName(name, omitted)
	}
	if known, ok := in.components[name]; ok {
		return openapi3.NewSchemaRef(ComponentPrefix+name, known.Value)
	}
	s := openapi3.NewObjectSchema()
	s.Description = definition.Description
	s.Properties = openapi3.Schemas{}
	in.components[name] = s.NewRef()
	for _, field := range definition.Fields {
		if slices.Contains(omitted, field.Name) {
			continue
		}
		property := in.value(field.Type, field.DefaultValue, field.Directives)
		if property.Ref == "" {
			property.Value.Description = field.Description
		}
		s.Properties[snakeCase(field.Name)] = property
		if field.Type.NonNull && field.DefaultValue == nil {
			s.Required = append(s.Required, snakeCase(field.Name))
		}
	}
	return openapi3.NewSchemaRef(ComponentPrefix+name, s)
}

// bodyName returns the name of the component of an input type without some of its fields:
// UpdateLinkBody for UpdateLinkInput, followed by a number if other fields are omitted elsewhere.
func (in *inputs) bodyName(input string, omitted []string) string {
	shape := input + "-" + strings.Join(omitted, "-")
	if name, ok := in.bodies[shape]; ok {
		return name
	}
	base := strings.TrimSuffix(input, "Input") + "Body"
	name := base
	for n := 2; in.components[name] != nil; n++ {
		name = base + strconv.Itoa(n)
	}
	in.bodies[shape] = name
	return name
}

// restDefault returns a default value in REST's spelling, or nil without one.
func (in *inputs) restDefault(typ *ast.Type, fallback *ast.Value) any {
	if fallback == nil {
		return nil
	}
	if fallback.Kind == ast.EnumValue {
		return restSpelling(in.schema.Types[typ.Name()].EnumValues.ForName(fallback.Raw))
	}
	value, err := fallback.Value(nil)
	if err != nil {
		return nil
	}
	if list, ok := value.([]any); ok && list == nil {
		return []any{}
	}
	return value
}
