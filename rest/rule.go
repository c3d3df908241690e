package rest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"rostrum/errs"
)

// restRule holds the arguments of an operation's @rest directive, which the schema describes.
type restRule struct {
	Method, Path            string
	Status                  int
	Location, NotFound      string
	Tag, Summary            string
	Wrap, Unwrap, ID, Event string
	ETag                    string   // the body's member with its entity tag
	When                    string   // the query parameter that selects the operation when it is true
	Fails                   []string // values of the schema's ErrorCode
	Cookie                  bool
}

// canFail reports whether the rule lists an error with the status.
func (r restRule) canFail(status int) bool {
	return slices.ContainsFunc(r.Fails, func(name string) bool {
		return errs.Lookup(errs.Code(strings.ToLower(name))).Status == status
	})
}

// extractRule parses the operation's @rest and removes it from the operation, because the graph does not use it. It returns an error when
// the directive is missing or its path is not under /api/.
func extractRule(definition *ast.OperationDefinition) (restRule, error) {
	var r restRule
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

// inPath reports whether the variable is part of the path.
func (r restRule) inPath(variable string) bool { return strings.Contains(r.Path, "{"+variable+"}") }
