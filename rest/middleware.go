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

var goodRequestID = regexp.MustCompile(`^[A-Za-z0-9._:-]{1,128}$`)

// RequestID echoes the caller's request id in X-Request-Id, or makes one; an id that an outer handler has set is kept.
// chi's middleware.GetReqID finds it in the request's context.
func RequestID(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := requestIDOf(r.Context())
		if id == "" {
			id = askedRequestID(r)
		}
		w.Header().Set(requestIDHeader, id)
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), middleware.RequestIDKey, id)))
	})
}

func askedRequestID(r *http.Request) string {
	if id := r.Header.Get(requestIDHeader); goodRequestID.MatchString(id) {
		return id
	}
	return rand.Text()
}

func requestIDOf(ctx context.Context) string { return middleware.GetReqID(ctx) }

// recovered turns a panic into a problem document and logs it; one that comes after the first byte cuts the connection.
func (a *Adapter) recovered(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		out := middleware.NewWrapResponseWriter(w, r.ProtoMajor)
		defer func() {
			switch cause := recover(); {
			case cause == nil:
			case cause == http.ErrAbortHandler:
				panic(cause)
			default:
				a.log.ErrorContext(r.Context(), "a REST handler panicked",
					"panic", cause, "request_id", requestIDOf(r.Context()), "stack", string(debug.Stack()))
				if out.Status() != 0 {
					panic(http.ErrAbortHandler)
				}
				a.fail(w, r, errs.New(errs.Internal, "something went wrong on our side"))
			}
		}()
		next.ServeHTTP(out, r)
	})
}

// methodNotAllowed says which methods the path takes; to OPTIONS that is the answer.
func (a *Adapter) methodNotAllowed(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Allow", strings.Join(a.allowed(chi.RouteContext(r.Context()).RoutePath), ", "))
	if r.Method == http.MethodOptions {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	a.fail(w, r, errs.New(errs.MethodNotAllowed, "this path does not take %s", r.Method))
}

func (a *Adapter) allowed(path string) []string {
	methods := []string{http.MethodOptions}
	for _, method := range crossOrigin.AllowedMethods {
		if a.mux.Match(chi.NewRouteContext(), method, path) {
			methods = append(methods, method)
		}
	}
	return methods
}

// write sends the last of an answer; a client that has gone is not an error worth more than a debug line.
func (a *Adapter) write(w http.ResponseWriter, r *http.Request, text []byte) {
	if _, err := w.Write(text); err != nil {
		a.log.DebugContext(r.Context(), "an answer was not taken", "error", err, "request_id", requestIDOf(r.Context()))
	}
}
