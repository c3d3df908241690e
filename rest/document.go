package rest

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/go-chi/chi/v5"

	"rostrum/platform/web"
	"rostrum/rest/openapi"
	"rostrum/rest/stored"
)

// cachedText is a response body that is constant for the life of the process.
type cachedText struct {
	text []byte
	etag string
}

// publishDocument sets the OpenAPI document, with the server's address. It is validated and encoded
// on first use, because few processes serve it.
func (a *Adapter) publishDocument(document openapi.Document) {
	if a.config.PublicURL != "" {
		document = document.WithServer(a.config.PublicURL)
	}
	a.document = document
	a.documentText = sync.OnceValues(func() (cachedText, error) {
		text, err := document.Encode()
		return cachedText{text, web.EntityTag(text)}, err
	})
}

// Document returns the OpenAPI 3.1 document as JSON. It returns an error when an operation's
// description is not valid OpenAPI.
func (a *Adapter) Document() ([]byte, error) {
	written, err := a.documentText()
	return slices.Clone(written.text), err
}

// CheckResponse validates a response of the API against the OpenAPI document; see
// [openapi.Document.CheckResponse]. Tests call it for every response.
func (a *Adapter) CheckResponse(r *http.Request, status int, header http.Header, body []byte) error {
	method := strings.Replace(r.Method, http.MethodHead, http.MethodGet, 1)
	pattern, found := r.URL.Path, chi.NewRouteContext()
	if path, ok := strings.CutPrefix(r.URL.EscapedPath(), "/api"); ok && a.mux.Match(found, method, path) {
		pattern = "/api" + found.RoutePattern()
	}
	for _, route := range a.stored.Selected {
		parameter := route.Operations[0].Rule.When
		on, err := strconv.ParseBool(r.URL.Query().Get(parameter))
		if err == nil && on && route.Method == method && route.Path == stored.SelectedPath(pattern, parameter) {
			pattern = route.Path
			break
		}
	}
	return a.document.CheckResponse(r.Method, pattern, status, header, body)
}

// serveDocument sends the OpenAPI document; it is public.
func (a *Adapter) serveDocument(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Access-Control-Allow-Origin", "*")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	written, err := a.documentText()
	if err != nil {
		a.writeProblem(w, r, err)
		return
	}
	if web.SendUnchanged(w, r, written.etag, "public, no-cache") {
		return
	}
	w.Header().Set("Content-Type", stored.MediaJSON)
	w.Header().Set("Content-Length", strconv.Itoa(len(written.text)))
	if r.Method != http.MethodHead {
		a.writeBody(w, r, written.text)
	}
}
