package server

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/sony/gobreaker/v2"

	"rostrum/llm"
)

// Protocol is the protocol of a model server.
type Protocol string

// The protocols. OpenAI's chat completions are the default.
const (
	ProtocolOpenAI    Protocol = "openai"
	ProtocolAnthropic Protocol = "anthropic"
)

// Config is the configuration of a model server.
type Config struct {
	Protocol Protocol

	BaseURL string        // with the version, such as "https://models.example/v1"
	Key     string        // none if empty
	Model   string        // default model
	Models  []string      // further models that a task may name
	Timeout time.Duration // limit of one call, retries included; 0 is callTime

	WebSearch bool           // the server accepts web_search_options; not with ProtocolAnthropic
	Price     llm.Price      // of the tokens, for the cost in records
	Record    llm.RecordFunc // is called after each request; nil for none
}

const (
	callTime = 2 * time.Minute
	attempts = 3 // per call, if the server is overloaded, fails, or closes the connection
	// delay before the second attempt; grows with jitter unless the server sends Retry-After
	firstWait = 500 * time.Millisecond
	tolerance = 5                // consecutive failed attempts of all calls that open the circuit breaker
	restTime  = 15 * time.Second // duration of the open circuit breaker; then one call probes the server
)

// protocol sends requests to a model server.
type protocol interface {
	// modes returns the ways to ask for structured output, strictest first. Every server supports
	// the last one.
	modes() []outputMode
	// request sends one request for the task's model. If send is not nil, the answer is streamed to
	// it. It returns the errors of failure.go, with the usage that the server reported.
	request(ctx context.Context, task llm.Task, mode outputMode, send func(delta string) error) (llm.Answer, error)
}

// modelServer calls a model server with retries and circuit breakers.
type modelServer struct {
	config   Config
	name     string // of the provider in records
	protocol protocol
	breakers map[string]*gobreaker.CircuitBreaker[llm.Answer] // by model, as a server may fail for one of them only
	// accepted output mode per model and task, if the server rejected a stricter one
	accepted sync.Map
	wait     time.Duration
}

func newModelServer(config Config, wait, rest time.Duration) *modelServer {
	if config.Timeout == 0 {
		config.Timeout = callTime
	}
	s := &modelServer{
		config: config, name: llm.HostOf(config.BaseURL), protocol: newProtocol(config), wait: wait,
		breakers: map[string]*gobreaker.CircuitBreaker[llm.Answer]{},
	}
	for _, name := range append([]string{config.Model}, config.Models...) {
		s.breakers[name] = newBreaker[llm.Answer](rest)
	}
	return s
}

func newProtocol(config Config) protocol {
	if config.Protocol == ProtocolAnthropic {
		return newAnthropic(config)
	}
	return newOpenAI(config)
}

// newClient returns the HTTP client of a server.
func newClient() *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone() //nolint:forcetypeassert // the standard library's own
	transport.MaxIdleConnsPerHost = 32
	return &http.Client{Transport: transport}
}

func newBreaker[T any](rest time.Duration) *gobreaker.CircuitBreaker[T] {
	return gobreaker.NewCircuitBreaker[T](gobreaker.Settings{
		Timeout:      rest,
		ReadyToTrip:  func(c gobreaker.Counts) bool { return c.ConsecutiveFailures >= tolerance },
		IsSuccessful: func(err error) bool { return err == nil || !isServerError(err) },
		IsExcluded:   isCallerError,
	})
}

// call calls the server for a task, with retries. It returns the last error.
func (s *modelServer) call(ctx context.Context, task llm.Task, send func(string) error) (llm.Answer, error) {
	return retryCall(ctx, s.config.Timeout, s.wait, s.breakers[task.Model],
		func(ctx context.Context) (llm.Answer, error) {
			return s.callWithSearch(ctx, task, send)
		})
}

