package llm_test

import (
	"context"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"rostrum/llm"
	"rostrum/llm/offline"
)

// TestMeasure checks that /metrics counts calls by task and result.
func TestMeasure(t *testing.T) {
	wants := map[[2]string]uint64{{"measure.good", "ok"}: 2, {"measure.bad", "engine_required"}: 1}
	for labels := range wants { // the test may not be the first in its process
		wants[labels] += countCalls(t, labels[0], labels[1])
	}
	engine := llm.Measure(offline.Engine{})
	good := newOfflineTask("Fine.", nil)
	good.Name = "measure.good"
	if _, err := engine.Run(t.Context(), good); err != nil {
		t.Fatal(err)
	}
	if _, err := engine.Stream(t.Context(), good, func(string) error { return nil }); err != nil {
		t.Fatal(err)
	}
	if _, err := engine.Run(t.Context(), llm.Task{Name: "measure.bad"}); err == nil {
		t.Fatal("a task without an answer has one")
	}
	for labels, want := range wants {
		if got := countCalls(t, labels[0], labels[1]); got != want {
			t.Errorf("%v was counted %d times, want %d", labels, got, want)
		}
	}
}

func countCalls(t *testing.T, task, outcome string) uint64 {
	t.Helper()
	families, err := prometheus.DefaultGatherer.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range families {
		for _, metric := range family.GetMetric() {
			labels := map[string]string{}
			for _, label := range metric.GetLabel() {
				labels[label.GetName()] = label.GetValue()
			}
			if family.GetName() == "rostrum_model_call_seconds" && labels["task"] == task &&
				labels["outcome"] == outcome {
				return metric.GetHistogram().GetSampleCount()
			}
		}
	}
	return 0
}

// fixedInput has a fixed answer.
type fixedInput struct {
	said string
	err  error
}

func (f fixedInput) Answer(context.Context) (any, []string, error) { return f.said, nil, f.err }

func newOfflineTask(said string, err error) llm.Task { return llm.Task{Input: fixedInput{said, err}} }
