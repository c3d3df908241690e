package app

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"rostrum/rest"
)

// CheckResponse returns an error if a REST response differs from the OpenAPI document.
func (a *App) CheckResponse(r *http.Request, status int, header http.Header, body []byte) error {
	return a.rest.CheckResponse(r, status, header, body)
}

// Operations returns the text of every stored operation by name.
func (a *App) Operations() map[string]string { return a.rest.Operations() }

// Routes returns every route of the program as "METHOD /path".
func (a *App) Routes() ([]string, error) {
	var routes []string
	err := chi.Walk(a.handler.(chi.Routes), func(method, path string, _ http.Handler, _ ...func(http.Handler) http.Handler) error { //nolint:forcetypeassert // router made it
		routes = append(routes, method+" "+path)
		return nil
	})
	return routes, err
}

// Shapes returns the route of each stored operation by name.
func (a *App) Shapes() map[string]rest.Shape { return a.rest.Shapes() }
