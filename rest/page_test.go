package rest_test

import (
	"crypto/sha512"
	"encoding/base64"
	"html"
	"io/fs"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/go-chi/chi/v5"

	"rostrum/graph/generated"
	"rostrum/rest"
)

// pages mounts an adapter that only describes itself, with the playground's files from modules.
func pages(t *testing.T, modules fs.FS) *chi.Mux {
	t.Helper()
	schema := generated.NewExecutableSchema(generated.Config{}).Schema()
	adapter, err := rest.New(rest.Config{Schema: schema, PublicURL: "https://rostrum.example", Modules: modules})
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
	router.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
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
	router := pages(t, installedModules())
	for _, path := range []string{"/docs/", "/redoc", "/playground"} {
		w := fetchPage(router, path)
		if w.Code != 200 || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/html") {
			t.Errorf("%s gives %d %v", path, w.Code, w.Header())
		}
		policy := w.Header().Get("Content-Security-Policy")
		if !strings.Contains(policy, "frame-ancestors 'none'") || w.Header().Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s is sent with %v", path, w.Header())
		}
	}
	if w := fetchPage(router, "/docs"); w.Code != 301 || w.Header().Get("Location") != "/docs/" {
		t.Errorf("/docs gives %d to %s", w.Code, w.Header().Get("Location"))
	}
}

func TestPlayground(t *testing.T) {
	t.Parallel()
	t.Run("installed files come from this host alone", func(t *testing.T) {
		t.Parallel()
		router := pages(t, installedModules())
		page := fetchPage(router, "/playground")
		files := loaded.FindAllStringSubmatch(page.Body.String(), -1)
		if len(files) != 6 {
			t.Fatalf("the page loads %v", files)
		}
		for _, file := range files {
			if w := fetchPage(router, file[1]); w.Code != 200 {
				t.Errorf("%s gives %d", file[1], w.Code)
			}
		}
		if strings.Contains(page.Body.String(), "https://") || strings.Contains(page.Header().Get("Content-Security-Policy"), "https://") {
			t.Error("the page names another host")
		}
		if w := fetchPage(router, "/playground/modules/react-dom/umd/react-dom.production.min.js.x"); w.Code != 404 {
			t.Errorf("a file that the page does not need gives %d", w.Code)
		}
	})
	t.Run("without them the CDN's copies must match the pinned ones", func(t *testing.T) {
		t.Parallel()
		body := fetchPage(pages(t, fstest.MapFS{}), "/playground").Body.String()
		pinned := integrity.FindAllStringSubmatch(html.UnescapeString(body), -1)
		if len(pinned) != 4 {
			t.Fatalf("the page loads %v", loaded.FindAllString(body, -1))
		}
		installed := os.DirFS("../playground/node_modules")
		for _, file := range pinned {
			text, err := fs.ReadFile(installed, file[1]+"/"+file[2])
			if err != nil {
				t.Skip("nothing to compare with: run npm ci in playground first")
			}
			sum := sha512.Sum384(text)
			if want := "sha384-" + base64.StdEncoding.EncodeToString(sum[:]); file[3] != want {
				t.Errorf("%s/%s is %s, not %s", file[1], file[2], want, file[3])
			}
		}
	})
}
