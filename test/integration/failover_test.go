package integration

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"rostrum/app"
	"rostrum/test/kit"
	"rostrum/test/kit/llmtest"
)

// TestFailover asks a first model server that is busy, fails, is slow or does not exist: the second
// one answers over the other protocol, and the records have the server, the model, the outcome and
// the cost of each request.
func TestFailover(t *testing.T) {
	t.Parallel()
	for _, stack := range kit.Stacks(t) {
		for name, first := range map[string]llmtest.Answer{
			"busy":    {Status: http.StatusTooManyRequests, RetryAfter: "0"},
			"failing": {Status: http.StatusInternalServerError, RetryAfter: "0"}, "slow": {Slow: true}, "down": {},
		} {
			t.Run(stack.Name+"_"+name, func(t *testing.T) {
				t.Parallel()
				testFailover(t, stack, first)
			})
		}
	}
}

func testFailover(t *testing.T, stack kit.Stack, first llmtest.Answer) {
	second := llmtest.NewServer(t, llmtest.Answer{Text: "The depots stay open on Sundays."})
	address := "http://localhost:1/v1" // no server has this port
	if first.Slow || first.Status != 0 {
		address = strings.Replace(llmtest.NewServer(t, first).URL, "127.0.0.1", "localhost", 1)
	}
	a := stack.StartChanged(t, func(c *app.Config) {
		c.LLMBaseURL, c.LLMModel, c.LLMPromptPrice, c.LLMAnswerPrice = address, "first-1", new(100.0), new(100.0)
		if first.Slow {
			c.LLMTimeout = 300 * time.Millisecond
		}
		fallback := fmt.Sprintf(`[{"protocol": "anthropic", "base_url": %q, "model": "second-1", "timeout": "1m", "prompt_price": 0.5, "answer_price": 2}]`, second.URL)
		if err := c.LLMFallbacks.UnmarshalText([]byte(fallback)); err != nil {
			t.Fatal(err)
		}
	})
	response := a.Do(t, http.MethodPost, "/api/v1/content-creation/generate", nil,
		`{"prompt": "A notice about the depots"}`)
	if response.Status != http.StatusOK || !strings.Contains(string(response.Body),
		"The depots stay open on Sundays.") {
		t.Fatalf("%d %s", response.Status, response.Body)
	}
	query := map[string]any{"query": `{ workspace { modelCalls(first: 10) { nodes { provider model outcome promptTokens answerTokens cost } } } }`}
	records := graphBody(t, a, nil, query)
	// The cost of the second server: 7 tokens at 0.5 and 3 tokens at 2 for a million.
	answered := `{"provider":"127.0.0.1","model":"second-1","outcome":"OK","promptTokens":7,"answerTokens":3,"cost":9.5e-06}`
	wantResponse(t, records, http.StatusOK, answered)
	wantResponse(t, records, http.StatusOK, `{"provider":"localhost","model":"first-1","outcome":"FAILED","promptTokens":0,"answerTokens":0,"cost":0}`)
	if calls := second.Calls(); len(calls) != 1 || calls[0].Model != "second-1" ||
		strings.Count(string(records.Body), `"OK"`) != 1 {
		t.Errorf("%d calls of the second server: %s", len(calls), records.Body)
	}
}
