package persona

import (
	_ "embed"

	"rostrum/llm"
)

//go:embed interact.tmpl
var interactText string

var interactPrompt = llm.MustPrompt("persona.interact", interactText)

// interactTokens is the maximum length of a reply in tokens.
const interactTokens = 1500

// interactTask returns the model task of a reply.
func interactTask(x *replyTask) (llm.Task, error) {
	task, err := interactPrompt.Task(x)
	if err != nil {
		return llm.Task{}, err
	}
	task.MaxTokens, task.Model, task.WebSearch = interactTokens, x.Model, x.WebSearch
	task.Input = x.offlineReply()
	return task, nil
}
