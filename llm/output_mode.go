package llm

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/shared"
)

// outputMode is the way in which a server is asked for structured output, from the strictest to one that every server supports.
type outputMode int

const (
	modeSchema outputMode = iota // the server enforces the schema
	modeObject                   // the server enforces a JSON object, the prompt contains the schema
	modeText                     // only the prompt contains the schema
)

// callWithSearch enables web search if the task requests it, and retries without it if the server rejects it for the model.
func (e *OpenAI) callWithSearch(ctx context.Context, task Task, once attemptFunc) (Answer, error) {
	task.WebSearch = task.WebSearch && e.config.WebSearch
	answer, err := e.callWithMode(ctx, task, once)
	if task.WebSearch && rejectsMode(err) {
		task.WebSearch = false
		return e.callWithMode(ctx, task, once)
	}
	answer.Searched = task.WebSearch
	return answer, err
}

// callWithMode uses the strictest mode that the server is known to accept for the task, and the next one if the server rejects it.
func (e *OpenAI) callWithMode(ctx context.Context, task Task, once attemptFunc) (Answer, error) {
	key := e.modelOf(task) + " " + task.Name
	first := modeSchema
	if known, ok := e.modes.Load(key); ok {
		first = known.(outputMode) //nolint:forcetypeassert // only formed writes it
	}
	if task.Schema == nil {
		first = modeText
	}
	for try := first; ; try++ {
		answer, err := once(ctx, e.chatParams(task, try), option.WithHeader("X-Task", task.Name))
		if err == nil && try > first {
			e.modes.Store(key, try)
		}
		if try == modeText || !rejectsMode(err) {
			return answer, err
		}
	}
}

// rejectsMode reports whether the error may be a rejection of the output mode.
func rejectsMode(err error) bool {
	answer, ok := errors.AsType[*openai.Error](err)
	if !ok || answer.Code == "context_length_exceeded" {
		return false
	}
	return slices.Contains([]int{http.StatusBadRequest, http.StatusUnprocessableEntity, http.StatusNotImplemented}, answer.StatusCode)
}

func (e *OpenAI) modelOf(task Task) string {
	if task.Model != "" {
		return task.Model
	}
	return e.config.Model
}

func (e *OpenAI) chatParams(task Task, as outputMode) openai.ChatCompletionNewParams {
	params := openai.ChatCompletionNewParams{Model: e.modelOf(task)}
	system := task.System
	if task.Schema != nil && as != modeSchema {
		system = strings.TrimSpace(system + "\n\n" + schemaNote(task.Schema))
	}
	if system != "" {
		params.Messages = append(params.Messages, openai.SystemMessage(system))
	}
	params.Messages = append(params.Messages, openai.UserMessage(task.Prompt))
	if task.Schema != nil {
		params.ResponseFormat = responseFormat(task, as)
	}
	if task.WebSearch {
		params.WebSearchOptions.SearchContextSize = "medium"
	}
	switch {
	case task.MaxTokens == 0:
	case e.usesCompletionTokens():
		params.MaxCompletionTokens = openai.Int(int64(task.MaxTokens))
	default:
		params.MaxTokens = openai.Int(int64(task.MaxTokens))
	}
	return params
}

// usesCompletionTokens reports whether the server expects max_completion_tokens instead of max_tokens, as OpenAI does for newer models.
func (e *OpenAI) usesCompletionTokens() bool {
	address, err := url.Parse(e.config.BaseURL)
	return err == nil && (address.Hostname() == "api.openai.com" || strings.HasSuffix(address.Hostname(), ".azure.com"))
}

var notInName = regexp.MustCompile(`[^a-zA-Z0-9_-]+`)

func responseFormat(task Task, as outputMode) (format openai.ChatCompletionNewParamsResponseFormatUnion) {
	switch as {
	case modeSchema:
		format.OfJSONSchema = &shared.ResponseFormatJSONSchemaParam{JSONSchema: shared.ResponseFormatJSONSchemaJSONSchemaParam{
			Name: notInName.ReplaceAllString(task.Name, "_"), Schema: task.Schema, Strict: openai.Bool(isStrictSchema(task.Schema)),
		}}
	case modeObject:
		format.OfJSONObject = &shared.ResponseFormatJSONObjectParam{}
	}
	return format
}

// isStrictSchema reports whether OpenAI's strict mode accepts the schema: every object requires all of its properties and allows no others.
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
