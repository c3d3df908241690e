package rest_test

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/go-chi/chi/v5"

	"rostrum/graph/generated"
	"rostrum/rest"
)

// newPageRouter mounts an adapter without a graph, with the built files of the config.
func newPageRouter(t *testing.T, config rest.Config) *chi.Mux {
	t.Helper()
	config.Schema = generated.NewExecutableSchema(generated.Config{}).Schema()
	config.PublicURL = "https://rostrum.example"
	adapter, err := rest.New(config)
	if err != nil {
		t.Fatal(err)
	}
	router := chi.NewRouter()
	if err := adapter.Mount(router); err != nil {
		t.Fatal(err)
	}
	return router
}

func fetchPage(router *chi.Mux, path string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	router.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
	return w
}

// builtPlayground returns files as Vite names them.
func builtPlayground() fstest.MapFS {
	return fstest.MapFS{
		"index.html":                   {Data: []byte(`<!doctype html><html lang="en"><title>Playground</title></html>`)},
		"assets/index-B4LE.js":         {Data: []byte("export {}")},
		"assets/editor.worker-B4LE.js": {Data: []byte("export {}")},
	}
}

func TestPages(t *testing.T) {
	t.Parallel()
	router := newPageRouter(t, rest.Config{Playground: builtPlayground(), Guide: builtGuide()})
	for _, path := range []string{"/docs", "/docs/", "/playground", "/playground/", "/guide/", "/guide/search"} {
		w := fetchPage(router, path)
		if !strings.Contains(w.Body.String(), `<html lang="en">`) {
			t.Errorf("%s does not name its language", path)
		}
		if w.Code != 200 || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/html") {
			t.Errorf("%s returns %d %v", path, w.Code, w.Header())
		}
		policy := w.Header().Get("Content-Security-Policy")
		if !strings.Contains(policy, "frame-ancestors 'none'") ||
			w.Header().Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s is sent with %v", path, w.Header())
		}
	}
	if w := fetchPage(router, "/redoc"); w.Code != http.StatusPermanentRedirect || w.Header().Get("Location") != "/docs" {
		t.Errorf("/redoc returns %d %v", w.Code, w.Header())
	}
	if w := fetchPage(router, "/favicon.ico"); w.Code != 200 ||
		http.DetectContentType(w.Body.Bytes()) != "image/x-icon" {
		t.Errorf("the icon is %d %v", w.Code, w.Header())
	}
}

// loaded matches a script or a style sheet that a page loads.
var loaded = regexp.MustCompile(`(?:src|href)="((?:https:/)?/[^"]+\.(?:js|css))"`)

// TestDocs loads what the page of the REST API loads: its own host's files alone, and no inline script.
func TestDocs(t *testing.T) {
	t.Parallel()
	router := newPageRouter(t, rest.Config{})
	page := fetchPage(router, "/docs")
	files := loaded.FindAllStringSubmatch(page.Body.String(), -1)
	if len(files) != 3 {
		t.Fatalf("the page loads %v", files)
	}
	for _, file := range files {
		if w := fetchPage(router, file[1]); w.Code != 200 || w.Body.Len() == 0 {
			t.Errorf("%s returns %d with %d bytes", file[1], w.Code, w.Body.Len())
		}
	}
	policy := page.Header().Get("Content-Security-Policy")
	if !strings.Contains(policy, "script-src 'self';") || strings.Contains(page.Body.String(), "<script>") {
		t.Errorf("scripts are allowed by %q", policy)
	}
}

func TestPlayground(t *testing.T) {
	t.Parallel()
	router := newPageRouter(t, rest.Config{Playground: builtPlayground()})
	policy := fetchPage(router, "/playground").Header().Get("Content-Security-Policy")
	if !strings.Contains(policy, "script-src 'self';") || !strings.Contains(policy, "worker-src 'self';") ||
		strings.Contains(policy, "https:") {
		t.Errorf("the policy is %s", policy)
	}
	for path, status := range map[string]int{"/playground/assets/editor.worker-B4LE.js": 200,
		"/playground/assets/editor.worker-OLD.js": 404, "/playground/unknown": 404} {
		if w := fetchPage(router, path); w.Code != status {
			t.Errorf("%s returns %d, want %d", path, w.Code, status)
		}
	}
	if w := fetchPage(newPageRouter(t, rest.Config{}), "/playground"); w.Code != 404 ||
		!strings.Contains(w.Body.String(), "make playground") {
		t.Errorf("without its files the response is %d %s", w.Code, w.Body)
	}
}

// builtGuide returns files as VitePress names them.
func builtGuide() fstest.MapFS {
	return fstest.MapFS{
		"index.html": {Data: []byte(
			`<!doctype html><html lang="en"><script src="a.js"></script><script id="a">dark()</script></html>`)},
		"search.html": {Data: []byte(`<!doctype html><html lang="en"><script>mac()</script></html>`)},
		"404.html":    {Data: []byte(`<!doctype html><html lang="en"><title>404</title></html>`)},
	}
}

