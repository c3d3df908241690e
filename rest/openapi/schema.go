package openapi

import (
	"slices"

	"github.com/getkin/kin-openapi/openapi3"
)

// Object returns the schema of an object with required members only.
func Object(members openapi3.Schemas) *openapi3.Schema {
	s := openapi3.NewObjectSchema()
	s.Properties = members
	for name := range members {
		s.Required = append(s.Required, name)
	}
	slices.Sort(s.Required)
	return s
}

// Text returns the schema of a text.
func Text(description string) *openapi3.SchemaRef {
	s := openapi3.NewStringSchema()
	s.Description = description
	return s.NewRef()
}

// Enum returns the schema of a text that is one of the values.
func Enum(description string, values ...any) *openapi3.SchemaRef {
	s := openapi3.NewStringSchema().WithEnum(values...)
	s.Description = description
	return s.NewRef()
}

// List returns the schema of a list.
func List(description string, item *openapi3.Schema) *openapi3.SchemaRef {
	s := openapi3.NewArraySchema().WithItems(item)
	s.Description = description
	return s.NewRef()
}
