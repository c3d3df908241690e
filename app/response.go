package app

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"rostrum/rest/stored"
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

// Stored returns every stored operation by name, as REST runs it.
func (a *App) Stored() map[string]*stored.Operation { return a.rest.Stored() }
