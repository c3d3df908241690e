package server

import (
	"cmp"
	"context"
	"errors"
	"regexp"
	"strings"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/shared"

	"rostrum/llm"
)

// openAI is the protocol of OpenAI's chat completions. OpenAI, Azure, Ollama, vLLM and llama.cpp
// have it.
type openAI struct {
	chat openai.ChatCompletionService
	// the server expects max_completion_tokens instead of max_tokens, as OpenAI does for newer models
	completionTokens bool
}

func newOpenAI(config Config) *openAI {
	host := llm.HostOf(config.BaseURL)
	return &openAI{
		chat:             openai.NewChatCompletionService(openAIOptions(config)...),
		completionTokens: host == "api.openai.com" || strings.HasSuffix(host, ".azure.com"),
	}
}

// openAIOptions returns the options of a server's services. openai.NewClient would read keys and
// addresses from the environment.
func openAIOptions(config Config) []option.RequestOption {
	options := []option.RequestOption{option.WithBaseURL(config.BaseURL), option.WithMaxRetries(0),
		option.WithHTTPClient(newClient())}
	if config.Key != "" {
		options = append(options, option.WithAPIKey(config.Key))
	}
	return options
}

func (*openAI) modes() []outputMode { return []outputMode{modeSchema, modeObject, modeText} }

func (p *openAI) request(ctx context.Context, task llm.Task, mode outputMode, send func(string) error) (llm.Answer,
	error) {
	params, header := p.params(task, mode), option.WithHeader("X-Task", task.Name)
	if send != nil {
		answer, err := p.stream(ctx, params, header, send)
		return answer, openAIError(err)
	}
	got, err := p.chat.New(ctx, params, header)
	if err != nil {
		return llm.Answer{}, openAIError(err)
	}
	answer := llm.Answer{Model: got.Model, Usage: openAIUsage(got.Usage)}
	if len(got.Choices) == 0 {
		return answer, errNoAnswer
	}
	choice := got.Choices[0]
	answer.Text = choice.Message.Content
	return checkFinish(answer, choice.FinishReason, choice.Message.Refusal)
}

// stream reads the answer as server-sent events. It requires a finish reason, because the client
// reports a connection that ends early as the end of the stream.
func (p *openAI) stream(
	ctx context.Context, params openai.ChatCompletionNewParams, header option.RequestOption, send func(string) error,
) (answer llm.Answer, err error) {
	params.StreamOptions.IncludeUsage = openai.Bool(true)
	stream := p.chat.NewStreaming(ctx, params, header)
	defer stream.Close()
	parts := sendParts{send: send}
	reason, refusal := "", ""
	for stream.Next() {
		chunk := stream.Current()
		answer.Model, answer.Usage = cmp.Or(chunk.Model, answer.Model), cmp.Or(openAIUsage(chunk.Usage), answer.Usage)
		for _, choice := range chunk.Choices {
			reason += choice.FinishReason
			refusal += choice.Delta.Refusal
			if err := parts.add(choice.Delta.Content); err != nil {
				return answer, err
			}
		}
	}
	if err = stream.Err(); err == nil && reason == "" {
		err = errCut
	}
	if err == nil {
		answer.Text = string(parts.text)
		answer, err = checkFinish(answer, reason, refusal)
	}
	return answer, parts.fail(err)
}

func openAIUsage(usage openai.CompletionUsage) llm.Usage {
	return llm.Usage{PromptTokens: int(usage.PromptTokens), AnswerTokens: int(usage.CompletionTokens)}
}

// openAIError returns the error of a response as a statusError, and other errors as they are.
func openAIError(err error) error {
	answer, ok := errors.AsType[*openai.Error](err)
	if !ok {
		return err
	}
	return newStatusError(err, answer.StatusCode, answer.Response, answer.Code)
}

// checkFinish returns an error if the finish reason or a refusal makes the answer unusable.
func checkFinish(answer llm.Answer, reason, refusal string) (llm.Answer, error) {
	return checkAnswer(answer, reason == "length", reason == "content_filter" || refusal != "")
}

func (p *openAI) params(task llm.Task, as outputMode) openai.ChatCompletionNewParams {
	params := openai.ChatCompletionNewParams{Model: task.Model}
	if system := systemPrompt(task, as); system != "" {
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
	case p.completionTokens:
		params.MaxCompletionTokens = openai.Int(int64(task.MaxTokens))
	default:
		params.MaxTokens = openai.Int(int64(task.MaxTokens))
	}
	return params
}

var notInName = regexp.MustCompile(`[^a-zA-Z0-9_-]+`)

func responseFormat(task llm.Task, as outputMode) (format openai.ChatCompletionNewParamsResponseFormatUnion) {
	switch as {
	case modeSchema:
		format.OfJSONSchema = &shared.ResponseFormatJSONSchemaParam{JSONSchema: shared.ResponseFormatJSONSchemaJSONSchemaParam{
			Name: notInName.ReplaceAllString(task.Name, "_"), Schema: task.Schema,
			Strict: openai.Bool(isStrictSchema(task.Schema)),
		}}
	case modeObject:
		format.OfJSONObject = &shared.ResponseFormatJSONObjectParam{}
	}
	return format
}
