package integration

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"unicode/utf8"

	"rostrum/app"
	"rostrum/test/kit"
	"rostrum/test/kit/llmtest"
)

// TestCoverageLimits reads the coverage of drafts whose text is as long as it may be, or longer,
// and of a draft with too many points.
func TestCoverageLimits(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, a *kit.App) {
		short := saveLongDraft(t, a, 100_000, 2)
		long := saveLongDraft(t, a, 100_001, 1)
		const selected = `metadata { pullThroughPriorities { coverage { verdict } } }`
		read := func(query string) string {
			body, err := json.Marshal(map[string]string{"query": query})
			if err != nil {
				t.Fatal(err)
			}
			return string(a.Do(t, "POST", graphPath, nil, string(body)).Want(t, http.StatusOK).Body)
		}
		if got := read(fmt.Sprintf(`{ draft(id: %q) { %s } }`, short, selected)); strings.Count(got,
			`{"verdict":"UNKNOWN"}`) != 2 {
			t.Errorf("the coverage of 100,000 characters is %s", got)
		}
		if got := read(fmt.Sprintf(`{ draft(id: %q) { %s } }`, long, selected)); !strings.Contains(got,
			`[{"coverage":null}]`) || strings.Contains(got, "errors") {
			t.Errorf("the coverage of 100,001 characters is %s", got)
		}
		many := read(fmt.Sprintf(`{ draft(id: %q) { %s } }`, saveLongDraft(t, a, 100, 102), selected))
		if strings.Count(many, `{"verdict":"UNKNOWN"}`) != 100 ||
			!strings.HasSuffix(many, `{"coverage":null},{"coverage":null}]}}}}`) {
			t.Errorf("the coverage of 102 points is %s", many)
		}
	})
}

// saveLongDraft stores a draft with a text of as many characters and as many points, and returns
// its id.
func saveLongDraft(t *testing.T, a *kit.App, characters, points int) string {
	t.Helper()
	priorities := make([]map[string]string, points)
	for i := range priorities {
		priorities[i] = map[string]string{"text": fmt.Sprint("it rains on day ", i)}
	}
	text := strings.Repeat("The tide turns. ", characters/16+1)[:characters]
	body, err := json.Marshal(map[string]any{
		"query": `mutation ($d: SaveDraftInput!) { saveDraft(input: $d) { draft { id } } }`,
		"variables": map[string]any{"d": map[string]any{"title": "Long", "content": text,
			"pullThroughPriorities": priorities}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return field(t, a.Do(t, "POST", graphPath, nil, string(body)).Want(t, http.StatusOK), "data", "saveDraft", "draft",
		"id")
}

// quayPassage is the only passage of the long text about parking.
const quayPassage = "Nobody has to pay for parking on the northern quay."

// TestCoverageExcerpt checks points of a text that is too long for a prompt, with a model with and
// without an embedding model, and offline. The model reads the passages nearest to the points, and
// a point that it finds in none of them is unknown.
func TestCoverageExcerpt(t *testing.T) {
	t.Parallel()
	for _, stack := range kit.Stacks(t) {
		for engine, settings := range map[string]struct {
			model, vectors string
			paraphrased    string // the verdict on a point that is made in other words
		}{
			"model":     {llmtest.ScriptedModel, "", "COVERED"},
			"embedding": {llmtest.ScriptedModel, "vectors-1", "COVERED"}, "offline": {"", "", "UNKNOWN"},
		} {
			t.Run(stack.Name+"_"+engine, func(t *testing.T) {
				t.Parallel()
				server := llmtest.NewServer(t, llmtest.Answer{Task: "content.coverage", Compose: judgeQuay})
				a := stack.StartChanged(t, func(c *app.Config) {
					if settings.model != "" {
						c.LLMBaseURL, c.LLMModel, c.LLMEmbedding = server.URL, settings.model, settings.vectors
					}
				})
				content := strings.Repeat("The council met in the hall and adjourned. ", 600) + quayPassage +
					strings.Repeat(" It rained.", 300)
				start := strings.Index(content, quayPassage)
				rows := checkCoverage(t, a, content, "Nobody has to pay for parking", "Parking on the quay is free",
					"The hall gets a new roof")
				passage := fmt.Sprintf(`{"text":%q,"start":%d,"end":%d}`, quayPassage, start, start+len(quayPassage))
				found := fmt.Sprintf(`{"verdict":"COVERED","passage":%s}`, passage)
				paraphrased := found
				if settings.paraphrased != "COVERED" {
					paraphrased = fmt.Sprintf(`{"verdict":%q,"passage":null}`, settings.paraphrased)
				}
				if want := "[" + found + "," + paraphrased + `,{"verdict":"UNKNOWN","passage":null}]`; rows != want {
					t.Errorf("the rows are %s, want %s", rows, want)
				}
				wantExcerpts(t, server.Calls(), settings.model, settings.vectors)
			})
		}
	}
}

// judgeQuay finds the first two points in the passage if the prompt has it, and the third one
// nowhere.
func judgeQuay(call llmtest.Call) string {
	verdict := "absent"
	if strings.Contains(call.Prompt, quayPassage) {
		verdict = "covered"
	}
	return fmt.Sprintf(`{"rows": [{"point": 1, "verdict": %q, "evidence": %q}, {"point": 2, "verdict": %[1]q, "evidence": %[2]q}, {"point": 3, "verdict": "absent", "evidence": ""}]}`,
		verdict, quayPassage)
}

// checkCoverage returns the rows of the points in a text as JSON.
func checkCoverage(t *testing.T, a *kit.App, content string, points ...string) string {
	t.Helper()
	var inputs []map[string]string
	for _, point := range points {
		inputs = append(inputs, map[string]string{"text": point})
	}
	response := graphBody(t, a, nil, map[string]any{
		"query":     `mutation ($in: CheckCoverageInput!) { checkCoverage(input: $in) { coverage { verdict passage { text start end } } } }`,
		"variables": map[string]any{"in": map[string]any{"content": content, "pullThroughPriorities": inputs}},
	})
	rows, _ := strings.CutPrefix(string(response.Want(t, http.StatusOK).Body), `{"data":{"checkCoverage":{"coverage":`)
	return strings.TrimSuffix(strings.TrimSpace(rows), "}}}")
}

// wantExcerpts checks that a model was asked once, for a part of the text, and an embedding model
// at least once, if there are such models.
func wantExcerpts(t *testing.T, calls []llmtest.Call, model, vectors string) {
	t.Helper()
	asked, embedded := 0, 0
	for _, call := range calls {
		if call.Task == llmtest.EmbeddingTask {
			embedded++
			continue
		}
		asked++
		if n := utf8.RuneCountInString(call.Prompt); n > 27_000 || !strings.Contains(call.Prompt, "[…]") {
			t.Errorf("a prompt of %d characters is no excerpt", n)
		}
	}
	if asked != min(1, len(model)) || min(1, embedded) != min(1, len(vectors)) {
		t.Errorf("%d calls of the model %q, %d of the embedding model %q", asked, model, embedded, vectors)
	}
}
