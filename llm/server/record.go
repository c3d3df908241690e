package server

import (
	"context"
	"errors"
	"time"

	"rostrum/llm"
	"rostrum/model"
)

// record passes the record of a request to the server's RecordFunc, without texts of task or
// answer.
func (s *modelServer) record(ctx context.Context, task llm.Task, latency time.Duration, answer llm.Answer, err error) {
	if s.config.Record == nil {
		return
	}
	s.config.Record(ctx, &model.ModelCall{
		Task: task.Name, PromptVersion: task.PromptVersion, Provider: s.name, Model: task.Model,
		PromptTokens: answer.Usage.PromptTokens, AnswerTokens: answer.Usage.AnswerTokens,
		CostNanos: s.config.Price.Cost(answer.Usage),
		LatencyMs: int(latency.Milliseconds()), Outcome: outcomeOf(task, answer, err),
	})
}

// outcomeOf returns how a request ended.
func outcomeOf(task llm.Task, answer llm.Answer, err error) model.ModelCallOutcome {
	_, callers := errors.AsType[*callerError](err)
	switch {
	case callers:
		return model.ModelCallCancelled
	case errors.Is(err, errDeclined):
		return model.ModelCallRefused
	case errors.Is(err, errNoAnswer), errors.Is(err, errObeyed):
		return model.ModelCallMalformed
	case err == nil && !task.Accepts(answer.Text):
		return model.ModelCallMalformed
	}
	return llm.OutcomeOf(err)
}
