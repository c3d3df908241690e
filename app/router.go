package app

import (
	"context"
	"crypto/subtle"
	"net"
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"rostrum/coding"
	"rostrum/domain/link/page"
	"rostrum/errs"
	"rostrum/rest"
)

// router puts the doors on their paths.
func (a *App) router() (http.Handler, error) {
	r := chi.NewRouter()
	r.Use(coding.Handler(a.refuseCoding))
	r.With(rest.RequestID, rest.CrossOrigin).Handle("/graphql", a.graph)
	for _, method := range []string{http.MethodGet, http.MethodHead} {
		r.Method(method, "/l/{slug}", a.links)
		r.Method(method, page.StaticPath+"*", page.Static())
	}
	r.Get("/healthz", func(w http.ResponseWriter, _ *http.Request) { writeText(w, http.StatusOK, "ok") })
	r.Get("/readyz", a.ready)
	r.Handle("/metrics", a.operator(promhttp.Handler(), true))
	return r, a.rest.Mount(r)
}

// refuseCoding answers who takes neither a coding of ours nor a body without one, each door in its own way.
func (a *App) refuseCoding(w http.ResponseWriter, r *http.Request) {
	refuse := a.rest.Refuse
	if r.URL.Path == "/graphql" {
		refuse = a.graph.Refuse
	}
	err := errs.New(errs.NotAcceptable, "accept %s, or a body without a content coding", coding.Names())
	rest.RequestID(rest.CrossOrigin(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { refuse(w, r, err) }))).ServeHTTP(w, r)
}

// ready answers 200 when requests can be served: the database answers. Redis being down is said and is no reason to turn callers away.
func (a *App) ready(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), 2*time.Second)
	defer cancel()
	if err := a.db.PingContext(ctx); err != nil {
		writeText(w, http.StatusServiceUnavailable, "the database does not answer")
		return
	}
	if err := a.live.Client().Ping(ctx).Err(); err != nil {
		writeText(w, http.StatusOK, "ready; redis does not answer, live streams read the database")
		return
	}
	writeText(w, http.StatusOK, "ready")
}

func writeText(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(text + "\n"))
}

// operator lets through who sends the admin key, and callers on loopback where that is said.
func (a *App) operator(next http.Handler, loopback bool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		given := r.Header.Get("X-Admin-Key")
		allowed := a.config.AdminKey != "" && subtle.ConstantTimeCompare([]byte(given), []byte(a.config.AdminKey)) == 1
		if !allowed && !(loopback && fromLoopback(r)) {
			writeText(w, errs.Lookup(errs.NotFound).Status, "not found")
			return
		}
		next.ServeHTTP(w, r)
	})
}

func fromLoopback(r *http.Request) bool {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	return err == nil && net.ParseIP(host).IsLoopback() && r.Header.Get("X-Forwarded-For") == ""
}
