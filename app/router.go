package app

import (
	"context"
	"crypto/subtle"
	"errors"
	"log/slog"
	"net/http"
	"net/http/pprof"
	"os"
	"time"

	"github.com/go-chi/chi/v5"

	"rostrum/domain/link/page"
	"rostrum/errs"
	"rostrum/graph/transport"
	"rostrum/model"
	"rostrum/platform/web"
	"rostrum/rest"
)

// newRouter routes paths to handlers.
func (a *App) newRouter() (http.Handler, error) {
	r := chi.NewRouter()
	r.Use(a.observeRequests, web.PaceBodies, a.bodies.Limit, setSecurityHeaders, web.Compress, transport.AcceptBearer)
	r.With(rest.RequestID, rest.CrossOrigin).Handle("/graphql", a.graph)
	newsroom := a.limitPublic(http.HandlerFunc(a.links.ServeNewsroom))
	for _, method := range []string{http.MethodGet, http.MethodHead} {
		r.Method(method, "/l/{slug}", a.links)
		r.Method(method, page.StaticPath+"*", page.Static())
		r.Method(method, model.LogoPath+"{id}", a.brands)
		r.Method(method, model.NewsroomPath+"{slug}", newsroom)
		r.Method(method, model.NewsroomPath+"{slug}/"+page.FeedName, newsroom)
	}
	r.Method(http.MethodPost, "/l/{slug}", a.links) // the password of a link
	r.Get("/healthz", func(w http.ResponseWriter, _ *http.Request) { writeText(w, http.StatusOK, "ok") })
	r.Get("/readyz", a.serveReady)
	r.Handle("/metrics", a.requireAdmin(a.serveMetrics()))
	r.Method(http.MethodGet, profilePath+"*", a.requireAdminKey(http.HandlerFunc(serveProfile)))
	return r, a.rest.Mount(r)
}

// setSecurityHeaders sets the headers of every response. Pages and links set another
// Referrer-Policy.
func setSecurityHeaders(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header["X-Content-Type-Options"] = noSniff
		header["Referrer-Policy"] = noReferrer
		next.ServeHTTP(w, r)
	})
}

var noSniff, noReferrer = []string{"nosniff"}, []string{"no-referrer"}

// serveReady responds with 200 if the process serves requests, the database answers and the data
// directory accepts files. It reports an unavailable Redis, but that does not prevent service and is
// known without a request to it.
func (a *App) serveReady(w http.ResponseWriter, r *http.Request) {
	if a.draining.Load() {
		writeText(w, http.StatusServiceUnavailable, "shutting down")
		return
	}
	if outdated := a.outdated.Load(); outdated != nil {
		writeText(w, http.StatusServiceUnavailable, outdated.Message)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), 2*time.Second)
	defer cancel()
	if err := a.db.Ping(ctx); err != nil {
		writeText(w, http.StatusServiceUnavailable, "the database does not answer")
		return
	}
	if err := checkWritable(a.config.DataDir); err != nil {
		slog.ErrorContext(r.Context(), "the data directory is not writable", "error", err)
		writeText(w, http.StatusServiceUnavailable, "the data directory is not writable; its disk may be full")
		return
	}
	if !a.live.Connected() {
		writeText(w, http.StatusOK, "ready; redis does not answer, live streams read the database")
		return
	}
	writeText(w, http.StatusOK, "ready")
}

// probeBytes is the size of the file that checkWritable writes: more than a full disk accepts.
const probeBytes = 16 << 10

// checkWritable writes and removes a file in the folder. It returns an error if that fails, for
// example on a full disk.
func checkWritable(folder string) error {
	file, err := os.CreateTemp(folder, "ready-*")
	if err != nil {
		return err
	}
	_, err = file.Write(make([]byte, probeBytes))
	return errors.Join(err, file.Close(), os.Remove(file.Name()))
}

// profilePath is the path of Go's profiles.
const profilePath = "/debug/pprof/"

// serveProfile serves a profile of the process, or the list of all.
func serveProfile(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path[len(profilePath):] {
	case "profile":
		pprof.Profile(w, r)
	case "trace":
		pprof.Trace(w, r)
	default:
		pprof.Index(w, r)
	}
}

func writeText(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(text + "\n"))
}

// requireAdmin allows requests with the admin key, and all requests with ROSTRUM_OPEN_METRICS.
func (a *App) requireAdmin(next http.Handler) http.Handler {
	if a.config.OpenMetrics {
		return next
	}
	return a.requireAdminKey(next)
}

// requireAdminKey allows requests with the admin key. The client's address decides nothing, because a
// proxy on this machine may add no header.
func (a *App) requireAdminKey(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		given := r.Header.Get("X-Admin-Key")
		if a.config.AdminKey == "" || subtle.ConstantTimeCompare([]byte(given), []byte(a.config.AdminKey)) != 1 {
			writeText(w, errs.Lookup(errs.NotFound).Status, "not found")
			return
		}
		next.ServeHTTP(w, r)
	})
}
