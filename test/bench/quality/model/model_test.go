package model_test

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"rostrum/app"
	"rostrum/llm/server"
	"rostrum/test/kit/llmtest"
)

// readScript returns the answers of a file. Those of model/rest answer every other task.
func readScript(t *testing.T, name string) []llmtest.Answer {
	t.Helper()
	text, err := os.ReadFile(name + ".txtar")
	if err != nil {
		t.Fatal(err)
	}
	answers, err := llmtest.ParseScript(txtar.Parse(text).Files)
	if err != nil {
		t.Fatal(err)
	}
	for i := range answers {
		if answers[i].Task == "rest" {
			answers[i].Task = ""
		}
	}
	return answers
}

// TestModels runs every task with each model over both protocols. A claim that no text proves is
// never stored, a failure has a code, and the recorded costs are those of the script's tokens.
func TestModels(t *testing.T) {
	malformed := []string{
		"{\"broken\": [", `{"values": 5, "signals": "x", "rows": {}, "parts": null, "text": [], "statements": 1, "headline": 7}`, "I would rather talk about the weather.",
	}
	models := map[string][]llmtest.Answer{
		"good": readScript(t, "good"), "lazy": readScript(t, "lazy"), "lying": readScript(t, "lying"),
		"refusing": {{Declined: true}}, "slow": {{Slow: true}},
		"cut":       {{Text: "Half of an answer that ends here", Cut: true}},
		"truncated": {{Text: `{"values": [{"tag`, Truncated: true}},
	}
	for i, text := range malformed {
		models[fmt.Sprintf("malformed%d", i+1)] = []llmtest.Answer{{Text: text}}
	}
	for name, answers := range models {
		for _, protocol := range []server.Protocol{server.ProtocolOpenAI, server.ProtocolAnthropic} {
			t.Run(name+"_"+string(protocol), func(t *testing.T) {
				t.Parallel()
				runModel(t, name, protocol, answers)
			})
		}
	}
}

func runModel(t *testing.T, name string, protocol server.Protocol, answers []llmtest.Answer) {
	p := startProgram(t, func(c *app.Config) {
		if c.LLMProtocol = protocol; name == "slow" {
			c.LLMTimeout = 200 * time.Millisecond
		}
	}, answers...)
	succeeded, codes, unproved := 0, map[string]int{}, 0
	for _, s := range p.seed() {
		got := p.run(s)
		if got.code == "" {
			succeeded++
		} else {
			codes[got.code]++
		}
		if lies := storedLies(got); len(lies) > 0 {
			unproved += len(lies)
			t.Errorf("%s stores %s: %s", s.task, strings.Join(lies, ", "), got.text)
		}
	}
	if codes["internal"] > 0 || name == "good" && len(codes) > 0 {
		t.Errorf("%s fails with %v", name, codes)
	}
	if len(p.server.Calls()) == 0 {
		t.Error("the model was not called")
	}
	fmt.Printf("models       %-10s %-9s tasks that succeed %d of %d, failures %v, unproved claims stored %d\n", name,
		protocol, succeeded, len(steps), codes, unproved)
	p.checkCost(name)
}

// freeTexts are the tasks whose answer is a text: an unproved number or quotation of it has a
// warning.
var freeTexts = []string{"persona.content", "persona.interact", "content.generate"}

// warning matches the member of a result that names refused values and unproved facts.
var warning = regexp.MustCompile(`"warning": ?"(?:[^"\\]|\\.)*"`)

// storedLies returns the lies of lying.txtar in a result, its warning aside. Free texts may have
// them with a warning.
func storedLies(got outcome) []string {
	var found []string
	said := strings.ToLower(warning.ReplaceAllString(got.text, ""))
	for _, lie := range []string{"basilisk", "987654", "otto falsch"} {
		if strings.Contains(said, lie) && !(got.warned && slices.Contains(freeTexts, got.task)) {
			found = append(found, lie)
		}
	}
	if got.task == "content.coverage" && strings.Count(said, `"covered": true`)+
		strings.Count(said, `"covered":true`) > 1 {
		found = append(found, "a point that no text makes")
	}
	return found
}
