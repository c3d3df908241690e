package llm

import (
	"context"

	"rostrum/errs"
	"rostrum/llm/text"
)

// BuiltinModel is what the built-in engine calls itself in every answer.
const BuiltinModel = "builtin-extractive-1"

// Builtin is the engine without a network and a key: every task brings its own deterministic answer, made of the methods of llm/text.
type Builtin struct{}

// Model is BuiltinModel.
func (Builtin) Model() string { return BuiltinModel }

// Run gives the task's own answer; a task that brings none fails with errs.ModelFailed.
func (Builtin) Run(ctx context.Context, task Task) (Answer, error) {
	if err := ctx.Err(); err != nil {
		return Answer{}, err
	}
	if task.Builtin == nil {
		return Answer{}, errs.New(errs.ModelFailed, "%s needs a text model, and none is configured: set LLM_BASE_URL", task.Name)
	}
	said, err := task.Builtin(ctx)
	if err != nil {
		return Answer{}, err
	}
	return Answer{Text: said, Model: BuiltinModel}, nil
}

// Stream gives the task's own answer sentence by sentence.
func (b Builtin) Stream(ctx context.Context, task Task, send func(delta string) error) (Answer, error) {
	answer, err := b.Run(ctx, task)
	if err != nil {
		return Answer{}, err
	}
	for _, piece := range text.Pieces(answer.Text) {
		if err := ctx.Err(); err != nil {
			return Answer{}, err
		}
		if err := send(piece); err != nil {
			return Answer{}, err
		}
	}
	return answer, nil
}
