package llm_test

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
	"rostrum/testkit"
)

const (
	secret = "sk-very-secret"
	enough = 20 * time.Second // for what does not end by a time-out
	rest   = time.Second      // that a failing server is left alone for
)

// hasty is an engine on a scripted server, whose pauses are short.
func hasty(m *testkit.ModelServer, timeout time.Duration) *llm.OpenAI {
	config := llm.Config{BaseURL: m.URL, Key: secret, Model: testkit.ScriptedModel, Timeout: timeout}
	return llm.NewHasty(config, time.Millisecond, rest)
}

var ping = llm.Task{Name: "test.ping", System: "Be brief.", Prompt: "The prompt of ping", MaxTokens: 9}

type answers = []testkit.ModelAnswer

// TestOpenAI/… run against a server that speaks the real protocol.
func TestOpenAI(t *testing.T) {
	cases := map[string]struct {
		script answers
		want   llm.Answer
		code   errs.Code // of the failure, when there is one
		says   string
		calls  int
	}{
		"good":                 {script: answers{{Text: "Hello there"}}, want: said("Hello there"), calls: 1},
		"truncated":            {script: answers{{Text: "Hello", Truncated: true}}, want: llm.Answer{Text: "Hello", Model: testkit.ScriptedModel, Truncated: true}, calls: 1},
		"declined":             {script: answers{{Text: "No", Declined: true}}, code: errs.ModelFailed, says: "declined test.ping", calls: 1},
		"without_NUL":          {script: answers{{Text: "Hel\x00lo"}}, want: said("Hello"), calls: 1},
		"empty":                {script: answers{{}}, code: errs.ModelFailed, says: "empty answer", calls: 3},
		"slow":                 {script: answers{{Slow: true}}, code: errs.ModelTimeout, says: "did not answer test.ping within 300ms", calls: 1},
		"429_then_good":        {script: answers{{Status: 429, RetryAfter: "0.05", Times: 1}, {Text: "Hello"}}, want: said("Hello"), calls: 2},
		"429_with_a_long_wait": {script: answers{{Status: 429, RetryAfter: "3600"}}, code: errs.ModelFailed, says: "try again later", calls: 1},
		"500_twice_then_good":  {script: answers{{Status: 500, Times: 2}, {Text: "Hello"}}, want: said("Hello"), calls: 3},
		"500s":                 {script: answers{{Status: 500}}, code: errs.ModelFailed, says: "status 500", calls: 3},
		"401":                  {script: answers{{Status: 401}}, code: errs.ModelFailed, says: "refused this server's key", calls: 1},
		"404":                  {script: answers{{Status: 404}}, code: errs.ModelFailed, says: "status 404", calls: 1},
		"400":                  {script: answers{{Status: 400}}, code: errs.ModelFailed, says: "status 400", calls: 1},
	}
	for name, c := range cases {
		for face, ask := range faces {
			t.Run(name+"/"+face, func(t *testing.T) {
				t.Parallel()
				server := testkit.NewModelServer(t, c.script...)
				start := time.Now()
				timeout := enough
				if name == "slow" {
					timeout = 300 * time.Millisecond
				}
				got, err := ask(t.Context(), hasty(server, timeout), ping)
				checkFailure(t, err, c.code, c.says)
				got.Usage = llm.Usage{}
				if got != c.want {
					t.Errorf("the answer is %+v, want %+v", got, c.want)
				}
				if calls := len(server.Calls()); calls != c.calls {
					t.Errorf("the server was called %d times, want %d", calls, c.calls)
				}
				if name == "429_then_good" && time.Since(start) < 50*time.Millisecond {
					t.Error("the pause of Retry-After was not kept")
				}
			})
		}
	}
}

// TestOpenAI_searches/… hold that a search is asked for only where the server is known to take it, and given up where it refuses.
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
		server := testkit.NewModelServer(t, testkit.ModelAnswer{Text: "Hello", Refuses: c.refuses})
		engine := llm.NewOpenAI(llm.Config{BaseURL: server.URL, Model: "m", Timeout: enough, WebSearch: c.offered})
		task := ping
		task.WebSearch = c.asked
		answer, err := engine.Run(t.Context(), task)
		var calls []bool
		for _, call := range server.Calls() {
			calls = append(calls, call.WebSearch)
		}
		if err != nil || answer.Searched != c.searched || !reflect.DeepEqual(calls, c.calls) {
			t.Errorf("%s: searched %v by the calls %v, %v", name, answer.Searched, calls, err)
		}
	}
}

