package rest

import (
	"context"
	"crypto/rand"
	"net/http"
	"regexp"
	"runtime/debug"
	"strings"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"rostrum/errs"
)

const requestIDHeader = "X-Request-Id"

var validRequestID = regexp.MustCompile(`^[A-Za-z0-9._:-]{1,128}$`)

// RequestID sends the client's request ID back in X-Request-Id, or a new one; an ID that an outer
// handler has set is kept. chi's middleware.GetReqID returns it from the request's context.
func RequestID(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := requestIDOf(r.Context())
		if id == "" {
			id = requestIDFromHeader(r)
		}
		w.Header().Set(requestIDHeader, id)
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), middleware.RequestIDKey, id)))
	})
}

func requestIDFromHeader(r *http.Request) string {
	if id := r.Header.Get(requestIDHeader); validRequestID.MatchString(id) {
		return id
	}
	return rand.Text()
}

func requestIDOf(ctx context.Context) string { return middleware.GetReqID(ctx) }

// recoverPanics logs a panic and responds with a problem document; after the first byte it aborts
// the connection.
func (a *Adapter) recoverPanics(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		out := middleware.NewWrapResponseWriter(w, r.ProtoMajor)
		defer func() {
			switch cause := recover(); cause {
			case nil:
			case http.ErrAbortHandler:
				panic(cause)
			default:
				a.logPanic(r.Context(), cause, debug.Stack())
				if out.Status() != 0 {
					panic(http.ErrAbortHandler)
				}
				a.writeProblem(w, r, errs.New(errs.Internal, "something went wrong on our side"))
			}
		}()
		next.ServeHTTP(out, r)
	})
}

func (a *Adapter) logPanic(ctx context.Context, cause any, stack []byte) {
	a.log.ErrorContext(ctx, "a REST handler panicked", "panic", cause, "request_id", requestIDOf(ctx),
		"stack", string(stack))
}

// methodNotAllowed lists the path's methods in Allow. OPTIONS receives them as a success.
func (a *Adapter) methodNotAllowed(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Allow", strings.Join(a.allowedMethods(chi.RouteContext(r.Context()).RoutePath), ", "))
	if r.Method == http.MethodOptions {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	a.writeProblem(w, r, errs.New(errs.MethodNotAllowed, "this path does not support %s", r.Method))
}

func (a *Adapter) allowedMethods(path string) []string {
	methods := []string{http.MethodOptions}
	for _, method := range crossOrigin.AllowedMethods {
		if a.mux.Match(chi.NewRouteContext(), method, path) {
			methods = append(methods, method)
		}
	}
	return methods
}

// writeBody writes the last part of a response. A write error means that the client has
// disconnected and is logged at debug level.
func (a *Adapter) writeBody(w http.ResponseWriter, r *http.Request, text []byte) {
	if _, err := w.Write(text); err != nil {
		a.log.DebugContext(r.Context(), "writing a response failed", "error", err, "request_id",
			requestIDOf(r.Context()))
	}
}
