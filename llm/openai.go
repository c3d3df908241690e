package llm

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/sony/gobreaker/v2"
)

// Config says which server answers and how long it may take.
type Config struct {
	BaseURL string        // with the version, as in "https://models.example/v1"
	Key     string        // sent as a bearer token; none when empty
	Model   string        // what answers when a task does not choose
	Timeout time.Duration // of one call, the pauses between its attempts included; 0 is callTime

	WebSearch bool // the server takes web_search_options
}

const (
	callTime  = 2 * time.Minute
	attempts  = 3                      // of one call, while the server is overloaded, fails, or cuts the connection
	firstWait = 500 * time.Millisecond // before the second attempt; it grows, with jitter, unless the server's Retry-After says otherwise
	tolerance = 5                      // failed attempts in a row, of all calls, after which the server is left alone
	restTime  = 15 * time.Second       // for that long; then one call tries whether it is back
)

// OpenAI asks a server that speaks OpenAI's chat completions: OpenAI, Azure, Ollama, vLLM, llama.cpp. The address is the operator's, so it
// may be private.
type OpenAI struct {
	config  Config
	chat    openai.ChatCompletionService
	breaker *gobreaker.CircuitBreaker[Answer]
	forms   sync.Map // the form that the server takes for a model and a task, where it refused a better one
	wait    time.Duration
}

// NewOpenAI makes the engine; it calls nobody yet.
func NewOpenAI(config Config) *OpenAI { return newOpenAI(config, firstWait, restTime) }

func newOpenAI(config Config, wait, rest time.Duration) *OpenAI {
	if config.Timeout == 0 {
		config.Timeout = callTime
	}
	transport := http.DefaultTransport.(*http.Transport).Clone() //nolint:forcetypeassert // the standard library's own
	transport.MaxIdleConnsPerHost = 32
	// The service is made by itself because openai.NewClient would take keys and addresses from the environment.
	options := []option.RequestOption{
		option.WithBaseURL(config.BaseURL), option.WithMaxRetries(0), option.WithHTTPClient(&http.Client{Transport: transport}),
	}
	if config.Key != "" {
		options = append(options, option.WithAPIKey(config.Key))
	}
	return &OpenAI{
		config: config, chat: openai.NewChatCompletionService(options...), wait: wait,
		breaker: gobreaker.NewCircuitBreaker[Answer](gobreaker.Settings{
			Timeout:      rest,
			ReadyToTrip:  func(c gobreaker.Counts) bool { return c.ConsecutiveFailures >= tolerance },
			IsSuccessful: func(err error) bool { return err == nil || !serverFailed(err) },
			IsExcluded:   notTheServers,
		}),
	}
}

// Model is the one of the configuration.
func (e *OpenAI) Model() string { return e.config.Model }

// Run implements Engine.
func (e *OpenAI) Run(ctx context.Context, task Task) (Answer, error) {
	return e.call(ctx, task, e.whole)
}

// Stream implements Engine; it asks again only while nothing has been sent.
func (e *OpenAI) Stream(ctx context.Context, task Task, send func(delta string) error) (Answer, error) {
	return e.call(ctx, task, e.inPieces(send))
}

// attempt asks the server once.
type attempt func(context.Context, openai.ChatCompletionNewParams, ...option.RequestOption) (Answer, error)

// call asks until there is an answer, attempts or time are used up, or the caller is gone.
func (e *OpenAI) call(ctx context.Context, task Task, once attempt) (Answer, error) {
	limited, cancel := context.WithTimeout(ctx, e.config.Timeout)
	defer cancel()
	ask := func() (Answer, error) {
		answer, err := e.breaker.Execute(func() (Answer, error) {
			answer, err := e.searched(limited, task, once)
			if err != nil && ctx.Err() != nil {
				err = &callersError{ctx.Err()}
			}
			return answer, err
		})
		return answer, again(err)
	}
	pauses := backoff.NewExponentialBackOff()
	pauses.InitialInterval, pauses.Multiplier = e.wait, 3
	answer, err := backoff.Retry(limited, ask, backoff.WithBackOff(pauses), backoff.WithMaxTries(attempts),
		backoff.WithMaxElapsedTime(e.config.Timeout))
	switch {
	case err == nil:
		return answer, nil
	case ctx.Err() != nil:
		return Answer{}, ctx.Err()
	}
	return Answer{}, e.failure(task, err)
}

// whole takes the answer in one body.
func (e *OpenAI) whole(ctx context.Context, params openai.ChatCompletionNewParams, options ...option.RequestOption) (Answer, error) {
	got, err := e.chat.New(ctx, params, options...)
	if err != nil {
		return Answer{}, err
	}
	if len(got.Choices) == 0 {
		return Answer{}, errNoAnswer
	}
	choice := got.Choices[0]
	usage := Usage{int(got.Usage.PromptTokens), int(got.Usage.CompletionTokens)}
	answer := Answer{Text: choice.Message.Content, Model: got.Model, Usage: usage}
	return finished(answer, choice.FinishReason, choice.Message.Refusal)
}

// inPieces takes the answer as server-sent events.
func (e *OpenAI) inPieces(send func(string) error) attempt {
	return func(ctx context.Context, params openai.ChatCompletionNewParams, options ...option.RequestOption) (Answer, error) {
		stream := e.chat.NewStreaming(ctx, params, options...)
		defer stream.Close()
		var heard hearing
		for stream.Next() {
			if err := heard.take(stream.Current(), send); err != nil {
				return Answer{}, &callersError{err}
			}
		}
		answer, err := heard.end(stream.Err())
		if err != nil && heard.text.Len() > 0 {
			err = &lateError{err}
		}
		return answer, err
	}
}

// hearing is an answer that is coming in.
type hearing struct {
	text, refusal strings.Builder
	model, reason string
	usage         Usage
}

func (h *hearing) take(chunk openai.ChatCompletionChunk, send func(string) error) error {
	h.model = cmp.Or(chunk.Model, h.model)
	h.usage = cmp.Or(Usage{int(chunk.Usage.PromptTokens), int(chunk.Usage.CompletionTokens)}, h.usage)
	for _, choice := range chunk.Choices {
		h.reason += choice.FinishReason
		h.refusal.WriteString(choice.Delta.Refusal)
		delta := storable(choice.Delta.Content)
		if delta == "" {
			continue
		}
		h.text.WriteString(delta)
		if err := send(delta); err != nil {
			return err
		}
	}
	return nil
}

// end judges what was heard; the client takes a connection that ends early for the end, so only a reason is one.
func (h *hearing) end(err error) (Answer, error) {
	if err != nil {
		return Answer{}, err
	}
	if h.reason == "" {
		return Answer{}, errCut
	}
	return finished(Answer{Text: h.text.String(), Model: h.model, Usage: h.usage}, h.reason, h.refusal.String())
}

// storable leaves out the one character that Postgres keeps in no text.
func storable(said string) string { return strings.ReplaceAll(said, "\x00", "") }

// finished judges an answer by why it ended.
func finished(answer Answer, reason, refusal string) (Answer, error) {
	answer.Text = storable(answer.Text)
	switch {
	case reason == "content_filter" || refusal != "":
		return Answer{}, errDeclined
	case strings.TrimSpace(answer.Text) == "" && reason != "length":
		return Answer{}, errNoAnswer
	}
	answer.Truncated = reason == "length"
	return answer, nil
}

var (
	errCut      = errors.New("the connection ended before the answer")
	errNoAnswer = errors.New("the answer is empty")
	errDeclined = errors.New("the model declined")
)
