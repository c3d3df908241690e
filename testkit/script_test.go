package testkit

import (
	"reflect"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"rostrum/app"
	"rostrum/llm"
)

const script = `
-- model/tag.apply/first --
@when Acme Corp
@times 1
@status 429 0
-- model/tag.apply --
@refuses json_schema
@refuses json_object
{"value": "x"}

-- model/content.generate --
@truncated
One two
-- model/x --
@slow
-- model/y --
@cut
@declined
-- site/page.html --
not for the model
`

// TestScript/… hold how a scenario scripts its model.
func TestScript(t *testing.T) {
	t.Run("lines_and_text", func(t *testing.T) {
		got, err := modelAnswers(txtar.Parse([]byte(script)).Files)
		want := []ModelAnswer{
			{Task: "tag.apply", When: "Acme Corp", Times: 1, Status: 429, RetryAfter: "0"},
			{Task: "tag.apply", Refuses: []string{"json_schema", "json_object"}, Text: `{"value": "x"}`},
			{Task: "content.generate", Truncated: true, Text: "One two"},
			{Task: "x", Slow: true},
			{Task: "y", Cut: true, Declined: true},
		}
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%+v, %v", got, err)
		}
	})
	t.Run("what_is_no_line_is_named", func(t *testing.T) {
		for _, line := range []string{"@often", "@times many", "@status bad"} {
			_, err := modelAnswers([]txtar.File{{Name: "model/x", Data: []byte(line + "\n")}})
			if err == nil || !strings.Contains(err.Error(), "model/x") {
				t.Errorf("%s: %v", line, err)
			}
		}
	})
	t.Run("the_app_asks_it", func(t *testing.T) {
		s := &scenario{t: t}
		config := s.withModel(app.Config{}, txtar.Parse([]byte(script)))
		engine := llm.NewOpenAI(llm.Config{BaseURL: config.LLMBaseURL, Model: config.LLMModel})
		answer, err := engine.Run(t.Context(), llm.Task{Name: "content.generate", Prompt: "p"})
		if err != nil || answer.Text != "One two" || !answer.Truncated || answer.Model != ScriptedModel {
			t.Errorf("%+v, %v", answer, err)
		}
	})
	t.Run("the_built_in_engine_without_a_script", func(t *testing.T) {
		s := &scenario{t: t}
		if config := s.withModel(app.Config{}, &txtar.Archive{}); config.LLMBaseURL != "" {
			t.Errorf("%+v", config)
		}
	})
}
