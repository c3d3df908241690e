package graph

import (
	"github.com/vektah/gqlparser/v2/ast"

	"rostrum/errs"
)

// estimateName is the argument by which a model-backed field only estimates, and the one field that it answers with then.
const estimateName = "estimate"

// estimates refuses to select more than the estimate where one is asked for: the other fields have no value then, and keep their
// non-null types for those who really run the operation.
func estimates(m *measure, variables map[string]any) error {
	for _, f := range m.arguments {
		arg := f.Arguments.ForName(estimateName)
		if arg == nil {
			continue
		}
		if asked, err := arg.Value.Value(variables); err != nil || asked != true {
			continue
		}
		if other := otherThanEstimate(f.SelectionSet, variables); other != "" {
			return errs.New(errs.BadRequest, "with estimate: true %s answers nothing but its estimate: do not select %s", f.Name, other)
		}
	}
	return nil
}

// otherThanEstimate names the first selected field that is not the estimate; it is empty when there is none.
func otherThanEstimate(selection ast.SelectionSet, variables map[string]any) string {
	for _, sel := range selection {
		other := ""
		switch sel := sel.(type) {
		case *ast.Field:
			if sel.Name != estimateName && sel.Name != "__typename" && included(sel.Directives, variables) {
				other = sel.Name
			}
		case *ast.InlineFragment:
			if included(sel.Directives, variables) {
				other = otherThanEstimate(sel.SelectionSet, variables)
			}
		case *ast.FragmentSpread:
			if included(sel.Directives, variables) {
				other = otherThanEstimate(sel.Definition.SelectionSet, variables)
			}
		}
		if other != "" {
			return other
		}
	}
	return ""
}

func included(directives ast.DirectiveList, variables map[string]any) bool {
	return condition(directives, "skip", variables) != true && condition(directives, "include", variables) != false
}

// condition is the value that a directive asks; nil when it is not there.
func condition(directives ast.DirectiveList, name string, variables map[string]any) any {
	d := directives.ForName(name)
	if d == nil {
		return nil
	}
	return d.ArgumentMap(variables)["if"]
}
