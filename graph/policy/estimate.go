package policy

import (
	"github.com/vektah/gqlparser/v2/ast"

	"rostrum/errs"
)

// estimateName is the argument that makes a model-backed field return only an estimate, and the field that holds the estimate.
const estimateName = "estimate"

// checkEstimates returns an error if a field with estimate: true selects more than its estimate. The other fields have no value then;
// this rule lets them keep their non-null types for real runs.
func checkEstimates(a *Analysis, variables map[string]any) error {
	for _, f := range a.arguments {
		arg := f.Arguments.ForName(estimateName)
		if arg == nil {
			continue
		}
		if requested, err := arg.Value.Value(variables); err != nil || requested != true {
			continue
		}
		if other := findNonEstimate(f.SelectionSet, variables); other != "" {
			return errs.New(errs.BadRequest, "%s: with estimate: true only the field estimate may be selected (found %s)", f.Name, other)
		}
	}
	return nil
}

// findNonEstimate returns the first selected field other than the estimate; empty when there is none.
func findNonEstimate(selection ast.SelectionSet, variables map[string]any) string {
	for _, sel := range selection {
		other := ""
		switch sel := sel.(type) {
		case *ast.Field:
			if sel.Name != estimateName && sel.Name != typenameField && isIncluded(sel.Directives, variables) {
				other = sel.Name
			}
		case *ast.InlineFragment:
			if isIncluded(sel.Directives, variables) {
				other = findNonEstimate(sel.SelectionSet, variables)
			}
		case *ast.FragmentSpread:
			if isIncluded(sel.Directives, variables) {
				other = findNonEstimate(sel.Definition.SelectionSet, variables)
			}
		}
		if other != "" {
			return other
		}
	}
	return ""
}

func isIncluded(directives ast.DirectiveList, variables map[string]any) bool {
	return conditionValue(directives, "skip", variables) != true && conditionValue(directives, "include", variables) != false
}

// conditionValue returns the argument of @skip or @include; nil without the directive.
func conditionValue(directives ast.DirectiveList, name string, variables map[string]any) any {
	d := directives.ForName(name)
	if d == nil {
		return nil
	}
	return d.ArgumentMap(variables)["if"]
}
