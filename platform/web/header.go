package web

import (
	"context"
	"net/http"
	"strconv"
	"sync/atomic"
)

// HeaderValues holds the values that a response carries outside its body. It is safe for concurrent
// use.
type HeaderValues struct {
	runsRemaining atomic.Int64 // the remaining runs plus 1; 0 if unset
}

type contextKey struct{}

// WithHeaderValues returns a context whose operations can set response headers, and the
// HeaderValues that collects them.
func WithHeaderValues(ctx context.Context) (context.Context, *HeaderValues) {
	m := new(HeaderValues)
	return context.WithValue(ctx, contextKey{}, m), m
}

// SetRunsRemaining sets the number of model-backed runs that the workspace has left after this
// operation. It has no effect without a HeaderValues in the context.
func SetRunsRemaining(ctx context.Context, runs int) {
	if m, ok := ctx.Value(contextKey{}).(*HeaderValues); ok {
		m.runsRemaining.Store(int64(runs) + 1)
	}
}

// AddTo sets the collected values in the response's header.
func (m *HeaderValues) AddTo(header http.Header) {
	if n := m.runsRemaining.Load(); n > 0 {
		header.Set("X-Run-Budget-Remaining", strconv.FormatInt(n-1, 10))
	}
}
