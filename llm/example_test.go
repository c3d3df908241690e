package llm_test

import (
	"context"
	"encoding/json"
	"fmt"

	"rostrum/llm"
	"rostrum/llm/offline"
	"rostrum/llm/text"
)

// In a domain package the text is an embedded file, "topic.tmpl".
var topicPrompt = llm.MustPrompt("document.topic", `
{{define "system"}}You find the topic of documents.{{end}}
{{define "prompt"}}Name the topic of the document in at most {{.Words}} words.
{{fence "document" .Content}}{{end}}`)

var topicSchema = json.RawMessage(`{
	"type": "object", "properties": {"topic": {"type": "string"}}, "required": ["topic"], "additionalProperties": false
}`)

type topic struct {
	Topic string `json:"topic"`
}

// topicInput is a text. The offline engine returns its topic.
type topicInput string

func (in topicInput) Answer(context.Context) (any, []string, error) {
	found := topic{Topic: "unknown"}
	for _, phrase := range text.Keyphrases(string(in), 1) {
		found.Topic = phrase.Text
	}
	return found, nil, nil
}

func Example() {
	content := "The harbour tram opens on Monday. The harbour tram links the docks with the station."
	task, err := topicPrompt.Task(map[string]any{"Words": 4, "Content": content})
	if err != nil {
		panic(err)
	}
	task.Schema, task.MaxTokens = topicSchema, 100
	task.Input = topicInput(content)
	found, answer, err := llm.Ask[topic](context.Background(), offline.Engine{}, task)
	fmt.Println(found.Topic, "·", answer.Model, "·", err)
	// Output: harbour tram · builtin-extractive-3 · <nil>
}
