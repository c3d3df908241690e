package rest

import (
	"net/http"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"rostrum/errs"
)

// whenParameter returns the query parameter that selects the operation, or nil when the operation
// is a default.
func (op *storedOperation) whenParameter() *parameter {
	if op.rule.When == "" {
		return nil
	}
	return &parameter{name: op.rule.When, in: inQuery, description: withFullStop(op.rule.Summary),
		variable: &ast.VariableDefinition{
			Variable: op.rule.When, Type: ast.NamedType("Boolean", nil),
			DefaultValue: &ast.Value{Kind: ast.BooleanValue, Raw: "false"},
		}}
}

// chooseOperations returns the operations that the query string selects, or else those that no
// parameter selects.
func (r *apiRoute) chooseOperations(request *http.Request) ([]*storedOperation, error) {
	if !slices.ContainsFunc(r.operations, func(op *storedOperation) bool { return op.when != nil }) {
		return r.operations, nil
	}
	in := &requestInput{values: map[string]any{}}
	query := request.URL.Query()
	var plain, wanted []*storedOperation
	for _, op := range r.operations {
		if op.when == nil {
			plain = append(plain, op)
			continue
		}
		in.fromQuery(op.when, query)
		if in.values[op.when.name] == true {
			wanted = append(wanted, op)
		}
	}
	switch {
	case len(in.invalid) > 0:
		return nil, errs.Invalid(in.invalid...)
	case len(wanted) > 0:
		return wanted, nil
	}
	return plain, nil
}
