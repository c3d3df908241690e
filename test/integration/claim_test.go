package integration

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"rostrum/app"
	"rostrum/test/kit"
	"rostrum/test/kit/llmtest"
	"rostrum/test/kit/poll"
)

// nearClaim is what a model says of a quote: a faithful statement, or a lie near the truth.
type nearClaim struct{ Language, Quote, Speaker, Statement, Label, Kind string }

// newLyingModel returns a model that finds one signal in the document "Case N": the statement of the
// claim N.
func newLyingModel(t *testing.T, claims []nearClaim) *llmtest.Server {
	t.Helper()
	numbered := regexp.MustCompile(`Case (\d+)\b`)
	return llmtest.NewServer(t, llmtest.Answer{Task: "executive.signals", Compose: func(call llmtest.Call) string {
		n, _ := strconv.Atoi(numbered.FindStringSubmatch(call.Prompt)[1])
		said, _ := json.Marshal(map[string]any{"signals": []any{map[string]string{
			"statement": claims[n].Statement, "theme": "plans", "stance": "neutral", "quote": claims[n].Quote,
			"speaker": claims[n].Speaker, "company": "",
		}}})
		return string(said)
	}})
}

// TestClaims_lying_model stores documents with the quotes and asks a model that lies near the truth
// for their signals. Of ten lies at most one may be kept, and of ten faithful statements nine.
func TestClaims_lying_model(t *testing.T) {
	raw, err := os.ReadFile("testdata/near_lies.json")
	if err != nil {
		t.Fatal(err)
	}
	var claims []nearClaim
	if err := json.Unmarshal(raw, &claims); err != nil {
		t.Fatal(err)
	}
	for _, stack := range kit.Stacks(t) {
		t.Run(stack.Name, func(t *testing.T) {
			t.Parallel()
			model := newLyingModel(t, claims)
			a := stack.StartChanged(t, func(c *app.Config) {
				c.LLMBaseURL, c.LLMModel, c.RatePerKey = model.URL, llmtest.ScriptedModel, 0
			})
			count, kept := map[string]int{}, map[string]int{}
			for n, claim := range claims {
				count[claim.Label]++
				if keepsClaim(t, a, n, claim) {
					kept[claim.Label]++
				} else if claim.Label == "faithful" {
					t.Logf("dropped: %s", claim.Statement)
				}
			}
			if 10*kept["lie"] > count["lie"] || 10*kept["faithful"] < 9*count["faithful"] {
				t.Errorf("kept of %v: %v", count, kept)
			}
		})
	}
}

// keepsClaim reports whether the signals of a document with the quote have the claim's statement. A
// kept one has the quote as its statement; a dropped one is counted.
func keepsClaim(t *testing.T, a *kit.App, n int, claim nearClaim) bool {
	t.Helper()
	document, _ := json.Marshal(map[string]string{"title": fmt.Sprintf("Case %d", n), "content": claim.Quote,
		"executive": claim.Speaker})
	var stored struct{ Document struct{ ID string } }
	answer := a.Do(t, http.MethodPost, "/api/v1/documents", nil, string(document))
	if err := json.Unmarshal(answer.Body, &stored); err != nil || stored.Document.ID == "" {
		t.Fatalf("the document is not stored: %s", answer.Body)
	}
	query, _ := json.Marshal(map[string]string{"query": `mutation { extractSignals(input: {documentId: "` + stored.Document.ID +
		`"}) { droppedStatements signals { statement paraphrase quote } } }`})
	var found struct {
		Data struct {
			ExtractSignals struct {
				DroppedStatements int
				Signals           []struct{ Statement, Paraphrase, Quote string }
			}
		}
	}
	answer = a.Do(t, http.MethodPost, "/graphql", nil, string(query))
	if err := json.Unmarshal(answer.Body, &found); err != nil {
		t.Fatalf("%v: %s", err, answer.Body)
	}
	signals := found.Data.ExtractSignals
	if len(signals.Signals)+signals.DroppedStatements != 1 {
		t.Fatalf("%d signals and %d dropped: %s", len(signals.Signals), signals.DroppedStatements, answer.Body)
	}
	for _, signal := range signals.Signals {
		if signal.Statement != claim.Quote || signal.Quote != claim.Quote || signal.Paraphrase != claim.Statement {
			t.Errorf("the quote is not the statement: %+v", signal)
		}
	}
	return len(signals.Signals) == 1
}

