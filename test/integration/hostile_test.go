package integration

import (
	"bytes"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"
	"time"

	"rostrum/test/kit"
	"rostrum/test/kit/hostile"
	"rostrum/test/kit/poll"
)

// fileLimit is longer than the time that the limits of a file allow with the race detector.
const fileLimit = 10 * time.Minute

// TestHostileFiles reads a PDF that takes more memory than a process may use: the upload and the
// ingestion fail with a reason, and the program reads the next file.
func TestHostileFiles(t *testing.T) {
	greedy := hostile.NestedForms(12, 10)
	kit.EachStack(t, func(t *testing.T, a *kit.App) {
		uploadFile(t, a, "a.pdf", greedy).Want(t, 413, `"too_large"`)
		site := kit.NewSite(t, map[string]string{"site/a.pdf": string(greedy)})
		started := a.Do(t, http.MethodPost, "/api/v1/documents/ingest", nil, `{"source_url": "`+site+`/a.pdf"}`).
			Want(t, 200)
		path := "/api/v1/jobs/" + field(t, started, "scrape_job_id")
		var job *kit.Response
		ended := poll.HoldsWithin(fileLimit, func() bool {
			job = a.Do(t, http.MethodGet, path, nil, "").Want(t, 200)
			return strings.Contains(string(job.Body), `"status":"failed"`)
		})
		document := a.Do(t, http.MethodGet, "/api/v1/documents/"+field(t, started, "document_id"), nil, "").Want(t, 200)
		if !ended || !strings.Contains(string(job.Body), `"too_large"`) ||
			!strings.Contains(string(document.Body), `"too_large"`) {
			t.Errorf("the job is %s\nand the document %s", job.Body, document.Body)
		}
		uploadFile(t, a, "a.txt", []byte("Just a line of text.")).Want(t, 200)
	})
}

// uploadFile posts a file to extract its text.
func uploadFile(t *testing.T, a *kit.App, name string, content []byte) *kit.Response {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	file, err := form.CreateFormFile("file", name)
	if err == nil {
		_, err = file.Write(content)
	}
	if err != nil || form.Close() != nil {
		t.Fatal(err)
	}
	return a.Do(t, http.MethodPost, "/api/v1/documents/extract-text",
		http.Header{"Content-Type": {form.FormDataContentType()}}, body.String())
}
