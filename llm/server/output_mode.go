package server

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"

	"rostrum/llm"
)

// outputMode is how a server is asked for structured output, from the strictest way to one that
// every server supports.
type outputMode int

const (
	modeSchema outputMode = iota // the server enforces the schema
	modeObject                   // the server enforces a JSON object, the prompt contains the schema
	modeText                     // only the prompt contains the schema
)

// systemPrompt returns the system prompt of a task, with the schema unless the server enforces it.
func systemPrompt(task llm.Task, as outputMode) string {
	if task.Schema == nil || as == modeSchema {
		return task.System
	}
	return strings.TrimSpace(task.System + "\n\n" + llm.SchemaNote(task.Schema))
}

// rejectsMode reports whether the error may be a rejection of the output mode.
func rejectsMode(err error) bool {
	answer, ok := errors.AsType[*statusError](err)
	if !ok || answer.code == "context_length_exceeded" {
		return false
	}
	return slices.Contains([]int{http.StatusBadRequest, http.StatusUnprocessableEntity, http.StatusNotImplemented},
		answer.status)
}

// isStrictSchema reports whether OpenAI's strict mode accepts the schema: every object requires all
// of its properties and allows no others.
func isStrictSchema(schema json.RawMessage) bool {
	var document any
	return json.Unmarshal(schema, &document) == nil && isStrictNode(document)
}

func isStrictNode(node any) bool {
	switch node := node.(type) {
	case []any:
		return !slices.ContainsFunc(node, func(v any) bool { return !isStrictNode(v) })
	case map[string]any:
		if properties, ok := node["properties"].(map[string]any); ok {
			required, _ := node["required"].([]any)
			if node["additionalProperties"] != false || len(required) != len(properties) {
				return false
			}
		}
		for _, v := range node {
			if !isStrictNode(v) {
				return false
			}
		}
	}
	return true
}
