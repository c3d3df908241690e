package rest

import (
	"bytes"
	_ "embed" // favicon.ico
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/go-chi/chi/v5"
	"github.com/mvrilo/go-redoc"
	"github.com/swaggest/swgui/v5emb"

	"rostrum/platform/web"
)

const documentPath = "/openapi/openapi.json"

//go:embed page/favicon.ico
var favicon []byte

// mountPages adds the OpenAPI document and the pages, which are public. A page that cannot be built
// is logged and left out.
func (a *Adapter) mountPages(r chi.Router) error {
	getAndHead(r, documentPath, a.serveDocument)
	guard := docsPolicy(a.config.PublicURL)
	getAndHead(r, "/favicon.ico", staticPage(favicon, "image/x-icon").ServeHTTP)
	docs := guard(v5emb.New("Rostrum", documentPath, "/docs/"))
	getAndHead(r, "/docs", docs)
	getAndHead(r, "/docs/*", docs)
	if page, err := redocPage(); err != nil {
		a.log.Warn("rest: /redoc is not served because its page cannot be built", "error", err)
	} else {
		getAndHead(r, "/redoc", guard(staticPage(page, "text/html; charset=utf-8")))
	}
	if err := a.mountPlayground(r); err != nil {
		return err
	}
	if err := a.mountAgent(r); err != nil {
		return err
	}
	if err := a.mountGuide(r); err != nil {
		return err
	}
	return a.mountConsole(r)
}

// redocPage returns the page of /redoc, with its script.
var redocPage = sync.OnceValues(func() ([]byte, error) {
	page, err := redoc.Redoc{Title: "Rostrum", Description: "Rostrum's REST API", SpecPath: documentPath}.Body()
	return bytes.Replace(page, []byte("<html>"), []byte(`<html lang="en">`), 1), err
})

func getAndHead(r chi.Router, path string, handler http.HandlerFunc) {
	r.Get(path, handler)
	r.Head(path, handler)
}

// withPolicy returns a middleware that sets the Content-Security-Policy and forbids other pages to
// frame the page.
func withPolicy(directives ...string) func(http.Handler) http.HandlerFunc {
	always := []string{"default-src 'self'", "base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'"}
	text := strings.Join(append(always, directives...), "; ")
	return func(next http.Handler) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			header := w.Header()
			header.Set("Content-Security-Policy", text)
			header.Set("X-Frame-Options", "DENY")
			header.Set("X-Content-Type-Options", "nosniff")
			header.Set("Referrer-Policy", "no-referrer")
			next.ServeHTTP(w, r)
		}
	}
}

// docsPolicy allows the inline scripts and styles of the documentation pages, and requests to the
// server that the document names.
func docsPolicy(publicURL string) func(http.Handler) http.HandlerFunc {
	return withPolicy(
		"script-src 'self' 'unsafe-inline'", "style-src 'self' 'unsafe-inline'", "img-src 'self' data:",
		"font-src 'self' data:",
		"worker-src 'self' blob:", strings.TrimSpace("connect-src 'self' "+publicURL),
	)
}

// staticPage returns a handler for a body that is constant for the life of the process.
func staticPage(text []byte, media string) http.Handler {
	return cachedFile(text, media, "public, no-cache")
}

// cachedFile returns a handler for a constant body that clients may cache as control permits.
func cachedFile(text []byte, media, control string) http.Handler {
	tag := web.EntityTag(text)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if web.SendUnchanged(w, r, tag, control) {
			return
		}
		w.Header().Set("Content-Type", media)
		w.Header().Set("Content-Length", strconv.Itoa(len(text)))
		if r.Method != http.MethodHead {
			_, _ = w.Write(text)
		}
	})
}
