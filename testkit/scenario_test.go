package testkit

import (
	"testing"

	"golang.org/x/tools/txtar"

	"rostrum/app"
	"rostrum/llm"
	"rostrum/llm/server"
	"rostrum/testkit/llmtest"
)

// TestScenarioModel tests that a scenario's script becomes the model that its app asks.
func TestScenarioModel(t *testing.T) {
	answers, err := llmtest.ParseScript(txtar.Parse([]byte("-- model/content.generate --\n@truncated\nOne two\n")).Files)
	if err != nil {
		t.Fatal(err)
	}
	s := &scenario{t: t}
	config := s.withModel(app.Config{}, answers)
	engine := server.New(server.Config{BaseURL: config.LLMBaseURL, Model: config.LLMModel})
	answer, err := engine.Run(t.Context(), llm.Task{Name: "content.generate", Prompt: "p"})
	if err != nil || answer.Text != "One two" || !answer.Truncated || answer.Model != llmtest.ScriptedModel {
		t.Errorf("%+v, %v", answer, err)
	}
}
