package llm

import (
	"context"

	"rostrum/errs"
	"rostrum/llm/text"
	"rostrum/slot"
)

// BuiltinModel is the model name of the built-in engine in every answer.
const BuiltinModel = "builtin-extractive-1"

// Builtin is the engine without network and key: every task supplies a deterministic answer, based on the methods of llm/text.
type Builtin struct{}

// Model returns BuiltinModel.
func (Builtin) Model() string { return BuiltinModel }

// Run returns the task's own answer. It returns an error with code errs.ModelFailed if the task has none.
func (Builtin) Run(ctx context.Context, task Task) (Answer, error) {
	if err := ctx.Err(); err != nil {
		return Answer{}, err
	}
	if task.Builtin == nil {
		return Answer{}, errs.New(errs.ModelFailed, "%s needs a text model, and none is configured: set LLM_BASE_URL", task.Name)
	}
	var said string
	var err error
	if ended := slot.Compute(ctx, task.size(), func() { said, err = task.Builtin(ctx) }); ended != nil {
		return Answer{}, ended
	}
	if err != nil {
		return Answer{}, err
	}
	return Answer{Text: said, Model: BuiltinModel}, nil
}

// Stream sends the task's own answer sentence by sentence. It returns the errors of Run and of send.
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
