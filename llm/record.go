package llm

import (
	"context"
	"errors"
	"math"
	"net/url"
	"time"

	"rostrum/model"
)

// RecordFunc stores the record of a request to a model server. The context is the task's; it may
// have ended.
type RecordFunc func(ctx context.Context, call *model.ModelCall)

// Price is the price of a million tokens; nil if it is unknown.
type Price struct {
	Prompt, Answer *float64
}

// nanosPerToken converts the price of a million tokens to billionths for one token.
const nanosPerToken = 1000

// Cost returns the price of the tokens in billionths of the currency; nil if a price is unknown.
func (p Price) Cost(usage Usage) *int64 {
	if p.Prompt == nil || p.Answer == nil {
		return nil
	}
	nanos := (float64(usage.PromptTokens)**p.Prompt + float64(usage.AnswerTokens)**p.Answer) * nanosPerToken
	return new(int64(math.Round(nanos)))
}

// NewRecord returns the record of a request that is no Task, for example a transcription. Without
// reported tokens the cost is unknown.
func (p Price) NewRecord(baseURL, task, modelName string, usage Usage, latency time.Duration,
	err error) *model.ModelCall {
	out := &model.ModelCall{
		Task: task, Provider: HostOf(baseURL), Model: modelName, PromptTokens: usage.PromptTokens,
		AnswerTokens: usage.AnswerTokens,
		LatencyMs:    int(latency.Milliseconds()), Outcome: OutcomeOf(err),
	}
	if err != nil || usage != (Usage{}) {
		out.CostNanos = p.Cost(usage)
	}
	return out
}

// OutcomeOf returns how a request ended if its answer has no form to check.
func OutcomeOf(err error) model.ModelCallOutcome {
	switch {
	case errors.Is(err, context.Canceled):
		return model.ModelCallCancelled
	case err != nil:
		return model.ModelCallFailed
	}
	return model.ModelCallOK
}

// HostOf returns the host name of a server's address, which names its provider in records.
func HostOf(address string) string {
	parsed, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return parsed.Hostname()
}
