// Package llm is one call to a text model: of an OpenAI-compatible server, or of the engine that is built in.
package llm

import (
	"context"
	"encoding/json"
)

// Task is one call as both kinds of engine need it: the prompt for a model that reads, and the deterministic answer for where there is none.
type Task struct {
	Name           string          // what is asked, as "tag.apply": it names the task in errors, in metrics and to the server
	System, Prompt string          // from a room's template; see Prompt
	Schema         json.RawMessage // JSON Schema of the answer, an object at its root; nil is plain text
	MaxTokens      int             // the longest answer; 0 is the server's own limit
	Model          string          // in place of the engine's model when not empty
	WebSearch      bool            // the model may search the web first; Answer.Searched tells whether it could

	// Builtin gives the deterministic answer in the form that Schema asks for; it closes over the room's typed input.
	Builtin func(ctx context.Context) (string, error)
}

// Answer is what a model said.
type Answer struct {
	Text      string
	Model     string // the model that said it, as the server calls it
	Truncated bool   // it reached the limit of its length before its end
	Searched  bool   // the task asked for a search of the web, and the server let the model make one
	Usage     Usage
}

// Usage is how much a call read and wrote in the server's tokens; zero where the server does not say or none was asked.
type Usage struct {
	PromptTokens, AnswerTokens int
}

// Engine answers tasks. Its failures are errs.ModelFailed, which includes an answer that nobody gave, and errs.ModelTimeout; a caller's own
// end of the context comes back as the context's error. Neither says anything of the key or the prompt.
type Engine interface {
	// Model names what answers when a task does not choose.
	Model() string
	// Run answers as a whole.
	Run(ctx context.Context, task Task) (Answer, error)
	// Stream answers in pieces, each as soon as it is there, and then as a whole. It ends with the error that send gives.
	// A failure may come after pieces that were sent.
	Stream(ctx context.Context, task Task, send func(delta string) error) (Answer, error)
}
