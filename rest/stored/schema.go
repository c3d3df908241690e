package stored

import (
	"math"
	"slices"
	"strconv"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/vektah/gqlparser/v2/ast"
)

// ScalarSchema returns the schema of a scalar or an enum.
func ScalarSchema(definition *ast.Definition, null bool) *openapi3.Schema {
	s := scalarType(definition)
	if !null {
		return s
	}
	if s.Type == nil {
		return anyOrNull()
	}
	s.Type = OrNull(s.Type, true)
	if len(s.Enum) > 0 {
		s.Enum = append(s.Enum, nil)
	}
	return s
}

// anyOrNull returns a schema of every JSON value. The library rejects null unless null is named, and
// code generators read neither a list of all types nor an empty alternative.
func anyOrNull() *openapi3.Schema {
	list := openapi3.NewArraySchema()
	list.Items = openapi3.NewSchema().NewRef()
	return openapi3.NewAnyOfSchema(openapi3.NewObjectSchema(), list, openapi3.NewStringSchema(), openapi3.NewFloat64Schema(),
		openapi3.NewBoolSchema(), &openapi3.Schema{Type: &openapi3.Types{openapi3.TypeNull}})
}

func scalarType(definition *ast.Definition) *openapi3.Schema {
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

// OrNull returns the types, with null among them if null is true.
func OrNull(types *openapi3.Types, null bool) *openapi3.Types {
	if types == nil || !null || types.Includes(openapi3.TypeNull) {
		return types
	}
	both := append(slices.Clone(*types), openapi3.TypeNull)
	return &both
}

// RefOrNull returns the reference, or an alternative of it and null if null is true.
func RefOrNull(ref *openapi3.SchemaRef, null bool) *openapi3.SchemaRef {
	if !null {
		return ref
	}
	nothing := &openapi3.Schema{Type: &openapi3.Types{openapi3.TypeNull}}
	return (&openapi3.Schema{AnyOf: openapi3.SchemaRefs{ref, nothing.NewRef()}}).NewRef()
}
