package llm_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"rostrum/errs"
	"rostrum/llm"
	"rostrum/llm/offline"
)

// sayingEngine gives its answers in turn and keeps the prompts.
type sayingEngine struct {
	offline.Engine
	answers, prompts []string
}

func (e *sayingEngine) Run(_ context.Context, task llm.Task) (llm.Answer, error) {
	e.prompts = append(e.prompts, task.Prompt)
	said := e.answers[0]
	e.answers = e.answers[1:]
	return llm.Answer{Text: said}, nil
}

type rows struct {
	Rows []struct {
		Name string `json:"name"`
	} `json:"rows"`
}

var rowsSchema = json.RawMessage(`{"type":"object","properties":{"rows":{"type":"array","items":{"type":"object",
	"properties":{"name":{"type":"string"}},"required":["name"],"additionalProperties":false}}},"required":["rows"]}`)

// TestAsk checks that a malformed answer is requested again with what was wrong, and that a bad row
// does not fail the others.
func TestAsk(t *testing.T) {
	for name, c := range map[string]struct {
		answers       []string
		rows, dropped int
		calls         int
	}{
		"good":          {[]string{`{"rows":[{"name":"a"}]}`}, 1, 0, 1},
		"a_bad_row":     {[]string{`{"rows":[{"name":"a"},{"name":7},{"name":"b"},{}]}`}, 2, 2, 1},
		"no_json":       {[]string{`Here you are.`, `{"rows":[{"name":"a"}]}`}, 1, 0, 2},
		"only_bad_rows": {[]string{`{"rows":[{"name":1}]}`, `{"rows":[{"name":"a"}]}`}, 1, 0, 2},
		"twice_bad":     {[]string{`{"rows":7}`, `{"lines":[]}`}, -1, 0, 2},
	} {
		t.Run(name, func(t *testing.T) {
			engine := &sayingEngine{answers: c.answers}
			task := llm.Task{Name: "test.rows", Prompt: "List.", Schema: rowsSchema}
			got, answer, err := llm.Ask[rows](t.Context(), engine, task)
			if c.rows < 0 {
				if !errs.Is(err, errs.ModelFailed) {
					t.Errorf("the error is %v", err)
				}
			} else if err != nil || len(got.Rows) != c.rows || answer.Dropped != c.dropped {
				t.Errorf("%d rows, %d dropped, %v", len(got.Rows), answer.Dropped, err)
			}
			if len(engine.prompts) != c.calls {
				t.Fatalf("%d calls, want %d", len(engine.prompts), c.calls)
			}
			if c.calls > 1 && !strings.Contains(engine.prompts[1], "Your last answer cannot be used") {
				t.Errorf("the second prompt does not say what was wrong: %s", engine.prompts[1])
			}
		})
	}
}

// TestDeclined checks that a refusal is found in texts and in strings of JSON, unless the prompt has
// it.
func TestDeclined(t *testing.T) {
	const said = "I'm sorry, but I can't help with that."
	for answer, want := range map[string]bool{
		said: true, `{"rows":[{"name":"` + said + `"}]}`: true, "said " + `{"rows":[{"name":"a"}]}`: false,
	} {
		if got := (llm.Task{Schema: rowsSchema}).Declined(answer); got != want {
			t.Errorf("%s: %v", answer, got)
		}
	}
	if (llm.Task{Schema: rowsSchema, Prompt: "He wrote: " + said}).Declined(`{"rows":[{"name":"` + said + `"}]}`) {
		t.Error("a quotation of the prompt is taken for a refusal")
	}
}
