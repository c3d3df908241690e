package llm

import (
	"context"
	"errors"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"rostrum/errs"
)

var (
	calls = promauto.NewHistogramVec(prometheus.HistogramOpts{
		Name: "rostrum_model_call_seconds", Help: "Calls of a text model by task and how they ended: ok, truncated, cancelled, or the failure's code.",
		Buckets: []float64{.01, .1, .5, 1, 2, 5, 10, 30, 60, 120},
	}, []string{"task", "outcome"})
	tokens = promauto.NewCounterVec(prometheus.CounterOpts{
		Name: "rostrum_model_tokens_total", Help: "Tokens read and written by text models, as their servers count them.",
	}, []string{"task", "kind"})
)

// instrumentedEngine records the metrics of an engine's calls.
type instrumentedEngine struct{ Engine }

// Measure returns the engine with metrics per task: latency, outcome and tokens.
func Measure(engine Engine) Engine { return instrumentedEngine{engine} }

// CheckModel returns the engine's error for a model; see [CheckModel].
func (m instrumentedEngine) CheckModel(name string) error { return CheckModel(m.Engine, name) }

func (m instrumentedEngine) Run(ctx context.Context, task Task) (Answer, error) {
	start := time.Now()
	answer, err := m.Engine.Run(ctx, task)
	ObserveCall(task, start, answer, err)
	return answer, err
}

func (m instrumentedEngine) Stream(ctx context.Context, task Task, send func(delta string) error) (Answer, error) {
	start := time.Now()
	answer, err := m.Engine.Stream(ctx, task, send)
	ObserveCall(task, start, answer, err)
	return answer, err
}

// ObserveCall adds a call, which began at start, to the metrics of its task.
func ObserveCall(task Task, start time.Time, answer Answer, err error) {
	outcome := "ok"
	switch {
	case errors.Is(err, context.Canceled):
		outcome = "cancelled"
	case err != nil:
		outcome = string(errs.From(err).Code)
	case answer.Truncated:
		outcome = "truncated"
	}
	calls.WithLabelValues(task.Name, outcome).Observe(time.Since(start).Seconds())
	tokens.WithLabelValues(task.Name, "prompt").Add(float64(answer.Usage.PromptTokens))
	tokens.WithLabelValues(task.Name, "answer").Add(float64(answer.Usage.AnswerTokens))
}
