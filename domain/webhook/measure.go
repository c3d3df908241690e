package webhook

import (
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

var (
	attempts = promauto.NewCounterVec(prometheus.CounterOpts{
		Name: "rostrum_webhook_attempts_total", Help: "Deliveries of webhooks by how the attempt ended: delivered, failed, deferred to stay within the webhook's limit, or skipped because it is paused.",
	}, []string{"outcome"})
	deliveryLag = promauto.NewHistogram(prometheus.HistogramOpts{
		Name: "rostrum_webhook_lag_seconds", Help: "Time from an event to its first attempt at delivery.",
		Buckets: []float64{.1, .5, 2, 10, 60, 600, 3600},
	})
)

// label names the outcome of the delivery in the metrics.
func (r *deliveryResult) label() string {
	switch {
	case r.outcome == outcomeDeferred:
		return "deferred"
	case r.outcome == outcomeSkipped:
		return "skipped"
	case r.hasFailed():
		return "failed"
	}
	return "delivered"
}

// observeResults adds stored results to the metrics.
func observeResults(all []*deliveryResult) {
	for _, r := range all {
		attempts.WithLabelValues(r.label()).Inc()
		if r.outcome == outcomeSent && r.event != nil && len(r.delivery.Attempts) == 0 {
			deliveryLag.Observe(r.finishedAt.Sub(r.event.Timestamp).Seconds())
		}
	}
}
