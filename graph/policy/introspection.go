package policy

import (
	"iter"

	"github.com/99designs/gqlgen/graphql/introspection"
	"github.com/vektah/gqlparser/v2/ast"
)

// countIntrospection returns the number of fields in the response that describe the schema. It
// stops about one above the limit.
func (p *Policy) countIntrospection(a *Analysis, variables map[string]any) int {
	if len(a.introspection) == 0 {
		return 0
	}
	return a.described + countDescribed(p.schema, variableFields(a.introspection), variables, p.limits.Introspection)
}

// constantFields returns the introspection fields that do not depend on variables.
func constantFields(fields []*ast.Field) []*ast.Field { return filterFields(fields, false) }

// variableFields returns the introspection fields of a type that a variable names.
func variableFields(fields []*ast.Field) []*ast.Field { return filterFields(fields, true) }

func filterFields(fields []*ast.Field, hasVariable bool) []*ast.Field {
	var out []*ast.Field
	for _, f := range fields {
		if name := f.Arguments.ForName("name"); (name != nil && name.Value.Kind == ast.Variable) == hasVariable {
			out = append(out, f)
		}
	}
	return out
}

// countDescribed returns the number of fields in the response of __schema and __type. A schema's
// lists have a known length, so the number is exact except for deprecated items, @skip and
// @include. It stops above the limit.
func countDescribed(schema *ast.Schema, roots []*ast.Field, variables map[string]any, limit int) int {
	c := &introspectionCounter{limit: limit, fields: map[*ast.Selection][]*ast.Field{}}
	for _, root := range roots {
		c.count++
		if root.Name == "__schema" {
			c.countSchema(root.SelectionSet, introspection.WrapSchema(schema))
			continue
		}
		name, err := root.Arguments.ForName("name").Value.Value(variables)
		if text, ok := name.(string); ok && err == nil {
			c.countType(root.SelectionSet, introspection.WrapTypeFromDef(schema, schema.Types[text]))
		}
	}
	return c.count
}

// introspectionCounter counts the fields that a walk of the schema visits. It ends the walk above
// its limit.
type introspectionCounter struct {
	limit, count int
	fields       map[*ast.Selection][]*ast.Field // of each selection, by its first element
}

// selected counts and returns the fields of a selection.
func (c *introspectionCounter) selected(selection ast.SelectionSet) iter.Seq[*ast.Field] {
	return func(yield func(*ast.Field) bool) {
		if len(selection) == 0 || c.count > c.limit {
			return
		}
		fields, ok := c.fields[&selection[0]]
		if !ok {
			fields = flattenFields(selection)
			c.fields[&selection[0]] = fields
		}
		c.count += len(fields)
		for _, f := range fields {
			if len(f.SelectionSet) > 0 && !yield(f) {
				return
			}
		}
	}
}

func (c *introspectionCounter) countSchema(selection ast.SelectionSet, schema *introspection.Schema) {
	for f := range c.selected(selection) {
		switch f.Name {
		case "types":
			countEach(f, schema.Types(), c.countType)
		case "directives":
			countEach(f, schema.Directives(), c.countDirective)
		case "queryType":
			c.countType(f.SelectionSet, schema.QueryType())
		case "mutationType":
			c.countType(f.SelectionSet, schema.MutationType())
		case "subscriptionType":
			c.countType(f.SelectionSet, schema.SubscriptionType())
		}
	}
}

func (c *introspectionCounter) countType(selection ast.SelectionSet, t *introspection.Type) {
	if t == nil {
		return
	}
	for f := range c.selected(selection) {
		switch f.Name {
		case "ofType":
			c.countType(f.SelectionSet, t.OfType())
		case "interfaces":
			countEach(f, t.Interfaces(), c.countType)
		case "possibleTypes":
			countEach(f, t.PossibleTypes(), c.countType)
		case "fields":
			countEach(f, t.Fields(true), c.countField)
		case "inputFields":
			countEach(f, t.InputFields(), c.countInput)
		case "enumValues":
			countEach(f, t.EnumValues(true), func(selection ast.SelectionSet, _ *introspection.EnumValue) {
				c.countLeaves(selection)
			})
		}
	}
}

func (c *introspectionCounter) countField(selection ast.SelectionSet, field *introspection.Field) {
	for f := range c.selected(selection) {
		if f.Name == "args" {
			countEach(f, field.Args, c.countInput)
		} else {
			c.countType(f.SelectionSet, field.Type)
		}
	}
}

func (c *introspectionCounter) countInput(selection ast.SelectionSet, input *introspection.InputValue) {
	for f := range c.selected(selection) {
		c.countType(f.SelectionSet, input.Type)
	}
}

func (c *introspectionCounter) countDirective(selection ast.SelectionSet, directive *introspection.Directive) {
	for f := range c.selected(selection) {
		countEach(f, directive.Args, c.countInput)
	}
}

func (c *introspectionCounter) countLeaves(selection ast.SelectionSet) {
	for range c.selected(selection) {
	}
}

// countEach counts the items of a list field.
func countEach[T any](f *ast.Field, items []T, count func(ast.SelectionSet, *T)) {
	for i := range items {
		count(f.SelectionSet, &items[i])
	}
}
