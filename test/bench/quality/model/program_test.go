package model_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"rostrum/app"
	"rostrum/test/kit"
	"rostrum/test/kit/llmtest"
	"rostrum/test/kit/poll"
)

// Prices of a million tokens.
const (
	promptPrice = 1.5
	answerPrice = 4.0
)

// program is an app with a scripted model.
type program struct {
	*kit.App
	t      *testing.T
	server *llmtest.Server
}

// step is a request whose task the model answers; a job's result is that of its request.
type step struct{ task, path, body string }

const planText = `“We will build a second plant at the harbour. The plant creates 400 jobs.” This says Ines Okafor. The works begin in May.`

// steps has every task of the program. The ids of startProgram's rows replace the names in braces.
var steps = []step{
	{"tag.apply", "/api/v1/documents/{doc}/auto-tags", ""},
	{"executive.signals", "/api/v1/workspace/signals", `{"document_id": "{doc}"}`},
	{"executive.compare", "/api/v1/insights/compare", `{"theme": "harbour"}`},
	{"audience.react", "/api/v1/personas/reactions/async", `{"document_id": "{doc}"}`},
	{"audience.summarize", "/api/v1/audience/summaries", `{"category": "community"}`},
	{"persona.draft", "/api/v1/personas/draft", `{"name": "Harbour Reader", "writing_sample_document_ids": ["{doc}"]}`},
	{"persona.build", "/api/v1/personas/build/async", `{"name": "Harbour Worker", "document_ids": ["{doc}"]}`},
	{"persona.content", "/api/v1/personas/{per}/generate-content",
		`{"topic": "The harbour plant", "content_type": "email", "length": "short", "reference_document_ids": ["{doc}"]}`},
	{"persona.interact", "/api/v1/personas/interact",
		`{"persona_id": "{per}", "message": "What do you make of it?", "document_id": "{doc}"}`},
	{"content.coverage", "/api/v1/content-creation/coverage",
		`{"content": "The plant creates 400 jobs. We will build a second plant at the harbour.", "pull_through_priorities": [{"text": "The plant creates 400 jobs"}, {"text": "Dogs are welcome on Sundays"}, {"text": "Entry is free for children"}]}`},
	{"content.generate", "/api/v1/content-creation/generate", `{"prompt": "A notice about the plant at the harbour"}`},
	{"content.enhance", "/api/v1/content-creation/enhance",
		`{"current_draft": "The hall has 40 seats.", "unmet_priorities": [{"text": "Entry is free"}]}`},
	{"content.rewrite", "/api/v1/content-creation/rewrite-segments",
		`{"full_draft": "It is 40 seats that the hall has.", "segments": [{"segment_text": "It is 40 seats that the hall has."}]}`},
	{"content.de_machine_style", "/api/v1/content-creation/de-machine-style",
		`{"text": "Moreover, Tidewall leverages a robust plan."}`},
}

// sqlite returns the stack with the embedded database.
func sqlite(t *testing.T) kit.Stack {
	t.Helper()
	for _, stack := range kit.Stacks(t) {
		if stack.Name == "sqlite_embedded" {
			return stack
		}
	}
	t.Fatal("no SQLite")
	return kit.Stack{}
}

// startProgram starts an app whose text model sends the answers.
func startProgram(t *testing.T, change func(*app.Config), answers ...llmtest.Answer) *program {
	t.Helper()
	server := llmtest.NewServer(t, answers...)
	a := sqlite(t).StartChanged(t, func(c *app.Config) {
		c.LLMBaseURL, c.LLMModel = server.URL, llmtest.ScriptedModel
		c.LLMPromptPrice, c.LLMAnswerPrice, c.RatePerKey = new(promptPrice), new(answerPrice), 0
		change(c)
	})
	return &program{App: a, t: t, server: server}
}