// refusedRequests has a request of each task that writes, tags or judges. {doc} and {per} are ids.
var refusedRequests = map[string][2]string{
	"executive.signals": {"/workspace/signals", `{"document_id": "{doc}"}`},
	"tag.apply":         {"/documents/{doc}/auto-tags", ""},
	"persona.draft":     {"/personas/draft", `{"name": "Harbour Reader", "writing_sample_document_ids": ["{doc}"]}`},
	"persona.build":     {"/personas/build/async", `{"name": "Harbour Worker", "document_ids": ["{doc}"]}`},
	"persona.content": {"/personas/{per}/generate-content",
		`{"topic": "The harbour", "content_type": "email", "length": "short", "reference_document_ids": ["{doc}"]}`},
	"persona.interact": {"/personas/interact", `{"persona_id": "{per}", "message": "What of it?", "document_id": "{doc}"}`},
	"content.coverage": {"/content-creation/coverage",
		`{"content": "The plant creates 400 jobs.", "pull_through_priorities": [{"text": "Dogs are welcome on Sundays"}]}`},
	"content.generate": {"/content-creation/generate", `{"prompt": "A notice"}`},
	"content.enhance": {"/content-creation/enhance",
		`{"current_draft": "The hall has 40 seats.", "unmet_priorities": [{"text": "Entry is free"}]}`},
	"content.rewrite": {"/content-creation/rewrite-segments",
		`{"full_draft": "It is 40 seats.", "segments": [{"segment_text": "It is 40 seats."}]}`},
	"content.de_machine_style": {"/content-creation/de-machine-style", `{"text": "Moreover, we leverage it."}`},
	"audience.react":           {"/personas/reactions/async", `{"document_id": "{doc}"}`},
}

// TestClaims_refusals asks a model that declines everything in polite words for each task. Its
// answer is an error of the task, and no text of it is stored or returned.
func TestClaims_refusals(t *testing.T) {
	const words = "I'm sorry, but I can't help with that."
	for _, stack := range kit.Stacks(t) {
		t.Run(stack.Name, func(t *testing.T) {
			t.Parallel()
			model := llmtest.NewServer(t, llmtest.Answer{Text: words})
			a := stack.StartChanged(t, func(c *app.Config) {
				c.LLMBaseURL, c.LLMModel, c.RatePerKey = model.URL, llmtest.ScriptedModel, 0
			})
			ids := strings.NewReplacer(
				"{doc}", postID(t, a, "/documents", `{"title": "Plan", "content": "The harbour plant opens in May. It creates 400 jobs."}`, "document"),
				"{per}", postID(t, a, "/personas", `{"name": "Ines", "interests": "harbour"}`, "persona"))
			a.Do(t, http.MethodPost, "/api/v1/auto-tags", nil, `{"name": "Topic", "type": "theme", "description": "What it is about"}`)
			for task, request := range refusedRequests {
				answer := a.Do(t, http.MethodPost, "/api/v1"+ids.Replace(request[0]), nil, ids.Replace(request[1]))
				body := string(answer.Body)
				if strings.HasSuffix(request[0], "/async") {
					body = endedJob(t, a, answer.Body)
				} else if answer.Status < 400 && task != "tag.apply" {
					t.Errorf("%s returns %d: %s", task, answer.Status, body)
				}
				if strings.Contains(body, "can't help") || strings.Contains(body, "can’t help") {
					t.Errorf("%s returns the refusal: %s", task, body)
				}
			}
		})
	}
}

// postID stores a row over REST and returns its id.
func postID(t *testing.T, a *kit.App, path, body, member string) string {
	t.Helper()
	answer := a.Do(t, http.MethodPost, "/api/v1"+path, nil, body)
	var out map[string]any
	if err := json.Unmarshal(answer.Body, &out); err != nil {
		t.Fatal(err)
	}
	id, ok := out[member+"_id"].(string)
	if row, nested := out[member].(map[string]any); nested {
		id, ok = row["id"].(string)
	}
	if !ok {
		t.Fatalf("POST %s: %s", path, answer.Body)
	}
	return id
}

// endedJob waits for a started job and returns it.
func endedJob(t *testing.T, a *kit.App, started []byte) string {
	t.Helper()
	var job struct {
		ID     string `json:"job_id"`
		Status string
	}
	if err := json.Unmarshal(started, &job); err != nil || job.ID == "" {
		t.Fatalf("no job: %s", started)
	}
	body := ""
	poll.Until(t, func() bool {
		answer := a.Do(t, http.MethodGet, "/api/v1/jobs/"+job.ID, nil, "")
		body = string(answer.Body)
		return json.Unmarshal(answer.Body, &job) == nil && (job.Status == "completed" || job.Status == "failed")
	}, "the job ends")
	return body
}
