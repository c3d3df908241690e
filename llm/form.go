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

// form is how a server is asked for an answer of a schema, from the best to what every server takes.
type form int

const (
	formSchema form = iota // the server holds the model to the schema
	formObject             // the server holds it to some JSON object, the prompt says which
	formText               // the prompt alone says it
)

// searched lets the model search the web where the task asks for it, and asks without that where the server refuses it for the model.
func (e *OpenAI) searched(ctx context.Context, task Task, once attempt) (Answer, error) {
	task.WebSearch = task.WebSearch && e.config.WebSearch
	answer, err := e.formed(ctx, task, once)
	if task.WebSearch && refusesForm(err) {
		task.WebSearch = false
		return e.formed(ctx, task, once)
	}
	answer.Searched = task.WebSearch
	return answer, err
}

// formed asks in the best form that the server is known to take for the task, and in the next one where it refuses that.
func (e *OpenAI) formed(ctx context.Context, task Task, once attempt) (Answer, error) {
	key := e.model(task) + " " + task.Name
	first := formSchema
	if known, ok := e.forms.Load(key); ok {
		first = known.(form) //nolint:forcetypeassert // only formed writes it
	}
	if task.Schema == nil {
		first = formText
	}
	for try := first; ; try++ {
		answer, err := once(ctx, e.params(task, try), option.WithHeader("X-Task", task.Name))
		if err == nil && try > first {
			e.forms.Store(key, try)
		}
		if try == formText || !refusesForm(err) {
			return answer, err
		}
	}
}

// refusesForm reports a refusal that the asked form may be the reason of.
func refusesForm(err error) bool {
	answer, ok := errors.AsType[*openai.Error](err)
	if !ok || answer.Code == "context_length_exceeded" {
		return false
	}
	return slices.Contains([]int{http.StatusBadRequest, http.StatusUnprocessableEntity, http.StatusNotImplemented}, answer.StatusCode)
}

func (e *OpenAI) model(task Task) string {
	if task.Model != "" {
		return task.Model
	}
	return e.config.Model
}

func (e *OpenAI) params(task Task, as form) openai.ChatCompletionNewParams {
	params := openai.ChatCompletionNewParams{Model: e.model(task)}
	system := task.System
	if task.Schema != nil && as != formSchema {
		system = strings.TrimSpace(system + "\n\n" + formNote(task.Schema))
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
	case e.newLimit():
		params.MaxCompletionTokens = openai.Int(int64(task.MaxTokens))
	default:
		params.MaxTokens = openai.Int(int64(task.MaxTokens))
	}
	return params
}

// newLimit reports a server that knows max_completion_tokens and refuses the older max_tokens for its newer models. Others know the older one.
func (e *OpenAI) newLimit() bool {
	address, err := url.Parse(e.config.BaseURL)
	return err == nil && (address.Hostname() == "api.openai.com" || strings.HasSuffix(address.Hostname(), ".azure.com"))
}

var notInName = regexp.MustCompile(`[^a-zA-Z0-9_-]+`)

func responseFormat(task Task, as form) (format openai.ChatCompletionNewParamsResponseFormatUnion) {
	switch as {
	case formSchema:
		format.OfJSONSchema = &shared.ResponseFormatJSONSchemaParam{JSONSchema: shared.ResponseFormatJSONSchemaJSONSchemaParam{
			Name: notInName.ReplaceAllString(task.Name, "_"), Schema: task.Schema, Strict: openai.Bool(strict(task.Schema)),
		}}
	case formObject:
		format.OfJSONObject = &shared.ResponseFormatJSONObjectParam{}
	}
	return format
}

// strict reports a schema that OpenAI's strict mode takes: every object lists all of its properties as required and allows no others.
func strict(schema json.RawMessage) bool {
	var document any
	return json.Unmarshal(schema, &document) == nil && strictNode(document)
}

func strictNode(node any) bool {
	switch node := node.(type) {
	case []any:
		return !slices.ContainsFunc(node, func(v any) bool { return !strictNode(v) })
	case map[string]any:
		if properties, ok := node["properties"].(map[string]any); ok {
			required, _ := node["required"].([]any)
			if node["additionalProperties"] != false || len(required) != len(properties) {
				return false
			}
		}
		for _, v := range node {
			if !strictNode(v) {
				return false
			}
		}
	}
	return true
}
