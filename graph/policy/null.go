package policy

import (
	"github.com/vektah/gqlparser/v2/ast"
)

// nullCheck finds null where null is not allowed: a variable that may be null, because it has a
// default, may stand there, but not with the value null (GraphQL specification, sections 5.8.5 and
// 6.4.1).
type nullCheck struct {
	*variableCheck
	null map[string]bool // the variables that are null in spite of a default
	seen map[string]bool // the fragments and variables that are checked
}

// checkNulls adds an error for each variable that is null where it is used.
func (c *variableCheck) checkNulls(op *ast.OperationDefinition, variables map[string]any) {
	null := map[string]bool{}
	for _, v := range op.VariableDefinitions {
		if value, given := variables[v.Variable]; given && value == nil && v.DefaultValue != nil && !v.Type.NonNull {
			null[v.Variable] = true
		}
	}
	if len(null) == 0 {
		return
	}
	check := nullCheck{variableCheck: c, null: null, seen: map[string]bool{}}
	check.directives(op.Directives)
	check.selections(op.SelectionSet)
}

func (c *nullCheck) selections(set ast.SelectionSet) {
	for _, selection := range set {
		switch s := selection.(type) {
		case *ast.Field:
			c.arguments(s.Arguments)
			c.directives(s.Directives)
			c.selections(s.SelectionSet)
		case *ast.InlineFragment:
			c.directives(s.Directives)
			c.selections(s.SelectionSet)
		case *ast.FragmentSpread:
			c.directives(s.Directives)
			if fragment := "fragment " + s.Name; s.Definition != nil && !c.seen[fragment] {
				c.seen[fragment] = true
				c.directives(s.Definition.Directives)
				c.selections(s.Definition.SelectionSet)
			}
		}
	}
}

func (c *nullCheck) directives(all ast.DirectiveList) {
	for _, d := range all {
		c.arguments(d.Arguments)
	}
}

func (c *nullCheck) arguments(all ast.ArgumentList) {
	for _, argument := range all {
		c.value(argument.Value)
	}
}

// value checks a value whose expected type the validator has set.
func (c *nullCheck) value(v *ast.Value) {
	if v.Kind == ast.Variable && c.null[v.Raw] && !c.seen[v.Raw] && v.ExpectedType != nil && v.ExpectedType.NonNull {
		c.seen[v.Raw] = true
		c.addError("value_error", "cannot be null where the operation uses it", ast.Path{ast.PathName(v.Raw)})
	}
	for _, child := range v.Children {
		c.value(child.Value)
	}
}
