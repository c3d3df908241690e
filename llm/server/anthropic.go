package server

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"

	"rostrum/llm"
)

// defaultMaxTokens is the limit of an answer without a limit of its own, because the protocol
// requires one.
const defaultMaxTokens = 8192

// anthropicMessages is the protocol of Anthropic's Messages API. Structured output is the input of
// a tool that the model has to call.
type anthropicMessages struct{ messages anthropic.MessageService }

func newAnthropic(config Config) *anthropicMessages {
	// anthropic.NewClient would read keys and addresses from the environment. The service adds the
	// version to the address.
	address := strings.TrimSuffix(strings.TrimRight(config.BaseURL, "/"), "/v1")
	options := []option.RequestOption{option.WithBaseURL(address), option.WithMaxRetries(0),
		option.WithHTTPClient(newClient())}
	if config.Key != "" {
		options = append(options, option.WithAPIKey(config.Key))
	}
	return &anthropicMessages{anthropic.NewMessageService(options...)}
}

func (*anthropicMessages) modes() []outputMode { return []outputMode{modeSchema, modeText} }

func (p *anthropicMessages) request(ctx context.Context, task llm.Task, mode outputMode,
	send func(string) error) (llm.Answer, error) {
	params, err := messageParams(task, mode)
	if err != nil {
		return llm.Answer{}, err
	}
	header := option.WithHeader("X-Task", task.Name)
	if send != nil {
		return p.stream(ctx, params, header, send)
	}
	got, err := p.messages.New(ctx, params, header)
	if err != nil {
		return llm.Answer{}, anthropicError(err)
	}
	return readMessage(got)
}

// stream reads the answer as server-sent events. A connection that ends early has no stop reason.
func (p *anthropicMessages) stream(
	ctx context.Context, params anthropic.MessageNewParams, header option.RequestOption, send func(string) error,
) (llm.Answer, error) {
	stream := p.messages.NewStreaming(ctx, params, header)
	defer stream.Close()
	var got anthropic.Message
	parts := sendParts{send: send}
	for stream.Next() {
		event := stream.Current()
		err := got.Accumulate(event)
		if err == nil {
			err = parts.add(event.Delta.Text + event.Delta.PartialJSON)
		}
		if err != nil {
			return llm.Answer{Usage: anthropicUsage(got.Usage)}, parts.fail(err)
		}
	}
	err := anthropicError(stream.Err())
	if err == nil && got.StopReason == "" {
		err = errCut
	}
	if err != nil {
		return llm.Answer{Usage: anthropicUsage(got.Usage)}, parts.fail(err)
	}
	answer, err := readMessage(&got)
	return answer, parts.fail(err)
}

// readMessage returns the answer of a message: the input of its tool, or else its texts.
func readMessage(got *anthropic.Message) (llm.Answer, error) {
	text, input := "", ""
	for _, block := range got.Content {
		switch block.Type {
		case "text":
			text += block.Text
		case "tool_use":
			input += string(block.Input)
		}
	}
	answer := llm.Answer{Text: text, Model: got.Model, Usage: anthropicUsage(got.Usage)}
	if input != "" {
		answer.Text = input
	}
	truncated := got.StopReason == anthropic.StopReasonMaxTokens ||
		got.StopReason == anthropic.StopReasonModelContextWindowExceeded
	return checkAnswer(answer, truncated, got.StopReason == anthropic.StopReasonRefusal)
}

func anthropicUsage(usage anthropic.Usage) llm.Usage {
	return llm.Usage{PromptTokens: int(usage.InputTokens + usage.CacheReadInputTokens + usage.CacheCreationInputTokens),
		AnswerTokens: int(usage.OutputTokens)}
}

func anthropicError(err error) error {
	answer, ok := errors.AsType[*anthropic.Error](err)
	if !ok {
		return err
	}
	return newStatusError(err, answer.StatusCode, answer.Response, string(answer.Type()))
}

// messageParams returns a task's request. It returns an error for a schema that is no JSON object.
func messageParams(task llm.Task, as outputMode) (anthropic.MessageNewParams, error) {
	params := anthropic.MessageNewParams{
		Model: task.Model, MaxTokens: defaultMaxTokens,
		Messages: []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock(task.Prompt))},
	}
	if task.MaxTokens != 0 {
		params.MaxTokens = int64(task.MaxTokens)
	}
	if system := systemPrompt(task, as); system != "" {
		params.System = []anthropic.TextBlockParam{{Text: system}}
	}
	if task.Schema == nil || as != modeSchema {
		return params, nil
	}
	var schema map[string]any
	if err := json.Unmarshal(task.Schema, &schema); err != nil {
		return params, err
	}
	delete(schema, "type") // always an object
	name := notInName.ReplaceAllString(task.Name, "_")
	params.Tools = []anthropic.ToolUnionParam{anthropic.ToolUnionParamOfTool(
		anthropic.ToolInputSchemaParam{ExtraFields: schema}, name)}
	params.ToolChoice = anthropic.ToolChoiceParamOfTool(name)
	return params, nil
}
