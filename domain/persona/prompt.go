package persona

import (
	"context"
	_ "embed"

	"rostrum/llm"
)

//go:embed interact.tmpl
var interactWords string

var interactPrompt = llm.MustPrompt("persona.interact", interactWords)

// interactTokens is the longest reply.
const interactTokens = 1500

// interactTask is what a model is asked for an exchange.
func interactTask(x *exchange) (llm.Task, error) {
	task, err := interactPrompt.Task(x)
	if err != nil {
		return llm.Task{}, err
	}
	task.MaxTokens, task.Model, task.WebSearch = interactTokens, x.Model, x.WebSearch
	task.Builtin = func(context.Context) (string, error) { return reply(x) }
	return task, nil
}
