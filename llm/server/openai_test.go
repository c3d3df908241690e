package server_test

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"rostrum/errs"
	"rostrum/llm"
	"rostrum/llm/offline"
	"rostrum/llm/server"
	"rostrum/test/kit/llmtest"
	"rostrum/test/kit/poll"
)

const (
	secretKey    = "sk-very-secret"
	longTimeout  = 20 * time.Second // for calls that must not end by a timeout
	breakerPause = time.Second      // the breaker's pause after failures
)

// newFastEngine returns an engine on a scripted server with short pauses.
func newFastEngine(m *llmtest.Server, timeout time.Duration) *server.Engine {
	config := server.Config{BaseURL: m.URL, Key: secretKey, Model: llmtest.ScriptedModel, Models: []string{"other"},
		Timeout: timeout}
	return server.NewWithPauses(time.Millisecond, breakerPause, config)
}

var pingTask = llm.Task{Name: "test.ping", System: "Be brief.", Prompt: "The prompt of ping", MaxTokens: 9}

type scriptedAnswers = []llmtest.Answer

// TestOpenAI/… run against a server that implements the protocol.
func TestOpenAI(t *testing.T) {
	cases := map[string]struct {
		script scriptedAnswers
		want   llm.Answer
		code   errs.Code // of the failure, when there is one
		says   string
		calls  int
	}{
		"good": {script: scriptedAnswers{{Text: "Hello there"}}, want: collectStream("Hello there"),
			calls: 1},
		"truncated": {script: scriptedAnswers{{Text: "Hello", Truncated: true}},
			want: llm.Answer{Text: "Hello", Model: llmtest.ScriptedModel, Truncated: true}, calls: 1},
		"declined": {script: scriptedAnswers{{Text: "No", Declined: true}}, code: errs.ModelFailed,
			says: "declined test.ping", calls: 1},
		"without_NUL": {script: scriptedAnswers{{Text: "Hel\x00lo"}}, want: collectStream("Hello"), calls: 1},
		"empty":       {script: scriptedAnswers{{}}, code: errs.ModelFailed, says: "empty answer", calls: 3},
		"slow": {script: scriptedAnswers{{Slow: true}}, code: errs.ModelTimeout,
			says: "did not answer test.ping within 300ms", calls: 1},
		"429_then_good": {script: scriptedAnswers{{Status: 429, RetryAfter: "0.05", Times: 1}, {Text: "Hello"}},
			want: collectStream("Hello"), calls: 2},
		"429_with_a_long_wait": {script: scriptedAnswers{{Status: 429, RetryAfter: "3600"}}, code: errs.ModelFailed,
			says: "try again later", calls: 1},
		"500_twice_then_good": {script: scriptedAnswers{{Status: 500, Times: 2}, {Text: "Hello"}},
			want: collectStream("Hello"), calls: 3},
		"500s": {script: scriptedAnswers{{Status: 500}}, code: errs.ModelFailed, says: "status 500",
			calls: 3},
		"401": {script: scriptedAnswers{{Status: 401}}, code: errs.ModelFailed,
			says: "refused this server's key", calls: 1},
		"404": {script: scriptedAnswers{{Status: 404}}, code: errs.ModelFailed, says: "status 404",
			calls: 1},
		"400": {script: scriptedAnswers{{Status: 400}}, code: errs.ModelFailed, says: "status 400",
			calls: 1},
	}
	for name, c := range cases {
		for face, ask := range callModes {
			t.Run(name+"/"+face, func(t *testing.T) {
				t.Parallel()
				scripted := llmtest.NewServer(t, c.script...)
				start := time.Now()
				timeout := longTimeout
				if name == "slow" {
					timeout = 300 * time.Millisecond
				}
				got, err := ask(t.Context(), newFastEngine(scripted, timeout), pingTask)
				checkFailure(t, err, c.code, c.says)
				got.Usage = llm.Usage{}
				if got != c.want {
					t.Errorf("the answer is %+v, want %+v", got, c.want)
				}
				if calls := len(scripted.Calls()); calls != c.calls {
					t.Errorf("the server was called %d times, want %d", calls, c.calls)
				}
				if name == "429_then_good" && time.Since(start) < 50*time.Millisecond {
					t.Error("the pause of Retry-After was ignored")
				}
			})
		}
	}
}

