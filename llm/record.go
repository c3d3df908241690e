package llm

import (
	"context"
	"errors"
	"math"
	"net/url"
	"time"

	"rostrum/model"
)

// RecordFunc stores the record of a request to a model server. The context is that of the task; it may have ended.
type RecordFunc func(ctx context.Context, call *model.ModelCall)

// Price is the price of a million tokens; nil if it is unknown.
type Price struct {
	Prompt, Answer *float64
}

// nanosPerToken converts the price of a million tokens to billionths for one token.
const nanosPerToken = 1000

// cost returns the price of the tokens in billionths of the currency; nil if a price is unknown.
func (p Price) cost(usage Usage) *int64 {
	if p.Prompt == nil || p.Answer == nil {
		return nil
	}
	nanos := (float64(usage.PromptTokens)**p.Prompt + float64(usage.AnswerTokens)**p.Answer) * nanosPerToken
	return new(int64(math.Round(nanos)))
}

// NewRecord returns the record of a request that is no Task, such as a transcription. A server that reports no tokens has no known cost.
func (p Price) NewRecord(baseURL, task, modelName string, usage Usage, latency time.Duration, err error) *model.ModelCall {
	out := &model.ModelCall{
		Task: task, Provider: hostOf(baseURL), Model: modelName, PromptTokens: usage.PromptTokens, AnswerTokens: usage.AnswerTokens,
		LatencyMs: int(latency.Milliseconds()), Outcome: outcomeOf(Task{}, Answer{}, err),
	}
	if err != nil || usage != (Usage{}) {
		out.CostNanos = p.cost(usage)
	}
	return out
}

// record passes the record of a request, which took some time, to the server's RecordFunc. It has no text of the task or the answer.
func (s *server) record(ctx context.Context, task Task, latency time.Duration, answer Answer, err error) {
	if s.config.Record == nil {
		return
	}
	s.config.Record(ctx, &model.ModelCall{
		Task: task.Name, PromptVersion: task.PromptVersion, Provider: s.name, Model: task.Model,
		PromptTokens: answer.Usage.PromptTokens, AnswerTokens: answer.Usage.AnswerTokens, CostNanos: s.config.Price.cost(answer.Usage),
		LatencyMs: int(latency.Milliseconds()), Outcome: outcomeOf(task, answer, err),
	})
}

// outcomeOf returns how a request ended.
func outcomeOf(task Task, answer Answer, err error) model.ModelCallOutcome {
	_, callers := errors.AsType[*callerError](err)
	switch {
	case callers, errors.Is(err, context.Canceled):
		return model.ModelCallCancelled
	case errors.Is(err, errDeclined):
		return model.ModelCallRefused
	case errors.Is(err, errNoAnswer), errors.Is(err, errObeyed):
		return model.ModelCallMalformed
	case err != nil:
		return model.ModelCallFailed
	case task.check != nil && task.check(answer.Text) != nil:
		return model.ModelCallMalformed
	}
	return model.ModelCallOK
}

// hostOf returns the host name of a server's address, which names its provider in records.
func hostOf(address string) string {
	parsed, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return parsed.Hostname()
}
