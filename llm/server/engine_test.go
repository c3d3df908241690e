package server_test

import (
	"context"
	"errors"
	"reflect"
	"sync"
	"testing"
	"time"

	"rostrum/errs"
	"rostrum/llm"
	"rostrum/llm/server"
	"rostrum/model"
	"rostrum/test/kit/llmtest"
	"rostrum/test/kit/poll"
)

// recorder collects records of requests.
type recorder struct {
	mu    sync.Mutex
	calls []*model.ModelCall
}

func (r *recorder) record(_ context.Context, call *model.ModelCall) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.calls = append(r.calls, call)
}

// outcomes returns the model and the outcome of each request.
func (r *recorder) outcomes() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var out []string
	for _, call := range r.calls {
		out = append(out, call.Model+" "+string(call.Outcome))
	}
	return out
}

// newPair returns an engine that asks first a server of OpenAI's protocol for the model first, then
// one of Anthropic's for the model second.
func newPair(first, second *llmtest.Server, record llm.RecordFunc, timeout time.Duration) *server.Engine {
	price := llm.Price{Prompt: new(0.15), Answer: new(2.0)}
	return server.NewWithPauses(time.Millisecond, breakerPause,
		server.Config{BaseURL: first.URL, Model: "first", Timeout: timeout, Record: record},
		server.Config{Protocol: server.ProtocolAnthropic, BaseURL: second.URL, Key: secretKey, Model: "second",
			Models: []string{"large"}, Timeout: longTimeout, Record: record, Price: price},
	)
}

// TestServers/… are the first server's failures after which the second answers. Each request is
// recorded.
func TestServers(t *testing.T) {
	for name, c := range map[string]struct {
		first llmtest.Answer
		want  []string
	}{
		"500": {llmtest.Answer{Status: 500}, []string{"first failed", "first failed", "first failed",
			"second ok"}},
		"429":     {llmtest.Answer{Status: 429, RetryAfter: "3600"}, []string{"first failed", "second ok"}},
		"401":     {llmtest.Answer{Status: 401}, []string{"first failed", "second ok"}},
		"400":     {llmtest.Answer{Status: 400}, []string{"first failed", "second ok"}},
		"timeout": {llmtest.Answer{Slow: true}, []string{"first failed", "second ok"}},
		"empty": {llmtest.Answer{Text: " "}, []string{"first malformed", "first malformed", "first malformed",
			"second ok"}},
		"refusal":  {llmtest.Answer{Declined: true}, []string{"first refused"}},
		"answered": {llmtest.Answer{Text: "Hello"}, []string{"first ok"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var r recorder
			timeout := longTimeout
			if name == "timeout" {
				timeout = 200 * time.Millisecond
			}
			second := llmtest.NewServer(t, llmtest.Answer{Text: "Hello"})
			engine := newPair(llmtest.NewServer(t, c.first), second, r.record, timeout)
			answer, err := engine.Run(t.Context(), pingTask)
			if name == "refusal" {
				checkFailure(t, err, errs.ModelFailed, "declined")
			} else if err != nil || answer.Text != "Hello" {
				t.Errorf("%+v, %v", answer, err)
			}
			if got := r.outcomes(); !reflect.DeepEqual(got, c.want) {
				t.Errorf("the records are %q, want %q", got, c.want)
			}
			if last := r.calls[len(r.calls)-1]; last.Model == "second" &&
				(*last.Cost() != 7.05e-06 || last.PromptTokens != llmtest.PromptTokens || last.Task != pingTask.Name) {
				t.Errorf("the record is %+v with the cost %v", last, *last.Cost())
			}
		})
	}
}

// TestServers_streams streams from the second server only if the first sent nothing.
func TestServers_streams(t *testing.T) {
	var r recorder
	second := llmtest.NewServer(t, llmtest.Answer{Text: "Hello there"})
	answer, err := callModes["stream"](t.Context(),
		newPair(llmtest.NewServer(t, llmtest.Answer{Status: 503}), second, r.record, longTimeout), pingTask)
	if err != nil || answer.Text != "Hello there" ||
		answer.Usage != (llm.Usage{PromptTokens: llmtest.PromptTokens, AnswerTokens: llmtest.AnswerTokens}) {
		t.Errorf("%+v, %v", answer, err)
	}
	cut := llmtest.NewServer(t, llmtest.Answer{Cut: true, Text: "one two three four"})
	_, err = newPair(cut, second, r.record, longTimeout).
		Stream(t.Context(), pingTask, func(string) error { return nil })
	checkFailure(t, err, errs.ModelFailed, "connection")
	if calls := len(second.Calls()); calls != 1 {
		t.Errorf("the second server was called %d times, want 1", calls)
	}
}

// TestServers_breaker skips a server that keeps failing.
func TestServers_breaker(t *testing.T) {
	first, second := llmtest.NewServer(t, llmtest.Answer{Status: 503, Times: 5}, llmtest.Answer{Text: "first"}),
		llmtest.NewServer(t, llmtest.Answer{Text: "second"})
	engine := newPair(first, second, nil, longTimeout)
	for range 4 {
		if answer, err := engine.Run(t.Context(), pingTask); err != nil || answer.Text != "second" {
			t.Errorf("%+v, %v", answer, err)
		}
	}
	if calls := len(first.Calls()); calls != 5 {
		t.Errorf("the first server was called %d times, want 5: the breaker is open", calls)
	}
	poll.Until(t, func() bool {
		answer, err := engine.Run(t.Context(), pingTask)
		return err == nil && answer.Text == "first"
	}, "the breaker stays open")
}