// TestOpenAI_searches/… check that a search is requested only if the server supports it, and not
// again when it rejects it.
func TestOpenAI_searches(t *testing.T) {
	for name, c := range map[string]struct {
		offered, asked bool
		refuses        []string
		searched       bool
		calls          []bool // whether each lets the model search
	}{
		"asked_and_offered": {offered: true, asked: true, searched: true, calls: []bool{true}},
		"not_asked":         {offered: true, calls: []bool{false}},
		"not_offered":       {asked: true, calls: []bool{false}},
		"refused":           {offered: true, asked: true, refuses: []string{"web_search"}, calls: []bool{true, false}},
	} {
		scripted := llmtest.NewServer(t, llmtest.Answer{Text: "Hello", Refuses: c.refuses})
		engine := server.New(server.Config{BaseURL: scripted.URL, Model: "m", Timeout: longTimeout,
			WebSearch: c.offered})
		task := pingTask
		task.WebSearch = c.asked
		answer, err := engine.Run(t.Context(), task)
		var calls []bool
		for _, call := range scripted.Calls() {
			calls = append(calls, call.WebSearch)
		}
		if err != nil || answer.Searched != c.searched || !reflect.DeepEqual(calls, c.calls) {
			t.Errorf("%s: searched %v by the calls %v, %v", name, answer.Searched, calls, err)
		}
	}
}

// TestOpenAI_blank checks that white space is an empty answer. A stream that has sent some cannot
// be retried.
func TestOpenAI_blank(t *testing.T) {
	for face, calls := range map[string]int{"run": 3, "stream": 1} {
		scripted := llmtest.NewServer(t, llmtest.Answer{Text: " \n "})
		_, err := callModes[face](t.Context(), newFastEngine(scripted, longTimeout), pingTask)
		checkFailure(t, err, errs.ModelFailed, "empty answer")
		if got := len(scripted.Calls()); got != calls {
			t.Errorf("%s called the server %d times, want %d", face, got, calls)
		}
	}
}

func collectStream(text string) llm.Answer {
	return llm.Answer{Text: text, Model: llmtest.ScriptedModel}
}

// callModes are both ways to call an engine; the streamed text must equal the answer.
var callModes = map[string]func(context.Context, llm.Engine, llm.Task) (llm.Answer, error){
	"run": func(ctx context.Context, e llm.Engine, task llm.Task) (llm.Answer, error) { return e.Run(ctx, task) },
	"stream": func(ctx context.Context, e llm.Engine, task llm.Task) (llm.Answer, error) {
		var sent strings.Builder
		answer, err := e.Stream(ctx, task, func(delta string) error { sent.WriteString(delta); return nil })
		if err == nil && sent.String() != answer.Text {
			return answer, errors.New("sent " + sent.String())
		}
		return answer, err
	},
}

// checkFailure checks an error's code and text, which contain neither key nor prompt.
func checkFailure(t *testing.T, err error, code errs.Code, says string) {
	t.Helper()
	if code == "" {
		if err != nil {
			t.Fatal(err)
		}
		return
	}
	if !errs.Is(err, code) || !strings.Contains(errs.From(err).Message, says) {
		t.Fatalf("the failure is %v, want %s: … %s …", err, code, says)
	}
	if strings.Contains(err.Error(), secretKey) || strings.Contains(err.Error(), pingTask.Prompt) {
		t.Errorf("the error contains the key or the prompt: %v", err)
	}
}

