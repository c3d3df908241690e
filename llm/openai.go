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

	"rostrum/errs"
)

// Config is the configuration of an OpenAI-compatible server.
type Config struct {
	BaseURL string        // with the version, such as "https://models.example/v1"
	Key     string        // bearer token; none if empty
	Model   string        // default model
	Models  []string      // further models that a task may name
	Timeout time.Duration // limit of one call, retries included; 0 is callTime

	WebSearch bool // the server accepts web_search_options
}

const (
	callTime  = 2 * time.Minute
	attempts  = 3                      // per call, if the server is overloaded, fails, or closes the connection
	firstWait = 500 * time.Millisecond // delay before the second attempt; grows with jitter unless the server sends Retry-After
	tolerance = 5                      // consecutive failed attempts of all calls that open the circuit breaker
	restTime  = 15 * time.Second       // duration of the open circuit breaker; then one call probes the server
)

// OpenAI calls a server with OpenAI's chat completions: OpenAI, Azure, Ollama, vLLM, llama.cpp. The operator configures its address, so
// private addresses are allowed.
type OpenAI struct {
	config   Config
	chat     openai.ChatCompletionService
	breakers map[string]*gobreaker.CircuitBreaker[Answer] // by model, as a server may fail for one of them only
	modes    sync.Map                                     // accepted output mode per model and task, if the server rejected a stricter one
	wait     time.Duration
}

// NewOpenAI returns the engine without calling the server.
func NewOpenAI(config Config) *OpenAI { return newOpenAI(config, firstWait, restTime) }

func newOpenAI(config Config, wait, rest time.Duration) *OpenAI {
	if config.Timeout == 0 {
		config.Timeout = callTime
	}
	transport := http.DefaultTransport.(*http.Transport).Clone() //nolint:forcetypeassert // the standard library's own
	transport.MaxIdleConnsPerHost = 32
	// openai.NewClient would read keys and addresses from the environment.
	options := []option.RequestOption{
		option.WithBaseURL(config.BaseURL), option.WithMaxRetries(0), option.WithHTTPClient(&http.Client{Transport: transport}),
	}
	if config.Key != "" {
		options = append(options, option.WithAPIKey(config.Key))
	}
	e := &OpenAI{
		config: config, chat: openai.NewChatCompletionService(options...), wait: wait, breakers: map[string]*gobreaker.CircuitBreaker[Answer]{},
	}
	for _, name := range append([]string{config.Model}, config.Models...) {
		e.breakers[name] = newBreaker(rest)
	}
	return e
}

func newBreaker(rest time.Duration) *gobreaker.CircuitBreaker[Answer] {
	return gobreaker.NewCircuitBreaker[Answer](gobreaker.Settings{
		Timeout:      rest,
		ReadyToTrip:  func(c gobreaker.Counts) bool { return c.ConsecutiveFailures >= tolerance },
		IsSuccessful: func(err error) bool { return err == nil || !isServerError(err) },
		IsExcluded:   isCallerError,
	})
}

// breakerOf returns the circuit breaker of the task's model. It returns errs.ValidationFailed for a model that is not configured.
func (e *OpenAI) breakerOf(task Task) (*gobreaker.CircuitBreaker[Answer], error) {
	if breaker := e.breakers[e.modelOf(task)]; breaker != nil {
		return breaker, nil
	}
	names := strings.Join(append([]string{e.config.Model}, e.config.Models...), ", ")
	return nil, errs.Invalid(errs.BodyField("value_error", "is not one of the models of this server: "+names, "model"))
}

// Model returns the configured model.
func (e *OpenAI) Model() string { return e.config.Model }

// Run implements Engine.
func (e *OpenAI) Run(ctx context.Context, task Task) (Answer, error) {
	return e.callWithRetry(ctx, task, e.requestOnce)
}

// Stream implements Engine. It retries only until the first part was sent.
func (e *OpenAI) Stream(ctx context.Context, task Task, send func(delta string) error) (Answer, error) {
	return e.callWithRetry(ctx, task, e.streamAttempt(send))
}

// attemptFunc calls the server once.
type attemptFunc func(context.Context, openai.ChatCompletionNewParams, ...option.RequestOption) (Answer, error)

// callWithRetry calls the server until it answers, attempts or time are exhausted, or the caller's context ends. It returns the last error.
func (e *OpenAI) callWithRetry(ctx context.Context, task Task, once attemptFunc) (Answer, error) {
	breaker, err := e.breakerOf(task)
	if err != nil {
		return Answer{}, err
	}
	limited, cancel := context.WithTimeout(ctx, e.config.Timeout)
	defer cancel()
	ask := func() (Answer, error) {
		answer, err := breaker.Execute(func() (Answer, error) {
			answer, err := e.callWithSearch(limited, task, once)
			if err != nil && ctx.Err() != nil {
				err = &callerError{ctx.Err()}
			}
			return answer, err
		})
		return answer, classifyRetry(err)
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
	return Answer{}, e.newFailure(task, err)
}

// requestOnce reads the answer as one body.
func (e *OpenAI) requestOnce(ctx context.Context, params openai.ChatCompletionNewParams, options ...option.RequestOption) (Answer, error) {
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
	return checkFinish(answer, choice.FinishReason, choice.Message.Refusal)
}

// streamAttempt reads the answer as server-sent events.
func (e *OpenAI) streamAttempt(send func(string) error) attemptFunc {
	return func(ctx context.Context, params openai.ChatCompletionNewParams, options ...option.RequestOption) (Answer, error) {
		stream := e.chat.NewStreaming(ctx, params, options...)
		defer stream.Close()
		var heard streamReader
		for stream.Next() {
			if err := heard.addChunk(stream.Current(), send); err != nil {
				return Answer{}, &callerError{err}
			}
		}
		answer, err := heard.finish(stream.Err())
		if err != nil && heard.text.Len() > 0 {
			err = &partialStreamError{err}
		}
		return answer, err
	}
}

// streamReader accumulates a streamed answer.
type streamReader struct {
	text, refusal strings.Builder
	model, reason string
	usage         Usage
}

func (h *streamReader) addChunk(chunk openai.ChatCompletionChunk, send func(string) error) error {
	h.model = cmp.Or(chunk.Model, h.model)
	h.usage = cmp.Or(Usage{int(chunk.Usage.PromptTokens), int(chunk.Usage.CompletionTokens)}, h.usage)
	for _, choice := range chunk.Choices {
		h.reason += choice.FinishReason
		h.refusal.WriteString(choice.Delta.Refusal)
		delta := removeNULBytes(choice.Delta.Content)
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

// finish validates the accumulated answer. The client reports a connection that ends early as the end of the stream, so a finish reason is
// required.
func (h *streamReader) finish(err error) (Answer, error) {
	if err != nil {
		return Answer{}, err
	}
	if h.reason == "" {
		return Answer{}, errCut
	}
	return checkFinish(Answer{Text: h.text.String(), Model: h.model, Usage: h.usage}, h.reason, h.refusal.String())
}

// removeNULBytes removes NUL characters, which Postgres cannot store.
func removeNULBytes(said string) string { return strings.ReplaceAll(said, "\x00", "") }

// checkFinish returns an error if the finish reason or a refusal makes the answer unusable.
func checkFinish(answer Answer, reason, refusal string) (Answer, error) {
	answer.Text = removeNULBytes(answer.Text)
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
