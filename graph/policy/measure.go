package policy

import (
	"context"
	"sync"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

var (
	operationSeconds = promauto.NewHistogramVec(prometheus.HistogramOpts{
		Name: "rostrum_graph_operation_seconds", Help: "Queries and mutations until their last response, by the name of a stored operation or other, by kind, and by outcome: ok, or error if a response has one.",
		Buckets: []float64{.001, .005, .02, .1, .5, 1, 5},
	}, []string{"operation", "kind", "outcome"})
	openStreams = promauto.NewGauge(prometheus.GaugeOpts{
		Name: "rostrum_streams_open", Help: "Subscriptions and event streams that are open.",
	})
)

// measure adds the operation to the metrics when its last response was sent. Only operations whose
// texts this process keeps are told apart, so clients cannot add values to the label.
func (p *Policy) measure(op *graphql.OperationContext, start time.Time, next graphql.ResponseHandler) graphql.ResponseHandler {
	name := otherLabel
	if p.documents.kept[op.RawQuery] && op.OperationName != "" {
		name = op.OperationName
	}
	outcome := "ok"
	observe := sync.OnceFunc(func() { // a socket asks again after the last response
		operationSeconds.WithLabelValues(name, string(op.Operation.Operation), outcome).Observe(time.Since(start).Seconds())
	})
	return callAfterLast(func(ctx context.Context) *graphql.Response {
		resp := next(ctx)
		if resp != nil && len(resp.Errors) > 0 {
			outcome = "error"
		}
		return resp
	}, observe)
}
