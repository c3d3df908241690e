package rest_test

import (
	"bytes"
	"crypto/sha512"
	"encoding/base64"
	"html"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/go-chi/chi/v5"

	"rostrum/graph/generated"
	"rostrum/rest"
)

// newPageRouter mounts an adapter without a graph, with the playground's files from modules.
func newPageRouter(t *testing.T, modules fs.FS) *chi.Mux {
	t.Helper()
	return newPages(t, modules, nil)
}

func newPages(t *testing.T, modules fs.FS, log *slog.Logger) *chi.Mux {
	t.Helper()
	schema := generated.NewExecutableSchema(generated.Config{}).Schema()
	adapter, err := rest.New(rest.Config{Schema: schema, PublicURL: "https://rostrum.example", Modules: modules,
		Logger: log})
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

var (
	loaded    = regexp.MustCompile(`(?:src|href)="((?:https:/)?/[^"]+\.(?:js|css))"`)
	integrity = regexp.MustCompile(`npm/([a-z-]+)@[0-9.]+/([^"]+)" integrity="([^"]+)"`)
)

func installedModules() fstest.MapFS {
	return fstest.MapFS{
		"graphiql/graphiql.min.css":                   {Data: []byte("a{}")},
		"graphiql/graphiql.min.js":                    {Data: []byte("1")},
		"react/umd/react.production.min.js":           {Data: []byte("2")},
		"react-dom/umd/react-dom.production.min.js":   {Data: []byte("3")},
		"react-dom/umd/react-dom.production.min.js.x": {Data: []byte("not served")},
	}
}

func TestPages(t *testing.T) {
	t.Parallel()
	router := newPageRouter(t, installedModules())
	for _, path := range []string{"/docs", "/docs/", "/playground"} {
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

// TestDocs loads what the page of the REST API loads: its own host's files alone, and no inline script.
func TestDocs(t *testing.T) {
	t.Parallel()
	router := newPageRouter(t, nil)
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
	t.Run("installed files come from this host alone", func(t *testing.T) {
		t.Parallel()
		router := newPageRouter(t, installedModules())
		page := fetchPage(router, "/playground")
		files := loaded.FindAllStringSubmatch(page.Body.String(), -1)
		if len(files) != 6 {
			t.Fatalf("the page loads %v", files)
		}
		for _, file := range files {
			if w := fetchPage(router, file[1]); w.Code != 200 {
				t.Errorf("%s returns %d", file[1], w.Code)
			}
		}
		if strings.Contains(page.Body.String(), "https://") ||
			strings.Contains(page.Header().Get("Content-Security-Policy"), "https://") {
			t.Error("the page contains another host")
		}
		if w := fetchPage(router, "/playground/modules/react-dom/umd/react-dom.production.min.js.x"); w.Code != 404 {
			t.Errorf("an unlisted file returns %d", w.Code)
		}
	})
	for name, target := range map[string]string{"dangling": "nowhere", "looping": "node_modules"} {
		t.Run("a "+name+" link is a warning and the CDN is used", func(t *testing.T) {
			t.Parallel()
			folder := filepath.Join(t.TempDir(), "node_modules")
			if err := os.Symlink(target, folder); err != nil {
				t.Fatal(err)
			}
			var log bytes.Buffer
			router := newPages(t, os.DirFS(folder), slog.New(slog.NewTextHandler(&log, nil)))
			if page := fetchPage(router, "/playground"); page.Code != 200 ||
				!integrity.MatchString(html.UnescapeString(page.Body.String())) {
				t.Errorf("the page is %d %s", page.Code, page.Body)
			}
			if !strings.Contains(log.String(), "level=WARN") {
				t.Errorf("the log is %q", log.String())
			}
		})
	}
	t.Run("without them the CDN's copies must match the pinned ones", func(t *testing.T) {
		t.Parallel()
		body := fetchPage(newPageRouter(t, fstest.MapFS{}), "/playground").Body.String()
		pinned := integrity.FindAllStringSubmatch(html.UnescapeString(body), -1)
		if len(pinned) != 4 {
			t.Fatalf("the page loads %v", loaded.FindAllString(body, -1))
		}
		installed := os.DirFS("../asset/playground/node_modules")
		for _, file := range pinned {
			text, err := fs.ReadFile(installed, file[1]+"/"+file[2])
			if err != nil {
				t.Skip("nothing to compare with: run npm ci in playground first")
			}
			sum := sha512.Sum384(text)
			if want := "sha384-" + base64.StdEncoding.EncodeToString(sum[:]); file[3] != want {
				t.Errorf("%s/%s is %s, want %s", file[1], file[2], want, file[3])
			}
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

func newConsoleRouter(t *testing.T, files fs.FS, offersOIDC bool) *chi.Mux {
	t.Helper()
	schema := generated.NewExecutableSchema(generated.Config{}).Schema()
	adapter, err := rest.New(rest.Config{Schema: schema, PublicURL: "https://rostrum.example", Console: files,
		OffersOIDC: offersOIDC})
	if err != nil {
		t.Fatal(err)
	}
	router := chi.NewRouter()
	if err := adapter.Mount(router); err != nil {
		t.Fatal(err)
	}
	return router
}

func TestConsole(t *testing.T) {
	t.Parallel()
	router := newConsoleRouter(t, builtConsole(), false)
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
			w := fetchPage(newConsoleRouter(t, builtConsole(), offers), "/console/")
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
		if w := fetchPage(newConsoleRouter(t, nil, false), "/console/documents"); w.Code != 404 ||
			!strings.Contains(w.Body.String(), "make console") {
			t.Errorf("the response is %d %s", w.Code, w.Body)
		}
	})
}