// TestCall/… check the requests and the end of calls.
func TestCall(t *testing.T) {
	t.Run("the_server_receives_the_task", func(t *testing.T) {
		t.Setenv("OPENAI_API_KEY", "of the environment")
		t.Setenv("OPENAI_BASE_URL", "http://127.0.0.1:1")
		scripted := llmtest.NewServer(t, llmtest.Answer{Text: "Hello"})
		answer, err := newFastEngine(scripted, longTimeout).Run(t.Context(), pingTask)
		if err != nil || answer.Usage != (llm.Usage{PromptTokens: 7, AnswerTokens: 3}) {
			t.Errorf("%+v, %v", answer, err)
		}
		want := llmtest.Call{
			Task: "test.ping", System: "Be brief.", Prompt: pingTask.Prompt, Model: llmtest.ScriptedModel,
			Authorization: "Bearer " + secretKey, MaxTokens: 9,
		}
		if calls := scripted.Calls(); len(calls) != 1 || calls[0] != want {
			t.Errorf("%+v", calls)
		}
	})
	t.Run("no_key_is_sent_when_none_is_configured", func(t *testing.T) {
		t.Setenv("OPENAI_API_KEY", "of the environment")
		scripted := llmtest.NewServer(t, llmtest.Answer{Text: "Hello"})
		task := pingTask
		task.Model = "other"
		if _, err := server.New(server.Config{BaseURL: scripted.URL, Model: "m", Models: []string{"other"}}).
			Run(t.Context(), task); err != nil {
			t.Fatal(err)
		}
		if call := scripted.Calls()[0]; call.Authorization != "" || call.Model != "other" {
			t.Errorf("%+v", call)
		}
	})
	t.Run("a_model_that_is_not_configured_is_rejected", func(t *testing.T) {
		scripted := llmtest.NewServer(t, llmtest.Answer{Text: "Hello"})
		task := pingTask
		task.Model = "other"
		_, err := server.New(server.Config{BaseURL: scripted.URL, Model: "m"}).Run(t.Context(), task)
		if !errs.Is(err, errs.ValidationFailed) || len(scripted.Calls()) != 0 {
			t.Errorf("%v after %d calls", err, len(scripted.Calls()))
		}
	})
	t.Run("an_interrupted_answer_is_requested_again", func(t *testing.T) {
		scripted := llmtest.NewServer(t, llmtest.Answer{Cut: true, Times: 1, Text: "Hello there, all"},
			llmtest.Answer{Text: "Hello"})
		if answer, err := newFastEngine(scripted, longTimeout).Run(t.Context(), pingTask); err != nil ||
			answer.Text != "Hello" {
			t.Errorf("%+v, %v", answer, err)
		}
	})
	t.Run("a_stream_interrupted_in_the_middle_fails", func(t *testing.T) {
		scripted := llmtest.NewServer(t, llmtest.Answer{Cut: true, Text: "one two three four"})
		var sent []string
		_, err := newFastEngine(scripted, longTimeout).
			Stream(t.Context(), pingTask, func(s string) error { sent = append(sent, s); return nil })
		checkFailure(t, err, errs.ModelFailed, "connection to the text model's server failed during test.ping")
		if want := []string{"one ", "two "}; !reflect.DeepEqual(sent, want) || len(scripted.Calls()) != 1 {
			t.Errorf("sent %q in %d calls", sent, len(scripted.Calls()))
		}
	})
	t.Run("a_stream_interrupted_at_its_start_is_requested_again", func(t *testing.T) {
		scripted := llmtest.NewServer(t, llmtest.Answer{Cut: true, Times: 1, Text: "one"}, llmtest.Answer{Text: "two"})
		if answer, err := callModes["stream"](t.Context(), newFastEngine(scripted, longTimeout),
			pingTask); err != nil || answer.Text != "two" {
			t.Errorf("%+v, %v", answer, err)
		}
	})
	t.Run("a_callback_error_ends_the_stream", func(t *testing.T) {
		scripted := llmtest.NewServer(t, llmtest.Answer{Text: "one two three"})
		stop := errors.New("stop")
		_, err := newFastEngine(scripted, longTimeout).Stream(t.Context(), pingTask, func(string) error { return stop })
		if !errors.Is(err, stop) || len(scripted.Calls()) != 1 {
			t.Errorf("%v after %d calls", err, len(scripted.Calls()))
		}
	})
	t.Run("cancelling_ends_at_once", func(t *testing.T) {
		scripted := llmtest.NewServer(t, llmtest.Answer{Slow: true})
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(30*time.Millisecond, cancel)
		if _, err := newFastEngine(scripted, longTimeout).Run(ctx, pingTask); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
	t.Run("connection_refused", func(t *testing.T) {
		engine := server.NewWithPauses(time.Millisecond, time.Second,
			server.Config{BaseURL: "http://127.0.0.1:1/v1", Key: secretKey})
		_, err := engine.Run(t.Context(), pingTask)
		checkFailure(t, err, errs.ModelFailed, "connection")
	})
}

// TestBreaker checks that a failing server gets no calls until the pause ends.
func TestBreaker(t *testing.T) {
	scripted := llmtest.NewServer(t, llmtest.Answer{Status: 503, Times: 5}, llmtest.Answer{Text: "Hello"})
	engine := newFastEngine(scripted, longTimeout)
	for range 2 {
		_, err := engine.Run(t.Context(), pingTask)
		checkFailure(t, err, errs.ModelFailed, "")
	}
	_, err := engine.Run(t.Context(), pingTask)
	checkFailure(t, err, errs.ModelFailed, "left alone")
	if calls := len(scripted.Calls()); calls != 5 {
		t.Errorf("the server was called %d times, want 5: the breaker is open", calls)
	}
	other := pingTask
	other.Model = "other"
	if _, err := engine.Run(t.Context(), other); err != nil {
		t.Errorf("another model of the server: %v", err)
	}
	poll.Until(t, func() bool { _, err := engine.Run(t.Context(), pingTask); return err == nil },
		"the breaker stays open")
	for range 2 {
		if answer, err := engine.Run(t.Context(), pingTask); err != nil || answer.Text != "Hello" {
			t.Errorf("after the pause: %+v, %v", answer, err)
		}
	}
}

// TestBreaker_ignores/… are failures that do not indicate a problem of the server.
func TestBreaker_ignores(t *testing.T) {
	for name, answer := range map[string]llmtest.Answer{"bad_requests": {Status: 400}, "busy_answers": {Status: 429},
		"refusals": {Declined: true}} {
		t.Run(name, func(t *testing.T) {
			answer.Times = 8
			scripted := llmtest.NewServer(t, answer, llmtest.Answer{Text: "Hello"})
			engine := newFastEngine(scripted, longTimeout)
			for {
				got, err := engine.Run(t.Context(), pingTask)
				if err == nil {
					if got.Text != "Hello" || len(scripted.Calls()) != 9 {
						t.Errorf("%+v after %d calls", got, len(scripted.Calls()))
					}
					return
				}
				checkFailure(t, err, errs.ModelFailed, "")
				if strings.Contains(err.Error(), "left alone") {
					t.Fatal(err)
				}
			}
		})
	}
}

var pair = llm.Task{
	Name: "test.pair", Prompt: "A pair", MaxTokens: 10,
	Schema: json.RawMessage(`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer"}},"required":["a","b"],"additionalProperties":false}`),
}

type pairOf struct {
	A string
	B int
}

// TestAsk/… check the format of answers.
func TestAsk(t *testing.T) {
	const good = `{"a":"x","b":2}`
	cases := map[string]struct {
		script scriptedAnswers
		fails  string
		format []string // of each call
	}{
		"good": {script: scriptedAnswers{{Text: good}}, format: []string{"json_schema"}},
		"surrounding_text": {script: scriptedAnswers{{Text: "Here [you] are:\n```json\n" + good + "\n```"}},
			format: []string{"json_schema"}},
		"malformed_then_good": {script: scriptedAnswers{{Text: `{"a":`, Times: 1}, {Text: good}},
			format: []string{"json_schema", "json_schema"}},
		"malformed_twice": {script: scriptedAnswers{{Text: `{"a":`}}, fails: "does not have the form",
			format: []string{"json_schema", "json_schema"}},
		"against_the_schema": {script: scriptedAnswers{{Text: `{"a":"x"}`}}, fails: "does not have the form",
			format: []string{"json_schema", "json_schema"}},
		"truncated_then_good": {script: scriptedAnswers{{Text: `{"a":`, Truncated: true, Times: 1}, {Text: good}},
			format: []string{"json_schema", "json_schema"}},
		"truncated": {script: scriptedAnswers{{Text: `{"a":`, Truncated: true}}, fails: "cut off",
			format: []string{"json_schema", "json_schema"}},
		"server_without_schema": {script: scriptedAnswers{{Text: good, Refuses: []string{"json_schema"}}},
			format: []string{"json_schema", "json_object"}},
		"server_without_forms": {script: scriptedAnswers{{Text: good,
			Refuses: []string{"json_schema", "json_object"}}}, format: []string{"json_schema", "json_object", ""}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			scripted := llmtest.NewServer(t, c.script...)
			got, answer, err := llm.Ask[pairOf](t.Context(), newFastEngine(scripted, longTimeout), pair)
			var formats []string
			for _, call := range scripted.Calls() {
				formats = append(formats, call.Format)
				if hasSchema := strings.Contains(call.System,
					`"additionalProperties":false`); hasSchema != (call.Format != "json_schema") {
					t.Errorf("requested %q with the system prompt %q", call.Format, call.System)
				}
			}
			if !reflect.DeepEqual(formats, c.format) {
				t.Errorf("requested the formats %q, want %q", formats, c.format)
			}
			if c.fails != "" {
				checkFailure(t, err, errs.ModelFailed, c.fails)
				return
			}
			if err != nil || got != (pairOf{"x", 2}) || answer.Model != llmtest.ScriptedModel {
				t.Errorf("%+v, %+v, %v", got, answer, err)
			}
		})
	}
	t.Run("without_NUL", func(t *testing.T) {
		scripted := llmtest.NewServer(t, llmtest.Answer{Text: `{"a":"x\u0000 \\u0000","b":2}`})
		if got, _, err := llm.Ask[pairOf](t.Context(), newFastEngine(scripted, longTimeout), pair); err != nil ||
			got.A != `x \u0000` {
			t.Errorf("%q, %v", got.A, err)
		}
	})
	t.Run("doubles_the_token_limit_after_a_truncated_answer", func(t *testing.T) {
		scripted := llmtest.NewServer(t, llmtest.Answer{Text: "{", Truncated: true, Times: 1},
			llmtest.Answer{Text: good})
		if _, _, err := llm.Ask[pairOf](t.Context(), newFastEngine(scripted, longTimeout), pair); err != nil {
			t.Fatal(err)
		}
		if calls := scripted.Calls(); calls[0].MaxTokens != 10 || calls[1].MaxTokens != 20 || !calls[0].Strict {
			t.Errorf("%+v", calls)
		}
	})
	t.Run("a_rejected_format_is_remembered", func(t *testing.T) {
		scripted := llmtest.NewServer(t, llmtest.Answer{Text: good, Refuses: []string{"json_schema"}})
		engine := newFastEngine(scripted, longTimeout)
		for range 2 {
			if _, _, err := llm.Ask[pairOf](t.Context(), engine, pair); err != nil {
				t.Fatal(err)
			}
		}
		if calls := scripted.Calls(); len(calls) != 3 || calls[2].Format != "json_object" {
			t.Errorf("%+v", calls)
		}
	})
	t.Run("optional_members_are_not_strict", func(t *testing.T) {
		scripted := llmtest.NewServer(t, llmtest.Answer{Text: good})
		task := pair
		task.Schema = json.RawMessage(`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer"}},"required":["a"]}`)
		if _, _, err := llm.Ask[pairOf](t.Context(), newFastEngine(scripted, longTimeout), task); err != nil ||
			scripted.Calls()[0].Strict {
			t.Errorf("%v, %+v", err, scripted.Calls())
		}
	})
	t.Run("an_invalid_schema", func(t *testing.T) {
		task := pair
		task.Schema = json.RawMessage(`{"type":"thing"}`)
		if _, _, err := llm.Ask[pairOf](t.Context(), offline.Engine{}, task); err == nil ||
			errs.Is(err, errs.ModelFailed) {
			t.Errorf("%v", err)
		}
	})
}
