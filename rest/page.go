package rest

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/go-chi/chi/v5"
	"github.com/mvrilo/go-redoc"
	"github.com/swaggest/swgui/v5emb"
)

const documentPath = "/openapi/openapi.json"

// mountPages adds the OpenAPI document and the pages; none of them asks for a key.
func (a *Adapter) mountPages(r chi.Router) error {
	redocPage, err := redoc.Redoc{Title: "Rostrum", Description: "Rostrum's REST API", SpecPath: documentPath}.Body()
	if err != nil {
		return err
	}
	play, err := newPlayground(a.config.Modules)
	if err != nil {
		return err
	}
	get(r, documentPath, a.serveDocument)
	guard := docsPolicy(a.config.PublicURL)
	get(r, "/docs", http.RedirectHandler("/docs/", http.StatusMovedPermanently).ServeHTTP)
	get(r, "/docs/*", guard(v5emb.New("Rostrum", documentPath, "/docs/")))
	get(r, "/redoc", guard(staticPage(redocPage, "text/html; charset=utf-8")))
	play.mount(r)
	return nil
}

func get(r chi.Router, path string, handler http.HandlerFunc) {
	r.Get(path, handler)
	r.Head(path, handler)
}

// policy sets what a page may load and do, and that no other page may frame it.
func policy(directives ...string) func(http.Handler) http.HandlerFunc {
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

// docsPolicy lets both documentation pages run: they carry their scripts and styles in the page, and try requests out on the server that the document names.
func docsPolicy(publicURL string) func(http.Handler) http.HandlerFunc {
	return policy(
		"script-src 'self' 'unsafe-inline'", "style-src 'self' 'unsafe-inline'", "img-src 'self' data:", "font-src 'self' data:",
		"worker-src 'self' blob:", strings.TrimSpace("connect-src 'self' "+publicURL),
	)
}

// staticPage serves bytes that never change while the process lives.
func staticPage(text []byte, media string) http.Handler {
	tag := entityTag(text)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if sendUnchanged(w, r, tag, "public, no-cache") {
			return
		}
		w.Header().Set("Content-Type", media)
		w.Header().Set("Content-Length", strconv.Itoa(len(text)))
		if r.Method != http.MethodHead {
			_, _ = w.Write(text)
		}
	})
}
