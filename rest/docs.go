package rest

import (
	"embed"
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"
	"github.com/swaggest/swgui/v5emb"
)

//go:embed page/docs.html page/docs.js
var docsFiles embed.FS

// docsModules are the files of Swagger UI that the page loads. They are part of the program, so that
// the page needs neither npm nor a network.
var docsModules = []string{"swagger-ui.css", "swagger-ui-bundle.js"}

// mountDocs adds the reference of the REST API, which sends requests with their examples. #key=…
// fills in the key. /redoc, which the specification names too, leads to it.
func mountDocs(r chi.Router, publicURL string) {
	guard := docsPolicy(publicURL)
	page, _ := docsFiles.ReadFile("page/docs.html")
	script, _ := docsFiles.ReadFile("page/docs.js")
	for _, path := range []string{"/docs", "/docs/"} {
		getAndHead(r, path, guard(staticPage(page, "text/html; charset=utf-8")))
	}
	getAndHead(r, "/docs/docs.js", guard(staticPage(script, "text/javascript; charset=utf-8")))
	modules := guard(v5emb.New("Rostrum", documentPath, "/docs/"))
	for _, name := range docsModules {
		getAndHead(r, "/docs/"+name, modules)
	}
	getAndHead(r, "/redoc", guard(http.RedirectHandler("/docs", http.StatusPermanentRedirect)))
}

// docsPolicy allows scripts of this server only, the styles that Swagger UI sets on elements, and
// requests to the server that the document names.
func docsPolicy(publicURL string) func(http.Handler) http.HandlerFunc {
	return withPolicy("script-src 'self'", "style-src 'self' 'unsafe-inline'", "img-src 'self' data:",
		strings.TrimSpace("connect-src 'self' "+publicURL))
}
