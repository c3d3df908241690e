package integration

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"rostrum/test/kit"
	"rostrum/test/kit/poll"
)

// TestBulk_embargo writes a file with a text under embargo: the key that started the job is in the
// audit log as its reader, and only this key may fetch the file.
func TestBulk_embargo(t *testing.T) {
	t.Parallel()
	for _, stack := range kit.Stacks(t) {
		t.Run(stack.Name, func(t *testing.T) {
			t.Parallel()
			a := stack.Start(t)
			a.Do(t, "POST", "/api/v1/documents", nil, `{"title": "The pier opens", "content": "It opens in May.",
				"visibility": "embargoed", "embargoed_until": "2199-01-01T00:00:00Z"}`).Want(t, 200)
			const audit = `{"query": "{ auditLog(first: 50) { nodes { action actorId } } }"}`
			if before := a.Do(t, "POST", graphPath, nil, audit); strings.Contains(string(before.Body), "document.read") {
				t.Errorf("read before it was: %s", before.Body)
			}
			path := "/api/v1/jobs/" + awaitBulkQuery(t, a, "{ documents { nodes { content } } }") + "/file"
			if log := a.Do(t, "POST", graphPath, nil, audit); !strings.Contains(string(log.Body), "document.read") {
				t.Errorf("the reader is not in the audit log: %s", log.Body)
			}
			a.Do(t, "GET", path, nil, "").Want(t, 200, `{"content":"It opens in May."}`)
			other := field(t, runQuery(t, a, `mutation { mintKey(input: {name: "other", scopes: [ADMIN]}) { secret } }`),
				"data", "mintKey", "secret")
			a.Do(t, "GET", path, http.Header{"X-Api-Key": {other}}, "").Want(t, 403, "only the key or the user that started the job")
			a.Tenant(t).Do(t, "GET", path, nil, "").Want(t, 404)
			a.Do(t, "GET", "/api/v1/jobs/a%00b/file", nil, "").Want(t, 404)
		})
	}
}

// awaitBulkQuery runs a bulk query, and returns the id of its job.
func awaitBulkQuery(t *testing.T, a *kit.App, query string) string {
	t.Helper()
	body, err := json.Marshal(map[string]string{"query": query})
	if err != nil {
		t.Fatal(err)
	}
	var job struct{ ID, Status string }
	if err := json.Unmarshal(a.Do(t, "POST", "/api/v1/bulk-queries", nil, string(body)).Body, &job); err != nil {
		t.Fatal(err)
	}
	poll.Until(t, func() bool {
		if err := json.Unmarshal(a.Do(t, "GET", "/api/v1/jobs/"+job.ID, nil, "").Body, &job); err != nil {
			t.Fatal(err)
		}
		return job.Status == "completed"
	}, "the bulk query ends")
	return job.ID
}

// TestBulk_pages writes nested lists that are longer than a page, of more rows than a page.
func TestBulk_pages(t *testing.T) {
	t.Parallel()
	for _, stack := range kit.Stacks(t) {
		t.Run(stack.Name, func(t *testing.T) {
			t.Parallel()
			a := stack.Start(t)
			const documents = 130
			for i := range documents {
				a.Do(t, "POST", "/api/v1/documents", nil, fmt.Sprintf(`{"title": "Letter %d", "content": "Text %d."}`, i, i)).Want(t, 200)
			}
			path := "/api/v1/jobs/" + awaitBulkQuery(t, a, "{ documents { nodes { title workspace { documents { nodes { title } } } } } }") + "/file"
			lines := strings.Split(strings.TrimSpace(string(a.Do(t, "GET", path, nil, "").Body)), "\n")
			if len(lines) != documents {
				t.Fatalf("%d lines, want %d", len(lines), documents)
			}
			for i, text := range lines {
				var line struct {
					Title     string
					Workspace struct {
						Documents struct{ Nodes []struct{ Title string } }
					}
				}
				if err := json.Unmarshal([]byte(text), &line); err != nil {
					t.Fatal(err)
				}
				seen := map[string]bool{}
				for _, node := range line.Workspace.Documents.Nodes {
					seen[node.Title] = true
				}
				if want := fmt.Sprintf("Letter %d", documents-1-i); line.Title != want || len(seen) != documents {
					t.Errorf("line %d is of %s with %d documents", i, line.Title, len(seen))
				}
			}
		})
	}
}
