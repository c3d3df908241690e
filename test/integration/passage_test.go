package integration

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"rostrum/app"
	"rostrum/test/kit"
	"rostrum/test/kit/llmtest"
	"rostrum/test/kit/poll"
)

// TestPassages_statements checks that a search by meaning takes as many statements for many
// passages as for a few.
func TestPassages_statements(t *testing.T) {
	t.Parallel()
	for _, stack := range kit.Stacks(t) {
		t.Run(stack.Name, func(t *testing.T) {
			t.Parallel()
			server := llmtest.NewServer(t)
			a := stack.StartChanged(t, func(c *app.Config) {
				c.LLMBaseURL, c.LLMModel, c.LLMEmbedding = server.URL, llmtest.ScriptedModel, "vectors-1"
			})
			const query = `{ passages(search: "Workers shut the port", first: 50) { matches { document { id title } text start end } pendingDocumentCount } }`
			var counts []int64
			stored := 0
			for _, more := range []int{2, 10} {
				for n := range more {
					a.Do(t, http.MethodPost, "/api/v1/documents", nil,
						fmt.Sprintf(`{"title": "Notice %d of %d", "content": "Workers shut the port in May."}`, n,
							more)).Want(t, http.StatusOK)
				}
				stored += more
				awaitVectors(t, a, query)
				n, text := runCounted(t, a, query, nil)
				if found := strings.Count(text, `"title":"Notice `); found != stored {
					t.Errorf("%d of %d documents are found: %s", found, stored, text)
				}
				counts = append(counts, n)
			}
			if counts[0] != counts[1] {
				t.Errorf("2 passages take %d statements and 12 take %d", counts[0], counts[1])
			}
		})
	}
}

// awaitVectors runs a query of passages until all documents have vectors.
func awaitVectors(t *testing.T, a *kit.App, query string) {
	t.Helper()
	poll.Until(t, func() bool {
		body := graphBody(t, a, nil, map[string]any{"query": query}).Body
		return strings.Contains(string(body), `"pendingDocumentCount":0`)
	}, "documents have no vectors")
}