// TestOpenAI_blank: white space is no answer; a stream that has sent some cannot begin anew.
func TestOpenAI_blank(t *testing.T) {
	for face, calls := range map[string]int{"run": 3, "stream": 1} {
		server := testkit.NewModelServer(t, testkit.ModelAnswer{Text: " \n "})
		_, err := faces[face](t.Context(), hasty(server, enough), ping)
		checkFailure(t, err, errs.ModelFailed, "empty answer")
		if got := len(server.Calls()); got != calls {
			t.Errorf("%s called the server %d times, want %d", face, got, calls)
		}
	}
}

func said(text string) llm.Answer { return llm.Answer{Text: text, Model: testkit.ScriptedModel} }

// faces are both ways to ask; what is streamed must be the answer.
var faces = map[string]func(context.Context, llm.Engine, llm.Task) (llm.Answer, error){
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

// checkFailure holds an error to its code and sentence, which hold neither key nor prompt.
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
	if strings.Contains(err.Error(), secret) || strings.Contains(err.Error(), ping.Prompt) {
		t.Errorf("the failure tells what it must not: %v", err)
	}
}

// TestCall/… hold what is sent, and how calls end.
func TestCall(t *testing.T) {
	t.Run("the_server_gets_the_task", func(t *testing.T) {
		t.Setenv("OPENAI_API_KEY", "of the environment")
		t.Setenv("OPENAI_BASE_URL", "http://127.0.0.1:1")
		server := testkit.NewModelServer(t, testkit.ModelAnswer{Text: "Hello"})
		answer, err := hasty(server, enough).Run(t.Context(), ping)
		if err != nil || answer.Usage != (llm.Usage{PromptTokens: 7, AnswerTokens: 3}) {
			t.Errorf("%+v, %v", answer, err)
		}
		want := testkit.ModelCall{
			Task: "test.ping", System: "Be brief.", Prompt: ping.Prompt, Model: testkit.ScriptedModel, Authorization: "Bearer " + secret, MaxTokens: 9,
		}
		if calls := server.Calls(); len(calls) != 1 || calls[0] != want {
			t.Errorf("%+v", calls)
		}
	})
	t.Run("no_key_is_sent_where_there_is_none", func(t *testing.T) {
		t.Setenv("OPENAI_API_KEY", "of the environment")
		server := testkit.NewModelServer(t, testkit.ModelAnswer{Text: "Hello"})
		task := ping
		task.Model = "other"
		if _, err := llm.NewOpenAI(llm.Config{BaseURL: server.URL, Model: "m"}).Run(t.Context(), task); err != nil {
			t.Fatal(err)
		}
		if call := server.Calls()[0]; call.Authorization != "" || call.Model != "other" {
			t.Errorf("%+v", call)
		}
	})
	t.Run("a_cut_answer_is_asked_for_again", func(t *testing.T) {
		server := testkit.NewModelServer(t, testkit.ModelAnswer{Cut: true, Times: 1, Text: "Hello there, all"}, testkit.ModelAnswer{Text: "Hello"})
		if answer, err := hasty(server, enough).Run(t.Context(), ping); err != nil || answer.Text != "Hello" {
			t.Errorf("%+v, %v", answer, err)
		}
	})
	t.Run("a_stream_cut_in_the_middle_fails", func(t *testing.T) {
		server := testkit.NewModelServer(t, testkit.ModelAnswer{Cut: true, Text: "one two three four"})
		var sent []string
		_, err := hasty(server, enough).Stream(t.Context(), ping, func(s string) error { sent = append(sent, s); return nil })
		checkFailure(t, err, errs.ModelFailed, "connection to the text model's server failed during test.ping")
		if want := []string{"one ", "two "}; !reflect.DeepEqual(sent, want) || len(server.Calls()) != 1 {
			t.Errorf("sent %q in %d calls", sent, len(server.Calls()))
		}
	})
	t.Run("a_stream_cut_at_its_start_is_asked_for_again", func(t *testing.T) {
		server := testkit.NewModelServer(t, testkit.ModelAnswer{Cut: true, Times: 1, Text: "one"}, testkit.ModelAnswer{Text: "two"})
		if answer, err := faces["stream"](t.Context(), hasty(server, enough), ping); err != nil || answer.Text != "two" {
			t.Errorf("%+v, %v", answer, err)
		}
	})
	t.Run("a_caller_who_stops_ends_the_stream", func(t *testing.T) {
		server := testkit.NewModelServer(t, testkit.ModelAnswer{Text: "one two three"})
		stop := errors.New("stop")
		_, err := hasty(server, enough).Stream(t.Context(), ping, func(string) error { return stop })
		if !errors.Is(err, stop) || len(server.Calls()) != 1 {
			t.Errorf("%v after %d calls", err, len(server.Calls()))
		}
	})
	t.Run("cancelling_ends_at_once", func(t *testing.T) {
		server := testkit.NewModelServer(t, testkit.ModelAnswer{Slow: true})
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(30*time.Millisecond, cancel)
		start := time.Now()
		_, err := hasty(server, enough).Run(ctx, ping)
		if !errors.Is(err, context.Canceled) || time.Since(start) > 5*time.Second {
			t.Errorf("%v after %s", err, time.Since(start))
		}
	})
	t.Run("nobody_listens", func(t *testing.T) {
		engine := llm.NewHasty(llm.Config{BaseURL: "http://127.0.0.1:1/v1", Key: secret}, time.Millisecond, time.Second)
		_, err := engine.Run(t.Context(), ping)
		checkFailure(t, err, errs.ModelFailed, "connection")
	})
}

