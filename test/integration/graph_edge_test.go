package integration

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"rostrum/test/kit"
)

const edgeQuery = `query($id: ID!) { personaInteractions(personaId: $id, first: 100) { nodes {
	persona { name workspace { name } }
	document { title autoTags { name } workspace { id } reactions { nodes { persona { name } } } }
} } }`

// TestEdges_statements checks that the number of SQL statements of an operation does not grow with
// the rows of any level.
func TestEdges_statements(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, a *kit.App) {
		personaID := field(t, a.Do(t, http.MethodPost, "/api/v1/personas", nil,
			`{"name": "Wardens", "concerns": "emissions"}`), "persona_id")
		var counts []int64
		for _, documents := range []int{5, 45} {
			for n := range documents {
				askAbout(t, a, personaID, fmt.Sprintf("Plan %d of %d", n, documents))
			}
			count, text := runCounted(t, a, edgeQuery, map[string]any{"id": personaID})
			if !strings.Contains(text, `"persona":{"name":"Wardens","workspace":{"name":"Test"}}`) ||
				!strings.Contains(text, `"title":"Plan 0 of`) {
				t.Errorf("the edges are not followed: %s", text)
			}
			counts = append(counts, count)
		}
		if counts[0] != counts[1] {
			t.Errorf("%d statements with 5 rows and %d with 50", counts[0], counts[1])
		}
		idOnly, _ := runCounted(t, a, `query($id: ID!) { personaInteractions(personaId: $id) { nodes { personaId documentId } } }`, map[string]any{"id": personaID})
		stored, text := runCounted(t, a, `query($id: ID!) { personaInteractions(personaId: $id) { nodes { persona { id } document { __typename id } } } }`, map[string]any{"id": personaID})
		if stored != idOnly {
			t.Errorf("ids of edges take %d statements, stored ids %d: %s", stored, idOnly, text)
		}
	})
}

// TestEdges_workspace plants the id of a document of another workspace in a row: its edge is null.
func TestEdges_workspace(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, a *kit.App) {
		foreign := field(t, a.Tenant(t).Do(t, http.MethodPost, "/api/v1/documents", nil,
			`{"title": "Secret", "content": "A secret text."}`), "document", "id")
		personaID := field(t, a.Do(t, http.MethodPost, "/api/v1/personas", nil, `{"name": "Wardens"}`), "persona_id")
		askAbout(t, a, personaID, "Plan")
		if _, err := a.OpenDB(t).NewUpdate().TableExpr("persona_interaction").Set("document_id = ?", foreign).
			Where("persona_id = ?", personaID).Exec(t.Context()); err != nil {
			t.Fatal(err)
		}
		_, text := runCounted(t, a, `query($id: ID!) { personaInteractions(personaId: $id) { nodes { document { title } persona { name } } } }`, map[string]any{"id": personaID})
		if want := `{"data":{"personaInteractions":{"nodes":[{"document":null,"persona":{"name":"Wardens"}}]}}}`; text != want {
			t.Errorf("got %s, want %s", text, want)
		}
	})
}

// askAbout creates a document and asks the persona about it.
func askAbout(t *testing.T, a *kit.App, personaID, title string) {
	t.Helper()
	body, _ := json.Marshal(map[string]string{"title": title, "content": "Emissions will rise by a third. " + title})
	id := field(t, a.Do(t, http.MethodPost, "/api/v1/documents", nil, string(body)), "document", "id")
	question, _ := json.Marshal(map[string]string{"persona_id": personaID, "message": "What is this?",
		"document_id": id})
	if answer := a.Do(t, http.MethodPost, "/api/v1/personas/interact", nil,
		string(question)); answer.Status != http.StatusOK {
		t.Fatalf("%d: %s", answer.Status, answer.Body)
	}
}

// runCounted runs an operation until two runs took its fewest SQL statements, up to eight times,
// and returns these and its response: the first run, and one after a while, reads the key that
// later ones find in a cache.
func runCounted(t *testing.T, a *kit.App, query string, variables map[string]any) (statements int64, text string) {
	t.Helper()
	body, _ := json.Marshal(map[string]any{"query": query, "variables": variables})
	for run, seen := 0, 0; run < 8 && seen < 2; run++ {
		answer, n := a.DoCounted(t, http.MethodPost, "/graphql", nil, string(body))
		if text = string(answer.Body); answer.Status != http.StatusOK || strings.Contains(text, `"errors"`) {
			t.Fatalf("%d: %s", answer.Status, text)
		}
		if run == 0 || n < statements {
			statements, seen = n, 1
		} else if n == statements {
			seen++
		}
	}
	return statements, text
}
