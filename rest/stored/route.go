package stored

import (
	"cmp"
	"slices"
	"strings"
)

// Route is one method of one path. Several operations share it when they respond with different
// media types, or when a query parameter selects one.
type Route struct {
	Method, Path string
	Operations   []*Operation // the first is the default
}

// Plain returns the operations that no query parameter selects.
func (r *Route) Plain() []*Operation {
	return slices.DeleteFunc(slices.Clone(r.Operations), func(op *Operation) bool { return op.When != nil })
}

// SelectedPath returns the path of an operation that the query parameter selects on another path.
func SelectedPath(path, parameter string) string {
	return path + "/" + strings.ReplaceAll(parameter, "_", "-")
}

// selectedRoutes returns a route for each operation that a query parameter selects, without the
// parameter.
func selectedRoutes(operations []*Operation) []*Route {
	var routes []*Route
	for _, op := range operations {
		if op.When == nil {
			continue
		}
		own := *op
		own.When = nil
		routes = append(routes, &Route{op.Rule.Method, SelectedPath(op.Rule.Path, op.Rule.When), []*Operation{&own}})
	}
	return routes
}

// HasTrial reports whether the route can be tried with dry_run.
func (r *Route) HasTrial() bool {
	return slices.ContainsFunc(r.Operations, func(op *Operation) bool { return op.Rule.When == "dry_run" })
}

// Media returns the media types of the route's successes.
func (r *Route) Media() []string {
	var media []string
	for _, op := range r.Operations {
		for _, one := range op.Media() {
			if !slices.Contains(media, one) {
				media = append(media, one)
			}
		}
	}
	return media
}

// groupRoutes groups the operations by method and path in their stored order. Operations that a
// query parameter selects come last, so the first is the default.
func groupRoutes(operations []*Operation) []*Route {
	var routes []*Route
	for _, op := range operations {
		i := slices.IndexFunc(routes, func(r *Route) bool {
			return r.Method == op.Rule.Method && r.Path == op.Rule.Path
		})
		if i < 0 {
			routes = append(routes, &Route{op.Rule.Method, op.Rule.Path, []*Operation{op}})
			continue
		}
		routes[i].Operations = append(routes[i].Operations, op)
		slices.SortStableFunc(routes[i].Operations, func(x, y *Operation) int {
			return cmp.Compare(min(len(x.Rule.When), 1), min(len(y.Rule.When), 1))
		})
	}
	return routes
}
