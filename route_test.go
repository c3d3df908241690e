package main

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"rostrum/testkit"
)

// own are the paths with handlers of their own: what is not an operation on the graph (shared design, "REST is stored operations").
var own = []string{
	"/graphql", "/healthz", "/readyz", "/metrics", "/docs", "/docs/*", "/redoc", "/openapi/openapi.json",
	"/api/public/auth/session", "/api/public/auth/workspaces", "/api/public/auth/oidc", "/api/public/auth/oidc/callback",
	"/l/{slug}", "/l/static/*", "/api/public/links/{slug}/views", "/api/public/links/{slug}/conversions", "/api/public/links/{slug}/submissions",
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

// TestLists_take_their_largest_page asks every list of the OpenAPI document for the largest page that it says it gives: no limit of the
// graph's may stand before it.
func TestLists_take_their_largest_page(t *testing.T) {
	a := newAttack(t, testkit.Stacks(t)[0].Start(t))
	asked := 0
	for _, r := range a.routes {
		for _, p := range r.operation.Parameters {
			size := p.Value.Name == "per_page" || p.Value.Name == "limit" || p.Value.Name == "first"
			if r.method != "GET" || !size || p.Value.Schema.Value.Max == nil || strings.Contains(r.path, "{") {
				continue
			}
			asked++
			query := fmt.Sprintf("?%s=%d", p.Value.Name, int(*p.Value.Schema.Value.Max))
			if answer := a.send(t, r, "", query, http.Header{"Accept": {"application/json"}}); answer.Status != http.StatusOK {
				t.Errorf("%s%s: %d %s", r.path, query, answer.Status, answer.Body)
			}
		}
	}
	if asked < 8 {
		t.Errorf("only %d lists were found", asked)
	}
}
