package testkit

import (
	"testing"

	"golang.org/x/tools/txtar"

	"rostrum/app"
	"rostrum/llm"
	"rostrum/testkit/llmtest"
)

// TestScenarioModel tests which engine a scenario's app uses.
func TestScenarioModel(t *testing.T) {
	t.Run("the_app_asks_it", func(t *testing.T) {
		s := &scenario{t: t}
		config := s.withModel(app.Config{}, txtar.Parse([]byte("-- model/content.generate --\n@truncated\nOne two\n")))
		engine := llm.NewOpenAI(llm.Config{BaseURL: config.LLMBaseURL, Model: config.LLMModel})
		answer, err := engine.Run(t.Context(), llm.Task{Name: "content.generate", Prompt: "p"})
		if err != nil || answer.Text != "One two" || !answer.Truncated || answer.Model != llmtest.ScriptedModel {
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
