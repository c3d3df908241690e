package stored

import (
	"slices"

	"github.com/vektah/gqlparser/v2/ast"
)

// restDirectives are the directives of stored operations that only REST uses.
var restDirectives = []string{"lift", "constant", "jsonText", "keyed", "header", "nonNull"}

// clientDocument returns a stored operation as a client may send it: without the directives that
// only REST uses, constants, and elements that clients do not see, and without the variables and
// fragments that only these need. It is empty if clients do not see the root field.
func clientDocument(definition *ast.OperationDefinition, root *ast.Field) *ast.QueryDocument {
	if isHidden(root.Definition.Directives) {
		return &ast.QueryDocument{}
	}
	c := &clientCopy{fragments: map[string]*ast.FragmentDefinition{}, variables: map[string]bool{}}
	out := *definition
	out.SelectionSet = c.copySelections(definition.SelectionSet)
	out.VariableDefinitions = slices.DeleteFunc(slices.Clone(definition.VariableDefinitions),
		func(v *ast.VariableDefinition) bool {
			return !c.variables[v.Variable]
		})
	return &ast.QueryDocument{Operations: ast.OperationList{&out}, Fragments: usedFragments(out.SelectionSet, nil)}
}

// clientCopy copies the selections of one operation.
type clientCopy struct {
	fragments map[string]*ast.FragmentDefinition
	variables map[string]bool // that the copy uses
}

// copySelections returns the selections that clients see. If they see none of an object's fields,
// __typename is selected, because GraphQL needs one field.
func (c *clientCopy) copySelections(set ast.SelectionSet) ast.SelectionSet {
	var out ast.SelectionSet
	for _, selection := range set {
		switch s := selection.(type) {
		case *ast.Field:
			if s.Directives.ForName("constant") == nil && !isHidden(s.Definition.Directives) {
				out = append(out, c.copyField(s))
			}
		case *ast.InlineFragment:
			inline := *s
			inline.SelectionSet = c.copySelections(s.SelectionSet)
			c.markVariables(s.Directives)
			out = append(out, &inline)
		case *ast.FragmentSpread:
			spread := *s
			spread.Definition = c.copyFragment(s.Definition)
			c.markVariables(s.Directives)
			out = append(out, &spread)
		}
	}
	if len(set) > 0 && len(out) == 0 {
		return ast.SelectionSet{typenameField(set)}
	}
	return out
}

// typenameField returns the selection of __typename where the set is selected.
func typenameField(set ast.SelectionSet) *ast.Field {
	field := &ast.Field{Alias: "__typename", Name: "__typename", Position: set[0].GetPosition()}
	field.Definition = &ast.FieldDefinition{Name: field.Name, Type: ast.NonNullNamedType("String", nil)}
	if first, ok := set[0].(*ast.Field); ok {
		field.ObjectDefinition = first.ObjectDefinition
	}
	return field
}

func (c *clientCopy) copyField(f *ast.Field) *ast.Field {
	out := *f
	out.Directives = slices.DeleteFunc(slices.Clone(f.Directives),
		func(d *ast.Directive) bool { return slices.Contains(restDirectives, d.Name) })
	c.markVariables(out.Directives)
	out.Arguments = nil
	for _, argument := range f.Arguments {
		if definition := f.Definition.Arguments.ForName(argument.Name); definition != nil &&
			isHidden(definition.Directives) {
			continue
		}
		kept := *argument
		kept.Value = c.copyValue(argument.Value)
		out.Arguments = append(out.Arguments, &kept)
	}
	out.SelectionSet = c.copySelections(f.SelectionSet)
	return &out
}

// copyValue returns a value without the fields of inputs that clients do not see.
func (c *clientCopy) copyValue(v *ast.Value) *ast.Value {
	if v.Kind == ast.Variable {
		c.variables[v.Raw] = true
		return v
	}
	out := *v
	out.Children = nil
	for _, child := range v.Children {
		if v.Kind == ast.ObjectValue && v.Definition != nil {
			if field := v.Definition.Fields.ForName(child.Name); field != nil && isHidden(field.Directives) {
				continue
			}
		}
		kept := *child
		kept.Value = c.copyValue(child.Value)
		out.Children = append(out.Children, &kept)
	}
	return &out
}

func (c *clientCopy) copyFragment(f *ast.FragmentDefinition) *ast.FragmentDefinition {
	if known := c.fragments[f.Name]; known != nil {
		return known
	}
	out := *f
	out.SelectionSet = c.copySelections(f.SelectionSet)
	c.fragments[f.Name] = &out
	return &out
}

// markVariables records the variables of directives.
func (c *clientCopy) markVariables(directives ast.DirectiveList) {
	for _, d := range directives {
		for _, argument := range d.Arguments {
			c.copyValue(argument.Value)
		}
	}
}

// isHidden reports whether an element exists for stored operations only.
func isHidden(directives ast.DirectiveList) bool {
	return slices.ContainsFunc(directives, func(d *ast.Directive) bool { return d.Name == "inaccessible" })
}