// seed creates a document, a persona and auto-tags, and returns the steps with their ids.
func (p *program) seed() []step {
	p.t.Helper()
	doc := p.createDocument("Plan", planText)
	per := lookUp(p.post("/api/v1/personas", `{"name": "Wetland Wardens", "category": "community", "concerns": "noise"}`).Body, "persona_id")
	for _, tag := range []string{
		`{"name": "A sector", "tag_type": "topic", "allowed_values": ["Energy", "Basilisk"]}`,
		`{"name": "B jobs", "tag_type": "number"}`,
		`{"name": "C speaker", "tag_type": "person"}`, `{"name": "D matter", "tag_type": "theme"}`,
	} {
		p.post("/api/v1/auto-tags", tag)
	}
	var out []step
	ids := strings.NewReplacer("{doc}", doc, "{per}", per)
	for _, s := range steps {
		out = append(out, step{s.task, ids.Replace(s.path), ids.Replace(s.body)})
	}
	return out
}

func (p *program) createDocument(title, content string) string {
	p.t.Helper()
	body, err := json.Marshal(map[string]string{"title": title, "content": content, "executive": "Ines Okafor",
		"company": "Tidewall"})
	if err != nil {
		p.t.Fatal(err)
	}
	return lookUp(p.post("/api/v1/documents", string(body)).Body, "document", "id")
}

// post sends a request that must succeed.
func (p *program) post(path, body string) *kit.Response {
	p.t.Helper()
	response := p.Do(p.t, http.MethodPost, path, nil, body)
	if response.Status >= http.StatusBadRequest {
		p.t.Fatalf("%s: %d %s", path, response.Status, response.Body)
	}
	return response
}

// outcome is the result of a step.
type outcome struct {
	task, code string // the error's code; empty for a success
	text       string // the response, or the result of the job
	warned     bool
}

// run runs a step, and its job to the end.
func (p *program) run(s step) outcome {
	p.t.Helper()
	response := p.Do(p.t, http.MethodPost, s.path, nil, s.body)
	body := response.Body
	out := outcome{task: s.task, code: lookUp(body, "code")}
	if id := lookUp(body, "job_id"); id != "" {
		ended := poll.Holds(func() bool {
			body = p.Do(p.t, http.MethodGet, "/api/v1/jobs/"+id, nil, "").Body
			return lookUp(body, "status") == "completed" || lookUp(body, "status") == "failed"
		})
		if !ended {
			p.t.Fatalf("the job of %s does not end: %s", s.task, body)
		}
		if out.code = lookUp(body, "error_code"); out.code == "" {
			body = []byte(lookUp(body, "result"))
		}
	}
	out.text, out.warned = string(body), lookUp(body, "warning") != "" || lookUp(body, "text", "warning") != ""
	return out
}

// lookUp returns the text at a path of members; "" if it is no text.
func lookUp(body []byte, path ...string) string {
	var value any
	if json.Unmarshal(body, &value) != nil {
		return ""
	}
	for _, name := range path {
		members, _ := value.(map[string]any)
		value = members[name]
	}
	text, _ := value.(string)
	return text
}

// recordedCost returns the number of records, and their tokens and cost in billionths.
func (p *program) recordedCost() (calls, prompt, answer int, nanos int64) {
	p.t.Helper()
	db := p.OpenDB(p.t)
	query := db.NewSelect().Table("llm_call").ColumnExpr(
		"COUNT(*), COALESCE(SUM(prompt_tokens), 0), COALESCE(SUM(answer_tokens), 0), COALESCE(SUM(cost_nanos), 0)")
	if err := query.Scan(p.t.Context(), &calls, &prompt, &answer, &nanos); err != nil {
		p.t.Fatal(err)
	}
	return calls, prompt, answer, nanos
}

// checkCost compares the records with the tokens of the script, and prints the row.
func (p *program) checkCost(name string) {
	p.t.Helper()
	answered := p.server.Answered()
	calls, prompt, answer, nanos := p.recordedCost()
	want := int64(float64(answered) * (llmtest.PromptTokens*promptPrice + llmtest.AnswerTokens*answerPrice) * 1000)
	received := len(p.server.Calls())
	if name == "slow" { // a call may time out before its request is received; it is recorded too
		received = max(received, min(calls, len(steps)))
	}
	if calls != received || prompt != answered*llmtest.PromptTokens || answer != answered*llmtest.AnswerTokens ||
		nanos != want {
		p.t.Errorf("%s: %d of %d calls are recorded, with %d and %d tokens of %d answers, cost %d of %d", name, calls,
			received, prompt, answer, answered, nanos, want)
	}
	fmt.Printf("models       %-10s cost recorded %d of %d billionths, calls %d of %d\n", name, nanos, want, calls,
		received)
}
