package integration

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rostrum/app"
	"rostrum/test/kit"
)

// handlerPaths are the paths with their own handlers, which are not operations on the graph (shared
// design, "REST is stored operations").
var handlerPaths = []string{
	"/graphql", "/healthz", "/readyz", "/metrics", "/debug/pprof/*", "/docs", "/docs/", "/docs/docs.js", "/docs/swagger-ui.css", "/docs/swagger-ui-bundle.js", "/favicon.ico", "/redoc",
	"/openapi/openapi.json", "/mcp", "/llms.txt", "/schema.graphqls",
	"/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp",
	"/api/public/auth/session", "/api/public/auth/workspaces", "/api/public/auth/oidc",
	"/api/public/auth/oidc/callback", "/api/public/auth/invite", "/api/public/auth/invite/accept",
	"/api/public/auth/password", "/api/public/auth/password/forgotten", "/api/public/setup",
	"/l/{slug}", "/l/static/*", "/brand/logo/{id}", "/newsroom/{slug}", "/newsroom/{slug}/feed.atom", "/api/public/links/{slug}/views", "/api/public/links/{slug}/conversions",
	"/api/public/links/{slug}/submissions",
	"/api/v1/documents/{doc_id}/original", "/api/v1/jobs/{job_id}/file",
	"/playground", "/playground/*", "/guide", "/guide/*", "/", "/console", "/console/*",
}

// TestRoutes/all_are_operations fails on a route that is neither a stored operation nor a known
// handler.
func TestRoutes(t *testing.T) {
	t.Parallel()
	t.Run("all_are_operations", func(t *testing.T) {
		app := kit.Stacks(t)[0].Start(t)
		routes, err := app.Routes()
		if err != nil {
			t.Fatal(err)
		}
		var stored []string
		for _, op := range app.Stored() {
			stored = append(stored, op.Rule.Method+" "+op.Rule.Path)
			if op.When != nil {
				stored = append(stored, op.Rule.Method+" "+op.Rule.Path+"/"+strings.ReplaceAll(op.Rule.When, "_", "-"))
			}
		}
		for _, route := range routes {
			method, path, _ := strings.Cut(route, " ")
			path = strings.ReplaceAll(path, "/*/", "/")
			read := strings.Replace(method, "HEAD", "GET", 1) + " " + path
			if !slices.Contains(handlerPaths, path) && !slices.Contains(stored, read) {
				t.Errorf("%s is not in rest/operations", route)
			}
		}
		if len(routes) < len(stored) {
			t.Errorf("%d routes for %d operations", len(routes), len(stored))
		}
	})
}

// TestLists_accept_their_largest_page requests the documented maximum page of every list in the
// OpenAPI document: no limit of the graph may reject it.
func TestLists_accept_their_largest_page(t *testing.T) {
	t.Parallel()
	a := newAttack(t, kit.Stacks(t)[0].Start(t))
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

// TestRoutes_console requests the console of a program that is no release, whose files are in a
// folder of the settings.
func TestRoutes_console(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "index.html"),
		[]byte("<!doctype html><head><title>Built</title></head>"), 0o600); err != nil {
		t.Fatal(err)
	}
	built := kit.Stacks(t)[0].StartChanged(t, func(c *app.Config) { c.Console = folder })
	if got := built.Do(t, http.MethodGet, "/console/", nil, ""); got.Status != http.StatusOK ||
		!strings.Contains(string(got.Body), "<title>Built") {
		t.Errorf("the console returns %d: %s", got.Status, got.Body)
	}
}
