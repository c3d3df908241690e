package app

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"rostrum/rest"
)

// CheckResponse reports whether a REST answer is what the OpenAPI document says of its operation.
func (a *App) CheckResponse(r *http.Request, status int, header http.Header, body []byte) error {
	return a.rest.CheckResponse(r, status, header, body)
}

// Operations gives the text of every stored operation by its name.
func (a *App) Operations() map[string]string { return a.rest.Operations() }

// Routes gives every route of the program as "METHOD /path".
func (a *App) Routes() ([]string, error) {
	var routes []string
	err := chi.Walk(a.handler.(chi.Routes), func(method, path string, _ http.Handler, _ ...func(http.Handler) http.Handler) error { //nolint:forcetypeassert // router made it
		routes = append(routes, method+" "+path)
		return nil
	})
	return routes, err
}

// Shapes gives the route that each stored operation is, by its name.
func (a *App) Shapes() map[string]rest.Shape { return a.rest.Shapes() }
