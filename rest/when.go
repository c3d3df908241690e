package rest

import (
	"net/http"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"rostrum/errs"
)

// whenParameter is the query parameter that chooses the operation; nil when it is always there.
func (op *operation) whenParameter() *parameter {
	if op.rule.When == "" {
		return nil
	}
	return &parameter{name: op.rule.When, in: inQuery, description: sentence(op.rule.Summary), variable: &ast.VariableDefinition{
		Variable: op.rule.When, Type: ast.NamedType("Boolean", nil), DefaultValue: &ast.Value{Kind: ast.BooleanValue, Raw: "false"},
	}}
}

// asked lists the operations that the query string asks for: those whose parameter is true, else those that have none.
func (r *route) asked(request *http.Request) ([]*operation, error) {
	if !slices.ContainsFunc(r.operations, func(op *operation) bool { return op.when != nil }) {
		return r.operations, nil
	}
	in := &input{values: map[string]any{}}
	query := request.URL.Query()
	var plain, wanted []*operation
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
	case len(in.bad) > 0:
		return nil, errs.Invalid(in.bad...)
	case len(wanted) > 0:
		return wanted, nil
	}
	return plain, nil
}
