package rest

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/vektah/gqlparser/v2/ast"
)

const componentPrefix = "#/components/schemas/"

// inputSchema returns the schema of a variable or an input field.
func (b *documentBuilder) inputSchema(typ *ast.Type, def *ast.Value, directives ast.DirectiveList) *openapi3.SchemaRef {
	if typ.Elem != nil {
		list := openapi3.NewArraySchema()
		list.Items = b.inputSchema(typ.Elem, nil, nil)
		list.Type = orNull(list.Type, !typ.NonNull)
		list.Default = b.restDefault(typ, def)
		return list.NewRef()
	}
	definition := b.schema.Types[typ.NamedType]
	if definition.Kind == ast.InputObject {
		return nullableSchema(b.inputObject(definition, nil), !typ.NonNull)
	}
	s := scalarSchema(definition)
	if otherValue(definition) != "" {
		s.Enum = nil // other texts are rejected by the operation
	}
	if format, ok := inputFormats[definition.Name]; ok {
		s.Format = format
	}
	addConstraints(s, directives)
	if !typ.NonNull {
		if s.Type == nil {
			allowAny(s)
		}
		s.Type = orNull(s.Type, true)
		if len(s.Enum) > 0 {
			s.Enum = append(s.Enum, nil)
		}
	}
	s.Default = b.restDefault(typ, def)
	return s.NewRef()
}

// anyTypes lists every JSON type but null; the library rejects null unless a schema without a type
// lists its types.
var anyTypes = &openapi3.Types{
	openapi3.TypeObject, openapi3.TypeArray, openapi3.TypeString, openapi3.TypeNumber, openapi3.TypeBoolean,
}

// allowAny makes a schema without a type accept every JSON value, null included.
func allowAny(s *openapi3.Schema) {
	s.Type = anyTypes
	s.Items = (&openapi3.Schema{Always: openapi3.Ptr(true)}).NewRef()
}

// inputObject returns the component of an input type without the omitted fields; unknown members
// are accepted and ignored.
func (b *documentBuilder) inputObject(definition *ast.Definition, omitted []string) *openapi3.SchemaRef {
	name := definition.Name
	if len(omitted) > 0 {
		name = b.bodyName(name, omitted)
	}
	if known, ok := b.doc.Components.Schemas[name]; ok {
		return openapi3.NewSchemaRef(componentPrefix+name, known.Value)
	}
	s := openapi3.NewObjectSchema()
	s.Description = definition.Description
	s.Properties = openapi3.Schemas{}
	b.doc.Components.Schemas[name] = s.NewRef()
	for _, field := range definition.Fields {
		if slices.Contains(omitted, field.Name) {
			continue
		}
		property := b.inputSchema(field.Type, field.DefaultValue, field.Directives)
		if property.Ref == "" {
			property.Value.Description = field.Description
		}
		s.Properties[snakeCase(field.Name)] = property
		if field.Type.NonNull && field.DefaultValue == nil {
			s.Required = append(s.Required, snakeCase(field.Name))
		}
	}
	return openapi3.NewSchemaRef(componentPrefix+name, s)
}

// bodyName returns the name of the component of an input type without some of its fields:
// UpdateLinkBody for UpdateLinkInput, followed by a number if other fields are omitted elsewhere.
func (b *documentBuilder) bodyName(input string, omitted []string) string {
	shape := input + "-" + strings.Join(omitted, "-")
	if name, ok := b.shapes[shape]; ok {
		return name
	}
	base := strings.TrimSuffix(input, "Input") + "Body"
	name := base
	for n := 2; b.doc.Components.Schemas[name] != nil; n++ {
		name = base + strconv.Itoa(n)
	}
	b.shapes[shape] = name
	return name
}

// scalarSchema returns the schema of a scalar or an enum, without null.
func scalarSchema(definition *ast.Definition) *openapi3.Schema {
	if definition.Kind == ast.Enum {
		s := openapi3.NewStringSchema()
		for _, value := range visibleValues(definition) {
			s.Enum = append(s.Enum, restSpelling(value))
		}
		return s
	}
	switch definition.Name {
	case "Int":
		return openapi3.NewInt32Schema()
	case "Float":
		return openapi3.NewFloat64Schema()
	case "Boolean":
		return openapi3.NewBoolSchema()
	case "Time":
		return openapi3.NewDateTimeSchema()
	case "JSON":
		return openapi3.NewSchema()
	case "JSONObject":
		return openapi3.NewObjectSchema()
	}
	return openapi3.NewStringSchema()
}

// addConstraints adds the limits of @range and @length to the schema. White space does not count
// toward a length, so a minimum length also adds a pattern.
func addConstraints(s *openapi3.Schema, directives ast.DirectiveList) {
	if d := directives.ForName("range"); d != nil {
		if n, ok := intArgument(d, "min"); ok {
			s.Min = openapi3.Ptr(float64(n))
		}
		if n, ok := intArgument(d, "max"); ok {
			s.Max = openapi3.Ptr(float64(n))
		}
	}
	if d := directives.ForName("length"); d != nil {
		if n, ok := intArgument(d, "min"); ok && n > 0 {
			s.MinLength, s.Pattern = uint64(n), notBlank
		}
		if n, ok := intArgument(d, "max"); ok && n <= math.MaxInt32 {
			s.MaxLength = openapi3.Ptr(uint64(n))
		}
	}
}

func intArgument(d *ast.Directive, name string) (int, bool) {
	argument := d.Arguments.ForName(name)
	if argument == nil {
		return 0, false
	}
	n, err := strconv.Atoi(argument.Value.Raw)
	return n, err == nil
}

// restDefault returns a default value in REST's spelling, or nil without one.
func (b *documentBuilder) restDefault(typ *ast.Type, def *ast.Value) any {
	if def == nil {
		return nil
	}
	if def.Kind == ast.EnumValue {
		return restSpelling(b.schema.Types[typ.Name()].EnumValues.ForName(def.Raw))
	}
	value, err := def.Value(nil)
	if err != nil {
		return nil
	}
	if list, ok := value.([]any); ok && list == nil {
		return []any{}
	}
	return value
}

func orNull(types *openapi3.Types, null bool) *openapi3.Types {
	if types == nil || !null || types.Includes(openapi3.TypeNull) {
		return types
	}
	both := append(slices.Clone(*types), openapi3.TypeNull)
	return &both
}

func notNull(types *openapi3.Types) *openapi3.Types {
	if types == nil {
		return nil
	}
	rest := slices.DeleteFunc(slices.Clone(*types), func(name string) bool { return name == openapi3.TypeNull })
	return &rest
}

// nullableSchema returns a schema that accepts null in addition to a component.
func nullableSchema(ref *openapi3.SchemaRef, null bool) *openapi3.SchemaRef {
	if !null {
		return ref
	}
	nothing := &openapi3.Schema{Type: &openapi3.Types{openapi3.TypeNull}}
	return (&openapi3.Schema{AnyOf: openapi3.SchemaRefs{ref, nothing.NewRef()}}).NewRef()
}
