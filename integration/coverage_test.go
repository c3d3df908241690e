package integration

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"rostrum/testkit"
)

// TestCoverageLimits reads the coverage of drafts whose text is as long as it may be, or longer, and of a draft with too many points.
func TestCoverageLimits(t *testing.T) {
	testkit.EachStack(t, func(t *testing.T, a *testkit.App) {
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
		if got := read(fmt.Sprintf(`{ draft(id: %q) { %s } }`, short, selected)); strings.Count(got, `{"verdict":"UNKNOWN"}`) != 2 {
			t.Errorf("the coverage of 100,000 characters is %s", got)
		}
		if got := read(fmt.Sprintf(`{ draft(id: %q) { %s } }`, long, selected)); !strings.Contains(got, `[{"coverage":null}]`) || strings.Contains(got, "errors") {
			t.Errorf("the coverage of 100,001 characters is %s", got)
		}
		many := read(fmt.Sprintf(`{ draft(id: %q) { %s } }`, saveLongDraft(t, a, 100, 102), selected))
		if strings.Count(many, `{"verdict":"UNKNOWN"}`) != 100 || !strings.HasSuffix(many, `{"coverage":null},{"coverage":null}]}}}}`) {
			t.Errorf("the coverage of 102 points is %s", many)
		}
	})
}

// saveLongDraft stores a draft with a text of as many characters and as many points, and returns its id.
func saveLongDraft(t *testing.T, a *testkit.App, characters, points int) string {
	t.Helper()
	priorities := make([]map[string]string, points)
	for i := range priorities {
		priorities[i] = map[string]string{"text": fmt.Sprint("it rains on day ", i)}
	}
	text := strings.Repeat("The tide turns. ", characters/16+1)[:characters]
	body, err := json.Marshal(map[string]any{
		"query":     `mutation ($d: SaveDraftInput!) { saveDraft(input: $d) { draft { id } } }`,
		"variables": map[string]any{"d": map[string]any{"title": "Long", "content": text, "pullThroughPriorities": priorities}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return field(t, a.Do(t, "POST", graphPath, nil, string(body)).Want(t, http.StatusOK), "data", "saveDraft", "draft", "id")
}
