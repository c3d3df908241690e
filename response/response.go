// Package response collects the response headers that use cases set without knowledge of the transport.
package response

import (
	"context"
	"net/http"
	"strconv"
	"sync/atomic"
)

// Meta holds the values that a response carries outside its body. It is safe for concurrent use.
type Meta struct {
	runsRemaining atomic.Int64 // the remaining runs plus 1; 0 if unset
}

type contextKey struct{}

// WithMeta returns a context whose operations can set response headers, and the Meta that collects them.
func WithMeta(ctx context.Context) (context.Context, *Meta) {
	m := new(Meta)
	return context.WithValue(ctx, contextKey{}, m), m
}

// SetRunsRemaining sets the number of model-backed runs that the workspace has left after this operation. It has no effect
// without a Meta in the context.
func SetRunsRemaining(ctx context.Context, runs int) {
	if m, ok := ctx.Value(contextKey{}).(*Meta); ok {
		m.runsRemaining.Store(int64(runs) + 1)
	}
}

// AddTo sets the collected values in the response's header.
func (m *Meta) AddTo(header http.Header) {
	if n := m.runsRemaining.Load(); n > 0 {
		header.Set("X-Run-Budget-Remaining", strconv.FormatInt(n-1, 10))
	}
}