// retryCall asks through the circuit breaker until there is an answer, attempts or time are
// exhausted, or the caller's context ends. The first pause is wait. It returns the last error.
func retryCall[T any](
	ctx context.Context, timeout, wait time.Duration, breaker *gobreaker.CircuitBreaker[T],
	ask func(context.Context) (T, error),
) (T, error) {
	limited, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	attempt := func() (T, error) {
		answer, err := breaker.Execute(func() (T, error) {
			answer, err := ask(limited)
			if err != nil && ctx.Err() != nil {
				err = &callerError{ctx.Err()}
			}
			return answer, err
		})
		return answer, classifyRetry(err)
	}
	pauses := backoff.NewExponentialBackOff()
	pauses.InitialInterval, pauses.Multiplier = wait, 3
	answer, err := backoff.Retry(limited, attempt, backoff.WithBackOff(pauses), backoff.WithMaxTries(attempts),
		backoff.WithMaxElapsedTime(timeout))
	if err != nil && ctx.Err() != nil {
		err = &callerError{ctx.Err()}
	}
	return answer, err
}

// callWithSearch enables web search if the task requests it. If the server rejects it for the
// model, it retries without.
func (s *modelServer) callWithSearch(ctx context.Context, task llm.Task, send func(string) error) (llm.Answer, error) {
	task.WebSearch = task.WebSearch && s.config.WebSearch && s.config.Protocol != ProtocolAnthropic
	answer, err := s.callWithMode(ctx, task, send)
	if task.WebSearch && rejectsMode(err) {
		task.WebSearch = false
		return s.callWithMode(ctx, task, send)
	}
	answer.Searched = task.WebSearch
	return answer, err
}

// callWithMode uses the strictest mode that the server is known to accept for the task, and the
// next one if it is rejected.
func (s *modelServer) callWithMode(ctx context.Context, task llm.Task, send func(string) error) (llm.Answer, error) {
	key := task.Model + " " + task.Name
	modes, first := s.protocol.modes(), 0
	if known, ok := s.accepted.Load(key); ok {
		first = known.(int) //nolint:forcetypeassert // only this method writes it
	}
	if task.Schema == nil {
		first = len(modes) - 1
	}
	for try := first; ; try++ {
		answer, err := s.requestOnce(ctx, task, modes[try], send)
		if err == nil && try > first {
			s.accepted.Store(key, try)
		}
		if try == len(modes)-1 || !rejectsMode(err) {
			return answer, err
		}
	}
}

// requestOnce sends one request and records it. If an answer repeats a command, it returns
// errObeyed before the part that completes it; if it declines the task, errDeclined.
func (s *modelServer) requestOnce(ctx context.Context, task llm.Task, mode outputMode,
	send func(string) error) (llm.Answer, error) {
	start := time.Now()
	if given := send; given != nil {
		streamed := ""
		send = func(delta string) error {
			streamed += delta
			switch {
			case task.Obeyed(streamed):
				return errObeyed
			case task.Declined(streamed):
				return errDeclined
			}
			return given(delta)
		}
	}
	answer, err := s.protocol.request(ctx, task, mode, send)
	switch {
	case errors.Is(err, errObeyed):
		err = &partialStreamError{errObeyed}
	case err == nil && task.Obeyed(answer.Text):
		err = errObeyed
	case err == nil && task.Declined(answer.Text):
		err = errDeclined
	case err == nil:
		answer.Warning = task.WarningOf(answer.Text)
	}
	s.record(ctx, task, time.Since(start), answer, err)
	return answer, err
}

// sendParts calls send with the parts of a stream and collects them. It is the state of one
// request.
type sendParts struct {
	send func(delta string) error
	text []byte
}

// add sends a part of the text without NUL characters. It returns send's error as a callerError.
func (p *sendParts) add(delta string) error {
	if delta = removeNULBytes(delta); delta == "" {
		return nil
	}
	p.text = append(p.text, delta...)
	if err := p.send(delta); err != nil {
		return &callerError{err}
	}
	return nil
}

// fail returns the error of a stream: partial if parts were sent, unless it is the caller's own.
func (p *sendParts) fail(err error) error {
	if _, callers := errors.AsType[*callerError](err); callers || err == nil || len(p.text) == 0 {
		return err
	}
	return &partialStreamError{err}
}
