package rest

import (
	"cmp"
	"context"
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"

	"rostrum/errs"
	"rostrum/platform/web"
	"rostrum/rest/openapi"
	"rostrum/rest/stored"
)

// handlerRoute is a route with its own handler instead of a stored operation.
type handlerRoute struct {
	openapi.Handler
	serve func(w http.ResponseWriter, r *http.Request) error
	// fail writes an error; nil writes a problem document
	fail func(w http.ResponseWriter, r *http.Request, err error)
	time time.Duration // limits a request; 0 means handlerTime
	// signedIn is whether the route needs a key or a signed-in user
	signedIn bool
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
		unknown := setIgnored(w.Header(), described, r)
		ctx, err := a.handlerContext(h, r)
		ctx, cancel := context.WithTimeout(ctx, cmp.Or(h.time, handlerTime))
		defer cancel()
		r = r.WithContext(ctx)
		err = cmp.Or(a.config.Limit(ctx, w.Header(), r), err, unknown) // of the principal or the client's address
		err = cmp.Or(err, pathError(h, r))
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

// handlerContext returns the context of a request with its principal, or the error to respond with.
func (a *Adapter) handlerContext(h *handlerRoute, r *http.Request) (context.Context, error) {
	if !h.signedIn {
		return r.Context(), nil
	}
	return a.authenticateCaller(true, r)
}

// pathError returns errs.NotFound for a name in the path that no database can store.
func pathError(h *handlerRoute, r *http.Request) error {
	for _, p := range h.Parameters {
		if p.In == stored.InPath && stored.TextError(chi.URLParam(r, p.Name)) != "" {
			return errs.New(errs.NotFound, "%s has a NUL character or is not UTF-8, so nothing has this name", p.Name)
		}
	}
	return nil
}
