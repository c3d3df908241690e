package rest

import (
	"context"
	"net/http"
	"time"

	"rostrum/platform/web"
	"rostrum/rest/openapi"
)

// handlerRoute is a route with its own handler instead of a stored operation.
type handlerRoute struct {
	openapi.Handler
	serve func(w http.ResponseWriter, r *http.Request) error
	// fail writes an error; nil writes a problem document
	fail func(w http.ResponseWriter, r *http.Request, err error)
}

// handlerTime limits a request to a handlerRoute.
const handlerTime = 30 * time.Second

// serveHandler returns the HTTP handler of a route; its errors become problem documents as on any
// route unless the route writes them itself.
func (a *Adapter) serveHandler(h *handlerRoute) http.HandlerFunc {
	described := a.document.Operation(h.Method, h.Path)
	fail := h.fail
	if fail == nil {
		fail = a.writeProblem
	}
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		setIgnored(w.Header(), described, r)
		ctx, cancel := context.WithTimeout(r.Context(), handlerTime)
		defer cancel()
		r = r.WithContext(ctx)
		err := a.config.Limit(r.Context(), w.Header(), r) // of the client's address
		if err == nil && h.Request != nil {
			err = web.CheckEncoding(r.Header)
		}
		if err == nil {
			err = h.serve(w, r)
		}
		if err != nil {
			fail(w, r, err)
		}
	}
}
