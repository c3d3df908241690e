package e2e

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"testing"
	"time"
)

// transport sends the requests of tests, whose connections no server of httptest that ends may
// close.
var transport = http.DefaultTransport.(*http.Transport).Clone()

// caller sends plain requests; streams use a client without a limit.
var caller = &http.Client{Transport: transport, Timeout: time.Minute}

// answer is a response that was read to its end.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// request returns a request with the process's demo key, unless the header has a key; an empty key
// sends none.
func (g *gateway) request(t *testing.T, method, path string, header http.Header, body []byte) *http.Request {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, g.url+path, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("X-API-Key", g.key)
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	for name, values := range header {
		request.Header[http.CanonicalHeaderKey(name)] = values
	}
	if request.Header.Get("X-API-Key") == "" {
		request.Header.Del("X-API-Key")
	}
	return request
}

// do sends a request and reads its response.
func (g *gateway) do(t *testing.T, method, path string, header http.Header, body []byte) answer {
	t.Helper()
	response, err := caller.Do(g.request(t, method, path, header, body))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	read, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer{response.StatusCode, response.Header, read}
}

// rest sends a request that must succeed and decodes its response into out.
func (g *gateway) rest(t *testing.T, method, path string, body, out any) {
	t.Helper()
	var sent []byte
	if body != nil {
		sent = encode(t, body)
	}
	got := g.do(t, method, path, nil, sent)
	if got.status >= 300 {
		t.Fatalf("%s %s returns %d: %s", method, path, got.status, got.body)
	}
	decode(t, got.body, out)
}

// graph runs an operation that must succeed and decodes its data into out.
func (g *gateway) graph(t *testing.T, query string, variables map[string]any, out any) {
	t.Helper()
	got := g.do(t, http.MethodPost, "/graphql", nil, encode(t, map[string]any{"query": query, "variables": variables}))
	var reply struct {
		Data   json.RawMessage
		Errors json.RawMessage
	}
	decode(t, got.body, &reply)
	if got.status != http.StatusOK || reply.Errors != nil {
		t.Fatalf("the graph returns %d: %s", got.status, got.body)
	}
	decode(t, reply.Data, out)
}

func encode(t *testing.T, value any) []byte {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func decode(t *testing.T, text []byte, out any) {
	t.Helper()
	if err := json.Unmarshal(text, out); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
}

// ingested is the response to an ingest.
type ingested struct {
	DocumentID       string  `json:"document_id"`
	JobID            string  `json:"scrape_job_id"`
	Success          bool    `json:"success"`
	Error            *string `json:"error"`
	ProcessingStatus *string `json:"processing_status"`
}

// ingest posts an address, which must start a job.
func (g *gateway) ingest(t *testing.T, address string) ingested {
	t.Helper()
	var out ingested
	g.rest(t, http.MethodPost, "/api/v1/documents/ingest",
		map[string]any{"source_url": address, "media_provenance": "earned"}, &out)
	if !out.Success || out.JobID == "" || out.DocumentID == "" || out.Error != nil {
		t.Fatalf("the ingest of %s was not started: %+v", address, out)
	}
	return out
}
