package policy

import (
	"context"
	"sync"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"rostrum/platform/principal"
)

var fieldRequests = promauto.NewCounterVec(prometheus.CounterOpts{
	Name: "rostrum_graph_field_requests_total", Help: "Requests that used a deprecated field, argument or input field of the graph, by its coordinate and the id of the key.",
}, []string{"field", "key"})

// The labels of requests without a key of their own.
const (
	sessionLabel = "session"
	otherLabel   = "other" // the keys above maxKeyLabels
)

// maxKeyLabels is the number of keys that the metric tells apart in one process.
const maxKeyLabels = 1000

// usageLabels limits the values of the metric's label key. It is safe for concurrent use.
type usageLabels struct {
	mu    sync.Mutex
	known map[string]struct{}
}

// labelOf returns the label of a key.
func (l *usageLabels) labelOf(keyID string) string {
	if keyID == "" {
		return sessionLabel
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, ok := l.known[keyID]; ok {
		return keyID
	}
	if len(l.known) >= maxKeyLabels {
		return otherLabel
	}
	if l.known == nil {
		l.known = map[string]struct{}{}
	}
	l.known[keyID] = struct{}{}
	return keyID
}

// countUsage counts a request that uses deprecated elements. It ignores REST's stored operations,
// because their selections are not the client's.
func (p *Policy) countUsage(ctx context.Context, deprecated []string) {
	caller, err := principal.From(ctx)
	if len(deprecated) == 0 || err != nil || isInputChecked(ctx) {
		return
	}
	label := p.usage.labelOf(caller.KeyID)
	for _, field := range deprecated {
		fieldRequests.WithLabelValues(field, label).Inc()
	}
	if p.config.CountUsage != nil {
		p.config.CountUsage(ctx, deprecated)
	}
}
