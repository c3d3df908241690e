package compat

import (
	"github.com/vektah/gqlparser/v2/ast"
)

// compareInputs compares the values that a variable of these types may have. Values in the text are
// compared by its validation. Types may be renamed.
func (c *comparison) compareInputs(was, is *ast.Definition) {
	if was == nil || c.isKnown(was.Name+" "+is.Name) {
		return
	}
	switch {
	case was.Kind != is.Kind, was.Kind == ast.Scalar && was.Name != is.Name && !widens(was.Name, is.Name):
		c.add(was.Name, "is %s now, which takes other values", is.Name)
	case was.Kind == ast.Enum:
		for _, value := range was.EnumValues {
			if is.EnumValues.ForName(value.Name) == nil {
				c.add(is.Name+"."+value.Name, "is gone, and a variable may have it")
			}
		}
	case was.Kind == ast.InputObject:
		c.compareInputObject(was, is)
	}
}

func (c *comparison) compareInputObject(was, is *ast.Definition) {
	if was.Directives.ForName("oneOf") == nil && is.Directives.ForName("oneOf") != nil {
		c.add(is.Name, "takes exactly one field now")
	}
	for _, field := range was.Fields {
		element, now := is.Name+"."+field.Name, is.Fields.ForName(field.Name)
		if now == nil {
			c.add(element, "is gone, and a variable may have it")
			continue
		}
		c.compareInputType(element, field.Type, now.Type)
	}
	for _, field := range is.Fields {
		if was.Fields.ForName(field.Name) == nil && field.Type.NonNull && field.DefaultValue == nil {
			c.add(is.Name+"."+field.Name, "is required now, and a variable may lack it")
		}
	}
}

// compareInputType compares the types of an input field. A list takes a single value too.
func (c *comparison) compareInputType(element string, was, is *ast.Type) {
	switch {
	case is.NonNull && !was.NonNull:
		c.add(element, "was %s and is required now", was)
	case was.Elem != nil && is.Elem != nil:
		c.compareInputType(element, was.Elem, is.Elem)
	case was.Elem == nil && is.Elem != nil:
		c.compareInputType(element, &ast.Type{NamedType: was.NamedType, NonNull: true}, is.Elem)
	case was.Elem != nil, c.before.Types[was.NamedType].Kind == ast.Scalar && was.NamedType != is.NamedType && !widens(was.NamedType, is.NamedType):
		c.add(element, "was %s and is %s now", was, is)
	default:
		c.compareInputs(c.before.Types[was.NamedType], c.after.Types[is.NamedType])
	}
}

// widens reports whether every value of a scalar is one of another.
func widens(was, is string) bool {
	return was == "Int" && is == "Float" || was == "String" && is == "ID"
}
