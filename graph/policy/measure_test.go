package policy

import (
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/vektah/gqlparser/v2/ast"
)

// TestPolicy_measure checks that an operation is counted once, though a socket asks for responses until
// there is none.
func TestPolicy_measure(t *testing.T) {
	p, before := &Policy{}, countMeasured(t)
	op := &graphql.OperationContext{Operation: &ast.OperationDefinition{Operation: ast.Query}}
	responses := p.measure(op, time.Now(), graphql.OneShot(&graphql.Response{}))
	for responses(t.Context()) != nil {
	}
	if n := countMeasured(t) - before; n != 1 {
		t.Errorf("an operation is counted %d times", n)
	}
}

// countMeasured returns how many operations the metric has.
func countMeasured(t *testing.T) (n uint64) {
	t.Helper()
	families, err := prometheus.DefaultGatherer.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range families {
		if family.GetName() != "rostrum_graph_operation_seconds" {
			continue
		}
		for _, metric := range family.GetMetric() {
			n += metric.GetHistogram().GetSampleCount()
		}
	}
	return n
}
