package rest

import (
	"net/http"
	"slices"

	"rostrum/errs"
	"rostrum/rest/stored"
)

// chooseOperations returns the operations that the query string selects, such as ?estimate=true, or
// the default ones. If the route has operations for forms of files, it returns those for a form, and
// the others for any other body.
func chooseOperations(route *stored.Route, r *http.Request) ([]*stored.Operation, error) {
	takesFiles := func(op *stored.Operation) bool { return op.Rule.Files != "" }
	if slices.ContainsFunc(route.Operations, takesFiles) {
		form := isForm(r)
		taken := slices.DeleteFunc(slices.Clone(route.Operations),
			func(op *stored.Operation) bool { return takesFiles(op) != form })
		if len(taken) == 0 {
			return nil, errs.New(errs.UnsupportedMediaType, "send the file in a form: multipart/form-data")
		}
		return taken, nil
	}
	if !slices.ContainsFunc(route.Operations, func(op *stored.Operation) bool { return op.When != nil }) {
		return route.Operations, nil
	}
	in := &requestInput{values: map[string]any{}}
	query := r.URL.Query()
	var plain, wanted []*stored.Operation
	for _, op := range route.Operations {
		if op.When == nil {
			plain = append(plain, op)
			continue
		}
		in.fromQuery(op.When, query, "")
		if in.values[op.When.Name] == true {
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
