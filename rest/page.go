package rest

import (
	_ "embed" // favicon.ico
	"net/http"
	"strconv"
	"strings"

	"github.com/go-chi/chi/v5"

	"rostrum/platform/web"
)

const documentPath = "/openapi/openapi.json"

//go:embed page/favicon.ico
var favicon []byte

// mountPages adds the OpenAPI document and the pages, which are public.
func (a *Adapter) mountPages(r chi.Router) error {
	getAndHead(r, documentPath, a.serveDocument)
	getAndHead(r, "/favicon.ico", staticPage(favicon, "image/x-icon").ServeHTTP)
	mountDocs(r, a.config.PublicURL)
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

// staticPage returns a handler for a body that is constant for the life of the process.
func staticPage(text []byte, media string) http.Handler {
	return cachedFile(text, media, revalidated)
}

// revalidated is the Cache-Control of what clients keep and ask about each time.
const revalidated = "public, no-cache"

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
