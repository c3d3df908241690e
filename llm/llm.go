package llm

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"rostrum/llm/text/command"
	"rostrum/llm/text/fact"
	"rostrum/llm/text/refusal"
)

// Task is a call for both kinds of engines: a prompt for a model, and the same request as typed
// input for llm/offline.
type Task struct {
	Name           string          // name of the task in errors, in metrics and for the server, such as "tag.apply"
	System, Prompt string          // rendered from a template; see Prompt
	Schema         json.RawMessage // JSON Schema of the answer with an object at its root; nil is plain text
	MaxTokens      int             // limit of the answer; 0 is the server's own limit
	Model          string          // replaces the engine's model if not empty
	WebSearch      bool            // allows a web search first; Answer.Searched reports whether the server supports it
	Input          any             // typed input of llm/offline; without it the task needs a model
	PromptVersion  string          // version of the template; see Prompt

	commands []string // passages left out of the prompt because they address a model; no answer may repeat them

	check func(text string) error // of Ask; returns an error for an answer of another form; nil accepts every text
}

// Accepts reports whether an answer has the form that Ask decodes. Outside of Ask a task accepts
// every text.
func (t Task) Accepts(answer string) bool { return t.check == nil || t.check(answer) == nil }

// LeaveOut adds passages that address a model and were therefore left out of the prompt.
func (t *Task) LeaveOut(passages []string) { t.commands = append(t.commands, passages...) }

// HasCommands reports whether passages that address a model were left out of the prompt.
func (t Task) HasCommands() bool { return len(t.commands) > 0 }

// Obeyed reports whether an answer repeats a part of the task's commands that is not in the prompt.
func (t Task) Obeyed(answer string) bool {
	return command.Obeys(answer, t.commands, t.System+"\n"+t.Prompt)
}

// Declined reports whether an answer declines the task, as its text or as a string of its JSON that
// the prompt does not have.
func (t Task) Declined(answer string) bool {
	said := []string{answer}
	if t.Schema != nil {
		said = stringsIn(answer)
	}
	return slices.ContainsFunc(said, func(s string) bool { return refusal.Is(s) && !strings.Contains(t.Prompt, s) })
}

// stringsIn returns the strings of an answer's JSON, or the answer itself if it is none.
func stringsIn(answer string) (all []string) {
	start := strings.IndexAny(answer, "{[")
	var document any
	if start < 0 || json.NewDecoder(strings.NewReader(answer[start:])).Decode(&document) != nil {
		return []string{answer}
	}
	var add func(node any)
	add = func(node any) {
		switch node := node.(type) {
		case string:
			all = append(all, node)
		case []any:
			for _, entry := range node {
				add(entry)
			}
		case map[string]any:
			for _, entry := range node {
				add(entry)
			}
		}
	}
	add(document)
	return append(all, answer[:start])
}

// WarningOf returns sentences about an answer: how many passages were left out of its prompt, and
// what it added to the texts. It is empty without either.
func (t Task) WarningOf(said string) string {
	added := t.warnOfAdded(said)
	if len(t.commands) == 0 {
		return added
	}
	return strings.TrimSuffix(fmt.Sprintf("passages that address text models were left out: %d; %s", len(t.commands),
		added), "; ")
}

// warnOfAdded returns a sentence that names numbers, addresses and quotations of a free text that
// are not in the task; empty without any.
func (t Task) warnOfAdded(said string) string {
	if t.Schema != nil || t.WebSearch {
		return ""
	}
	added := fact.Added(said, t.System, t.Prompt)
	if len(added) == 0 {
		return ""
	}
	slices.Sort(added)
	added = slices.Compact(added)
	return "no given text has: " + strings.Join(added[:min(len(added), maxAdded)], ", ")
}

// maxAdded is the number of facts that a warning names.
const maxAdded = 10

// Answer is the answer of a model.
type Answer struct {
	Text      string
	Model     string // name of the model, as the server reports it
	Truncated bool   // the answer reached its length limit
	Dropped   int    // rows of lists that had another form than was asked for
	Searched  bool   // the task allowed a web search, and the server supports it
	// options that the engine ignored, and facts of a free text that the task does not have; empty if nothing
	Warning string
	Usage   Usage
}

// Usage is the number of tokens that a call read and wrote; 0 if the server does not report it.
type Usage struct {
	PromptTokens, AnswerTokens int
}

// Engine answers tasks. It fails with errs.ModelFailed, also for an empty answer, or
// errs.ModelTimeout; if the caller's context ends, with that error. Errors contain neither the key
// nor the prompt.
type Engine interface {
	// Model returns the default model's name.
	Model() string
	// Run returns the complete answer.
	Run(ctx context.Context, task Task) (Answer, error)
	// Stream sends the answer in parts as they arrive and returns the complete answer. It returns
	// send's error at once. Other errors may follow after parts were sent.
	Stream(ctx context.Context, task Task, send func(delta string) error) (Answer, error)
}

// CheckModel returns errs.ValidationFailed for a named model that the engine does not have, as Run
// would. A job's request is checked with it before the job is queued.
func CheckModel(e Engine, name string) error {
	if chooser, ok := e.(interface{ CheckModel(name string) error }); ok {
		return chooser.CheckModel(name)
	}
	return nil
}