// TestServers_cancel checks that a canceled task ends the request at either server and asks no
// other.
func TestServers_cancel(t *testing.T) {
	slow, failing := llmtest.Answer{Slow: true}, llmtest.Answer{Status: 400}
	for name, c := range map[string]struct {
		first llmtest.Answer
		want  []string
	}{"first": {slow, []string{"first cancelled"}}, "second": {failing, []string{"first failed", "second cancelled"}}} {
		var r recorder
		engine := newPair(llmtest.NewServer(t, c.first), llmtest.NewServer(t, slow), r.record, longTimeout)
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(100*time.Millisecond, cancel)
		if _, err := engine.Run(ctx, pingTask); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
		if got := r.outcomes(); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: the records are %q, want %q", name, got, c.want)
		}
	}
}

// TestServers_models asks only the servers that have the model that a task names.
func TestServers_models(t *testing.T) {
	first, second := llmtest.NewServer(t), llmtest.NewServer(t, llmtest.Answer{Text: "Hello"})
	task := pingTask
	task.Model = "large"
	if _, err := newPair(first, second, nil, longTimeout).Run(t.Context(), task); err != nil ||
		second.Calls()[0].Model != "large" {
		t.Errorf("%v, %+v", err, second.Calls())
	}
	task.Model = "none"
	if _, err := newPair(first, second, nil, longTimeout).Run(t.Context(), task); !errs.Is(err, errs.ValidationFailed) {
		t.Error(err)
	}
}

// TestAnthropic checks the requests and the answers of Anthropic's protocol.
func TestAnthropic(t *testing.T) {
	start := func(answers ...llmtest.Answer) (*llmtest.Server, *server.Engine, *recorder) {
		scripted, r := llmtest.NewServer(t, answers...), &recorder{}
		return scripted, server.NewWithPauses(time.Millisecond, breakerPause, server.Config{
			Protocol: server.ProtocolAnthropic, BaseURL: scripted.URL, Key: secretKey, Model: "m", Timeout: longTimeout,
			Record: r.record,
		}), r
	}
	t.Run("the_server_receives_the_task", func(t *testing.T) {
		t.Setenv("ANTHROPIC_API_KEY", "of the environment")
		t.Setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:1")
		scripted, engine, _ := start(llmtest.Answer{Text: "Hel\x00lo"})
		answer, err := engine.Run(t.Context(), pingTask)
		if err != nil || answer != (llm.Answer{Text: "Hello", Model: llmtest.ScriptedModel,
			Usage: llm.Usage{PromptTokens: 7, AnswerTokens: 3}}) {
			t.Errorf("%+v, %v", answer, err)
		}
		want := llmtest.Call{Task: "test.ping", System: "Be brief.", Prompt: pingTask.Prompt, Model: "m",
			Authorization: secretKey, MaxTokens: 9}
		if calls := scripted.Calls(); len(calls) != 1 || calls[0] != want {
			t.Errorf("%+v", calls)
		}
	})
	t.Run("structured_output_is_the_input_of_a_tool", func(t *testing.T) {
		scripted, engine, r := start(llmtest.Answer{Text: `{"a":`, Times: 1}, llmtest.Answer{Text: `{"a":"x","b":2}`})
		got, _, err := llm.Ask[pairOf](t.Context(), engine, pair)
		if err != nil || got != (pairOf{"x", 2}) || scripted.Calls()[0].Format != "tool" {
			t.Errorf("%+v, %v, %+v", got, err, scripted.Calls())
		}
		if want := []string{"m malformed", "m ok"}; !reflect.DeepEqual(r.outcomes(), want) {
			t.Errorf("the records are %q, want %q", r.outcomes(), want)
		}
	})
	t.Run("a_server_without_tools", func(t *testing.T) {
		scripted, engine, _ := start(llmtest.Answer{Text: `{"a":"x","b":2}`, Refuses: []string{"tool"}})
		if got, _, err := llm.Ask[pairOf](t.Context(), engine, pair); err != nil || got != (pairOf{"x", 2}) ||
			len(scripted.Calls()) != 2 {
			t.Errorf("%+v, %v", got, err)
		}
	})
	t.Run("a_truncated_answer", func(t *testing.T) {
		_, engine, _ := start(llmtest.Answer{Text: "Hel", Truncated: true})
		if answer, err := engine.Run(t.Context(), pingTask); err != nil || !answer.Truncated {
			t.Errorf("%+v, %v", answer, err)
		}
	})
	t.Run("a_stream_interrupted_in_the_middle", func(t *testing.T) {
		scripted, engine, _ := start(llmtest.Answer{Cut: true, Text: "one two three four"})
		_, err := engine.Stream(t.Context(), pingTask, func(string) error { return nil })
		checkFailure(t, err, errs.ModelFailed, "connection")
		if len(scripted.Calls()) != 1 {
			t.Errorf("%d calls", len(scripted.Calls()))
		}
	})
}
