package offline

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"rostrum/errs"
	"rostrum/llm"
	"rostrum/llm/text"
	"rostrum/platform/slot"
)

// Model is the model name of this engine in every answer.
const Model = "builtin-extractive-3"

// Input is the typed input of a task that this engine answers.
type Input interface {
	// Answer returns a text, or a value in the form of the task's schema, and its warnings. It
	// fails with engine_required if the engine has nothing useful to return.
	Answer(ctx context.Context) (value any, warnings []string, err error)
}

// Engine answers tasks with an Input of this package.
type Engine struct{}

// Model returns the constant Model.
func (Engine) Model() string { return Model }

// Run returns the answer. It fails with engine_required if the task has no input of this package.
func (Engine) Run(ctx context.Context, task llm.Task) (llm.Answer, error) {
	if err := ctx.Err(); err != nil {
		return llm.Answer{}, err
	}
	input, ok := task.Input.(Input)
	if !ok {
		return llm.Answer{}, Required(task.Name)
	}
	out := llm.Answer{Model: Model}
	var err error
	if ended := slot.Compute(ctx, len(task.System)+len(task.Prompt),
		func() { out.Text, out.Warning, err = encodeAnswer(ctx, input) }); ended != nil {
		return llm.Answer{}, ended
	}
	if err != nil {
		return llm.Answer{}, err
	}
	return out, nil
}

func encodeAnswer(ctx context.Context, input Input) (said, warning string, err error) {
	value, warnings, err := input.Answer(ctx)
	if err != nil {
		return "", "", err
	}
	if said, ok := value.(string); ok {
		return said, strings.Join(warnings, "; "), nil
	}
	raw, err := json.Marshal(value)
	return string(raw), strings.Join(warnings, "; "), err
}

// Stream sends the answer sentence by sentence. It returns the errors of Run and of send.
func (e Engine) Stream(ctx context.Context, task llm.Task, send func(delta string) error) (llm.Answer, error) {
	answer, err := e.Run(ctx, task)
	if err != nil {
		return llm.Answer{}, err
	}
	for _, piece := range text.Pieces(answer.Text) {
		if err := ctx.Err(); err != nil {
			return llm.Answer{}, err
		}
		if err := send(piece); err != nil {
			return llm.Answer{}, err
		}
	}
	return answer, nil
}

// Required returns the error of a task that needs a text model.
func Required(task string) error {
	return errs.New(errs.EngineRequired, "%s needs a text model, and none is configured: set LLM_BASE_URL and LLM_MODEL", task)
}

// GivenOptions returns the names of the options that have a value; the arguments are pairs of both.
func GivenOptions(pairs ...string) []string {
	var names []string
	for i := 0; i < len(pairs); i += 2 {
		if strings.TrimSpace(pairs[i+1]) != "" {
			names = append(names, pairs[i])
		}
	}
	return names
}

// ignoredOptions returns a warning that names options which only a text model follows; nil without
// any.
func ignoredOptions(names []string) []string {
	if len(names) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("ignored without a text model: %s", strings.Join(names, ", "))}
}