func TestGuide(t *testing.T) {
	t.Parallel()
	router := newPageRouter(t, rest.Config{Guide: builtGuide()})
	t.Run("the policy allows the inline scripts of the pages by their hashes", func(t *testing.T) {
		t.Parallel()
		var hashes []string
		for _, script := range []string{"dark()", "mac()"} {
			sum := sha256.Sum256([]byte(script))
			hashes = append(hashes, " 'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'")
		}
		slices.Sort(hashes)
		want := "script-src 'self'" + strings.Join(hashes, "") + ";"
		for _, path := range []string{"/guide/", "/guide/search"} {
			if policy := fetchPage(router, path).Header().Get("Content-Security-Policy"); !strings.Contains(policy, want) {
				t.Errorf("%s has the policy %s, want %s", path, policy, want)
			}
		}
	})
	t.Run("what is not there has the page for that", func(t *testing.T) {
		t.Parallel()
		if w := fetchPage(router, "/guide/unknown"); w.Code != 404 || !strings.Contains(w.Body.String(), "<title>404") ||
			!strings.HasPrefix(w.Header().Get("Content-Type"), "text/html") {
			t.Errorf("the response is %d %v %s", w.Code, w.Header(), w.Body)
		}
	})
	t.Run("without its files the response names the command", func(t *testing.T) {
		t.Parallel()
		if w := fetchPage(newPageRouter(t, rest.Config{}), "/guide/"); w.Code != 404 ||
			!strings.Contains(w.Body.String(), "make guide") {
			t.Errorf("the response is %d %s", w.Code, w.Body)
		}
	})
}

// builtConsole returns files as Vite names them.
func builtConsole() fstest.MapFS {
	return fstest.MapFS{
		"index.html":           {Data: []byte("<!doctype html><head><title>Rostrum</title></head>")},
		"assets/index-B4LE.js": {Data: []byte("export {}")},
		"robots.txt":           {Data: []byte("User-agent: *")},
	}
}

func TestConsole(t *testing.T) {
	t.Parallel()
	router := newPageRouter(t, rest.Config{Console: builtConsole()})
	t.Run("the page is the answer to every path of a screen", func(t *testing.T) {
		t.Parallel()
		for _, path := range []string{"/console/", "/console/documents", "/console/documents/doc_1"} {
			w := fetchPage(router, path)
			policy := w.Header().Get("Content-Security-Policy")
			if w.Code != 200 || !strings.Contains(w.Body.String(), "<title>Rostrum") ||
				w.Header().Get("Cache-Control") != "public, no-cache" || w.Header().Get("ETag") == "" {
				t.Errorf("%s returns %d %v", path, w.Code, w.Header())
			}
			if !strings.Contains(policy, "script-src 'self';") || !strings.Contains(policy, "connect-src 'self'") ||
				strings.Contains(policy, "unsafe-eval") {
				t.Errorf("the policy of %s is %s", path, policy)
			}
		}
	})
	t.Run("the page names the sign-in by OpenID Connect where there is one", func(t *testing.T) {
		t.Parallel()
		for offers, count := range map[bool]int{true: 1, false: 0} {
			w := fetchPage(newPageRouter(t, rest.Config{Console: builtConsole(), OffersOIDC: offers}), "/console/")
			if got := strings.Count(w.Body.String(),
				`<meta name="oidc" content="/api/public/auth/oidc"></head>`); got != count {
				t.Errorf("%t: the page is %s", offers, w.Body)
			}
		}
	})
	t.Run("a file with a hash is cached for good", func(t *testing.T) {
		t.Parallel()
		w := fetchPage(router, "/console/assets/index-B4LE.js")
		if w.Code != 200 || w.Header().Get("Cache-Control") != "public, max-age=31536000, immutable" ||
			!strings.HasPrefix(w.Header().Get("Content-Type"), "text/javascript") {
			t.Errorf("the file returns %d %v", w.Code, w.Header())
		}
		if w := fetchPage(router, "/console/robots.txt"); w.Code != 200 ||
			w.Header().Get("Cache-Control") != "public, no-cache" {
			t.Errorf("a file without a hash returns %d %v", w.Code, w.Header())
		}
	})
	t.Run("a file of an earlier build is not found", func(t *testing.T) {
		t.Parallel()
		if w := fetchPage(router, "/console/assets/index-OLD.js"); w.Code != 404 {
			t.Errorf("the file returns %d", w.Code)
		}
	})
	t.Run("the root leads to it", func(t *testing.T) {
		t.Parallel()
		for _, path := range []string{"/", "/console"} {
			if w := fetchPage(router, path); w.Code != 303 || w.Header().Get("Location") != "/console/" {
				t.Errorf("%s returns %d %v", path, w.Code, w.Header())
			}
		}
	})
	t.Run("without its files the response names the command", func(t *testing.T) {
		t.Parallel()
		if w := fetchPage(newPageRouter(t, rest.Config{}), "/console/documents"); w.Code != 404 ||
			!strings.Contains(w.Body.String(), "make console") {
			t.Errorf("the response is %d %s", w.Code, w.Body)
		}
	})
}
