package stored

import (
	"cmp"
	"slices"
)

// Route is one method of one path. Several operations share it when they respond with different
// media types, or when a query parameter selects one.
type Route struct {
	Method, Path string
	Operations   []*Operation // the first is the default
}

// HasTrial reports whether the route can be tried with dry_run.
func (r *Route) HasTrial() bool {
	return slices.ContainsFunc(r.Operations, func(op *Operation) bool { return op.Rule.When == "dry_run" })
}

// Media returns the media types of the route's successes.
func (r *Route) Media() []string {
	var media []string
	for _, op := range r.Operations {
		if !slices.Contains(media, op.MediaType()) {
			media = append(media, op.MediaType())
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
