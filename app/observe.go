package app

import (
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"rostrum/rest/stored"
)

var (
	requestSeconds = promauto.NewHistogramVec(prometheus.HistogramOpts{
		Name: "rostrum_http_request_seconds", Help: "Requests until their last byte, by route, method and class of the status. Streams and sockets are counted in rostrum_http_streams_total only.",
		Buckets: []float64{.002, .01, .05, .2, 1, 5, 30},
	}, []string{"route", "method", "status"})
	streamedRequests = promauto.NewCounterVec(prometheus.CounterOpts{
		Name: "rostrum_http_streams_total", Help: "Event streams and WebSockets that have ended, by route.",
	}, []string{"route"})
	requestsInFlight = promauto.NewGauge(prometheus.GaugeOpts{
		Name: "rostrum_http_requests_in_flight", Help: "Requests, streams and sockets that have not ended.",
	})
)

// otherRoute is the route of requests that no route serves.
const otherRoute = "other"

// observeRequests adds every request to the metrics, and logs it if ROSTRUM_ACCESS_LOG is set. Both have
// the pattern of the route and not the path, which may contain a secret. It must be the outermost
// middleware.
func (a *App) observeRequests(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		out := middleware.NewWrapResponseWriter(w, r.ProtoMajor)
		requestsInFlight.Inc()
		defer func() {
			requestsInFlight.Dec()
			a.observeRequest(out, r, start)
		}()
		next.ServeHTTP(out, r)
	})
}

func (a *App) observeRequest(out middleware.WrapResponseWriter, r *http.Request, start time.Time) {
	route, status, took := routeOf(r), statusOf(out, r), time.Since(start)
	if isStream(out, status) {
		streamedRequests.WithLabelValues(route).Inc()
	} else {
		requestSeconds.WithLabelValues(route, methodLabel(r.Method), strconv.Itoa(status/100)+"xx").Observe(took.Seconds())
	}
	if a.config.AccessLog {
		slog.LogAttrs(r.Context(), slog.LevelInfo, "request", slog.String("method", methodLabel(r.Method)), slog.String("route", route),
			slog.Int("status", status), slog.Int64("duration_us", took.Microseconds()), slog.Int("bytes", out.BytesWritten()),
			slog.String("request_id", out.Header().Get("X-Request-Id")))
	}
}

// routeOf returns the pattern of the request's route.
func routeOf(r *http.Request) string {
	if route := chi.RouteContext(r.Context()).RoutePattern(); route != "" && route != "/*" {
		return route
	}
	return otherRoute
}

// statusOf returns the status of a response. A WebSocket takes the connection before one is written.
func statusOf(out middleware.WrapResponseWriter, r *http.Request) int {
	switch {
	case out.Status() != 0:
		return out.Status()
	case r.Header.Get("Upgrade") != "":
		return http.StatusSwitchingProtocols
	}
	return http.StatusOK // net/http writes it
}

func isStream(out http.ResponseWriter, status int) bool {
	return status == http.StatusSwitchingProtocols || strings.HasPrefix(out.Header().Get("Content-Type"), stored.MediaStream)
}

// methodLabel returns the method, or other for one that no route has.
func methodLabel(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
		http.MethodOptions:
		return method
	}
	return otherRoute
}
