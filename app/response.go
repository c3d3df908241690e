package app

import "net/http"

// CheckResponse reports whether a REST answer is what the OpenAPI document says of its operation.
func (a *App) CheckResponse(r *http.Request, status int, header http.Header, body []byte) error {
	return a.rest.CheckResponse(r, status, header, body)
}
