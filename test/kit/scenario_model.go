package kit

import (
	"slices"
	"strings"

	"github.com/joho/godotenv"

	"rostrum/app"
	"rostrum/test/kit/llmtest"
	"rostrum/test/kit/poll"
)

// withModel configures a text model that sends the answers, if there are any.
func (s *scenario) withModel(config app.Config, answers []llmtest.Answer) app.Config {
	if len(answers) > 0 {
		config.LLMModels = []string{"other", "scripted-2"} // those that requests of scenarios name
		s.llm = llmtest.NewServer(s.t, answers...)
		words, err := godotenv.Unmarshal(s.files["synonyms"])
		if err != nil {
			s.t.Fatal(err)
		}
		s.llm.Synonyms(words)
		config.LLMBaseURL, config.LLMModel = s.llm.URL, llmtest.ScriptedModel
		if slices.ContainsFunc(answers, func(a llmtest.Answer) bool { return a.Task == "claim.judge" }) {
			config.LLMJudge = "judge-1"
		}
	}
	return config
}

// awaitQuestion waits until the text model has been asked with the words in the prompt.
func (s *scenario) awaitQuestion(words string) {
	s.t.Helper()
	if s.llm == nil {
		s.t.Fatal("a step .asked needs the answers of a text model")
	}
	poll.Until(s.t, func() bool {
		return slices.ContainsFunc(s.llm.Calls(), func(c llmtest.Call) bool { return strings.Contains(c.Prompt, words) })
	}, "the text model is not asked with %q", words)
}
