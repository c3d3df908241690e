package rest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"rostrum/errs"
)

// rule is what an operation's @rest directive says; the schema describes each of its arguments.
type rule struct {
	Method, Path            string
	Status                  int
	Location, NotFound      string
	Tag, Summary            string
	Wrap, Unwrap, ID, Event string
	ETag                    string   // the body's member that is its entity tag
	When                    string   // the query parameter by whose true the operation is chosen
	Fails                   []string // values of the schema's ErrorCode
	Cookie                  bool
}

// fails reports whether the rule names a failure of the status.
func (r rule) fails(status int) bool {
	return slices.ContainsFunc(r.Fails, func(name string) bool {
		return errs.Lookup(errs.Code(strings.ToLower(name))).Status == status
	})
}

// takeRule reads the operation's @rest and removes it, since it says nothing to the graph.
func takeRule(definition *ast.OperationDefinition) (rule, error) {
	var r rule
	directive := definition.Directives.ForName("rest")
	if directive == nil {
		return r, fmt.Errorf("it has no @rest")
	}
	definition.Directives = slices.DeleteFunc(definition.Directives, func(d *ast.Directive) bool { return d == directive })
	arguments, err := json.Marshal(directive.ArgumentMap(nil))
	if err != nil {
		return r, err
	}
	if err := json.Unmarshal(arguments, &r); err != nil {
		return r, err
	}
	if !strings.HasPrefix(r.Path, "/api/") {
		return r, fmt.Errorf("its path %q is not under /api/", r.Path)
	}
	return r, nil
}

// inPath reports whether the variable stands in the path.
func (r rule) inPath(variable string) bool { return strings.Contains(r.Path, "{"+variable+"}") }
