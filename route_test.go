package main

import (
	"slices"
	"strings"
	"testing"

	"rostrum/testkit"
)

// own are the paths with handlers of their own: what is not an operation on the graph (shared design, "REST is stored operations").
var own = []string{
	"/graphql", "/healthz", "/readyz", "/metrics", "/docs", "/docs/*", "/redoc", "/openapi/openapi.json",
	"/api/public/auth/session", "/api/public/auth/workspaces", "/api/public/auth/oidc", "/api/public/auth/oidc/callback",
	"/playground", "/playground/*", "/playground/app.js", "/playground/app.css",
}

// TestRoutes/all_are_operations fails on a route that is neither a stored operation nor a known handler.
func TestRoutes(t *testing.T) {
	t.Run("all_are_operations", func(t *testing.T) {
		app := testkit.Stacks(t)[0].Start(t)
		routes, err := app.Routes()
		if err != nil {
			t.Fatal(err)
		}
		var stored []string
		for _, rule := range app.Shapes() {
			stored = append(stored, rule.Method+" "+rule.Path)
		}
		for _, route := range routes {
			method, path, _ := strings.Cut(route, " ")
			path = strings.ReplaceAll(path, "/*/", "/")
			read := strings.Replace(method, "HEAD", "GET", 1) + " " + path
			if !slices.Contains(own, path) && !slices.Contains(stored, read) {
				t.Errorf("%s is not in rest/operations", route)
			}
		}
		if len(routes) < len(stored) {
			t.Errorf("%d routes for %d operations", len(routes), len(stored))
		}
	})
}