// TestBreaker holds that a failing server is left alone, and asked again after a rest.
func TestBreaker(t *testing.T) {
	server := testkit.NewModelServer(t, testkit.ModelAnswer{Status: 503, Times: 5}, testkit.ModelAnswer{Text: "Hello"})
	engine := hasty(server, enough)
	for range 2 {
		_, err := engine.Run(t.Context(), ping)
		checkFailure(t, err, errs.ModelFailed, "")
	}
	_, err := engine.Run(t.Context(), ping)
	checkFailure(t, err, errs.ModelFailed, "left alone")
	if calls := len(server.Calls()); calls != 5 {
		t.Errorf("the server was called %d times, want 5: the breaker is open", calls)
	}
	time.Sleep(rest)
	for range 2 {
		if answer, err := engine.Run(t.Context(), ping); err != nil || answer.Text != "Hello" {
			t.Errorf("after the rest: %+v, %v", answer, err)
		}
	}
}

// TestBreaker_ignores/… are failures that say nothing of the server's health.
func TestBreaker_ignores(t *testing.T) {
	for name, answer := range map[string]testkit.ModelAnswer{"bad_requests": {Status: 400}, "busy_answers": {Status: 429}, "refusals": {Declined: true}} {
		t.Run(name, func(t *testing.T) {
			answer.Times = 8
			server := testkit.NewModelServer(t, answer, testkit.ModelAnswer{Text: "Hello"})
			engine := hasty(server, enough)
			for {
				got, err := engine.Run(t.Context(), ping)
				if err == nil {
					if got.Text != "Hello" || len(server.Calls()) != 9 {
						t.Errorf("%+v after %d calls", got, len(server.Calls()))
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

// TestAsk/… hold the form of answers.
func TestAsk(t *testing.T) {
	const good = `{"a":"x","b":2}`
	cases := map[string]struct {
		script answers
		fails  string
		format []string // of each call
	}{
		"good":                  {script: answers{{Text: good}}, format: []string{"json_schema"}},
		"words_around":          {script: answers{{Text: "Here [you] are:\n```json\n" + good + "\n```"}}, format: []string{"json_schema"}},
		"malformed_then_good":   {script: answers{{Text: `{"a":`, Times: 1}, {Text: good}}, format: []string{"json_schema", "json_schema"}},
		"malformed_twice":       {script: answers{{Text: `{"a":`}}, fails: "does not have the form", format: []string{"json_schema", "json_schema"}},
		"against_the_schema":    {script: answers{{Text: `{"a":"x"}`}}, fails: "does not have the form", format: []string{"json_schema", "json_schema"}},
		"truncated_then_good":   {script: answers{{Text: `{"a":`, Truncated: true, Times: 1}, {Text: good}}, format: []string{"json_schema", "json_schema"}},
		"truncated":             {script: answers{{Text: `{"a":`, Truncated: true}}, fails: "cut off", format: []string{"json_schema", "json_schema"}},
		"server_without_schema": {script: answers{{Text: good, Refuses: []string{"json_schema"}}}, format: []string{"json_schema", "json_object"}},
		"server_without_forms":  {script: answers{{Text: good, Refuses: []string{"json_schema", "json_object"}}}, format: []string{"json_schema", "json_object", ""}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := testkit.NewModelServer(t, c.script...)
			got, answer, err := llm.Ask[pairOf](t.Context(), hasty(server, enough), pair)
			var formats []string
			for _, call := range server.Calls() {
				formats = append(formats, call.Format)
				if hasSchema := strings.Contains(call.System, `"additionalProperties":false`); hasSchema != (call.Format != "json_schema") {
					t.Errorf("asked for %q with the system's words %q", call.Format, call.System)
				}
			}
			if !reflect.DeepEqual(formats, c.format) {
				t.Errorf("asked in the forms %q, want %q", formats, c.format)
			}
			if c.fails != "" {
				checkFailure(t, err, errs.ModelFailed, c.fails)
				return
			}
			if err != nil || got != (pairOf{"x", 2}) || answer.Model != testkit.ScriptedModel {
				t.Errorf("%+v, %+v, %v", got, answer, err)
			}
		})
	}
	t.Run("without_NUL", func(t *testing.T) {
		server := testkit.NewModelServer(t, testkit.ModelAnswer{Text: `{"a":"x\u0000 \\u0000","b":2}`})
		if got, _, err := llm.Ask[pairOf](t.Context(), hasty(server, enough), pair); err != nil || got.A != `x \u0000` {
			t.Errorf("%q, %v", got.A, err)
		}
	})
	t.Run("twice_the_room_for_a_truncated_answer", func(t *testing.T) {
		server := testkit.NewModelServer(t, testkit.ModelAnswer{Text: "{", Truncated: true, Times: 1}, testkit.ModelAnswer{Text: good})
		if _, _, err := llm.Ask[pairOf](t.Context(), hasty(server, enough), pair); err != nil {
			t.Fatal(err)
		}
		if calls := server.Calls(); calls[0].MaxTokens != 10 || calls[1].MaxTokens != 20 || !calls[0].Strict {
			t.Errorf("%+v", calls)
		}
	})
	t.Run("a_refused_form_is_remembered", func(t *testing.T) {
		server := testkit.NewModelServer(t, testkit.ModelAnswer{Text: good, Refuses: []string{"json_schema"}})
		engine := hasty(server, enough)
		for range 2 {
			if _, _, err := llm.Ask[pairOf](t.Context(), engine, pair); err != nil {
				t.Fatal(err)
			}
		}
		if calls := server.Calls(); len(calls) != 3 || calls[2].Format != "json_object" {
			t.Errorf("%+v", calls)
		}
	})
	t.Run("optional_members_are_not_strict", func(t *testing.T) {
		server := testkit.NewModelServer(t, testkit.ModelAnswer{Text: good})
		task := pair
		task.Schema = json.RawMessage(`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer"}},"required":["a"]}`)
		if _, _, err := llm.Ask[pairOf](t.Context(), hasty(server, enough), task); err != nil || server.Calls()[0].Strict {
			t.Errorf("%v, %+v", err, server.Calls())
		}
	})
	t.Run("a_schema_that_is_none", func(t *testing.T) {
		task := pair
		task.Schema = json.RawMessage(`{"type":"thing"}`)
		if _, _, err := llm.Ask[pairOf](t.Context(), llm.Builtin{}, task); err == nil || errs.Is(err, errs.ModelFailed) {
			t.Errorf("%v", err)
		}
	})
}
