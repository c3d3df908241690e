package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestKill_bulk kills the gateway while it runs a mutation for each line of a file, and again after
// the start of a bulk query. Each line has run once, and each document is one line of the query's
// file.
func TestKill_bulk(t *testing.T) {
	eachInstallation(t, func(t *testing.T, p installation) {
		const lines, before = 1500, 300
		g := p.start(t)
		jobID := g.startBulkMutation(t, lines)
		awaitSuccess(t, 3*time.Minute, "some lines have run", func() error {
			if n := g.countLetters(t); n < before {
				return fmt.Errorf("%d have", n)
			}
			return nil
		})
		g.kill(t)

		g = p.start(t)
		unknown := 0 // lines that ran, and whose answer the kill has lost
		for i, text := range g.awaitBulk(t, jobID) {
			var report struct {
				Line   int
				Errors json.RawMessage
			}
			decode(t, []byte(text), &report)
			if report.Errors != nil && strings.Contains(text, "was executed and its response was not kept") {
				unknown++
			} else if report.Line != i+1 || report.Errors != nil {
				t.Errorf("line %d of the report is %s", i+1, text)
			}
		}
		if unknown > 1 {
			t.Errorf("the answers of %d lines were lost by one kill", unknown)
		}
		if n := g.countLetters(t); n != lines {
			t.Errorf("%d documents were created from %d lines", n, lines)
		}

		var job struct{ ID string }
		g.rest(t, http.MethodPost, "/api/v1/bulk-queries",
			map[string]string{"query": `{ documents(filter: {q: "title:letter"}) { nodes { title } } }`}, &job)
		g.kill(t)

		g = p.start(t)
		titles := map[string]bool{}
		for _, text := range g.awaitBulk(t, job.ID) {
			titles[text] = true
		}
		if len(titles) != lines {
			t.Errorf("the file has %d documents, want %d", len(titles), lines)
		}
	})
}

// startBulkMutation starts a job that creates n documents, and returns its id.
func (g *gateway) startBulkMutation(t *testing.T, n int) string {
	t.Helper()
	var form bytes.Buffer
	writer := multipart.NewWriter(&form)
	_ = writer.WriteField("mutation", "mutation($input: CreateDocumentInput!) { createDocument(input: $input) { document { id } } }")
	part, err := writer.CreateFormFile("file", "inputs.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		fmt.Fprintf(part, "{\"title\": \"Letter %d\", \"content\": \"Text %d.\"}\n", i, i)
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	got := g.do(t, http.MethodPost, "/api/v1/bulk-mutations", http.Header{"Content-Type": {writer.FormDataContentType()}}, form.Bytes())
	if got.status != http.StatusAccepted {
		t.Fatalf("the start returns %d: %s", got.status, got.body)
	}
	var job struct{ ID string }
	decode(t, got.body, &job)
	return job.ID
}

func (g *gateway) countLetters(t *testing.T) int {
	t.Helper()
	var found struct{ Documents struct{ TotalCount int } }
	g.graph(t, `{ documents(filter: {q: "title:letter"}) { totalCount } }`, nil, &found)
	return found.Documents.TotalCount
}

// awaitBulk waits for the end of a bulk job and returns the lines of its file.
func (g *gateway) awaitBulk(t *testing.T, jobID string) []string {
	t.Helper()
	awaitSuccess(t, 3*time.Minute, "the bulk job ends", func() error {
		var job struct {
			Status, Note string
			ErrorMessage string `json:"error_message"`
		}
		g.rest(t, http.MethodGet, "/api/v1/jobs/"+jobID, nil, &job)
		if job.Status != "completed" {
			return fmt.Errorf("it is %s: %s%s", job.Status, job.Note, job.ErrorMessage)
		}
		return nil
	})
	got := g.do(t, http.MethodGet, "/api/v1/jobs/"+jobID+"/file", nil, nil)
	if got.status != http.StatusOK {
		t.Fatalf("the file returns %d: %s", got.status, got.body)
	}
	return strings.Split(strings.TrimSuffix(string(got.body), "\n"), "\n")
}
