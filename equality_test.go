package main

import (
	"bytes"
	"encoding/json"
	"maps"
	"mime/multipart"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"rostrum/rest"
	"rostrum/testkit"
)

// call is one operation asked through both faces: the REST request, and the variables of the stored operation.
type call struct {
	method, path, body string
	variables          string
}

// calls has one entry for every stored operation; a new operation without one fails the test.
var calls = map[string]call{
	"getWorkspace":           {"GET", "/workspace", "", `{}`},
	"listKeys":               {"GET", "/auth/keys", "", `{}`},
	"mintKey":                {"POST", "/auth/keys", `{"name": "n"}`, `{"body": {"name": "n"}}`},
	"rotateKey":              {"POST", "/auth/keys/$key/rotate", `{"overlap_seconds": 5}`, `{"key_id": "$key", "body": {"overlapSeconds": 5}}`},
	"revokeKey":              {"DELETE", "/auth/keys/$key", "", `{"key_id": "$key"}`},
	"getDocument":            {"GET", "/documents/$doc", "", `{"doc_id": "$doc"}`},
	"listDocuments":          {"GET", "/documents?per_page=2&sort=title&light=true&q=words", "", `{"per_page": 2, "sort": "TITLE_ASC", "light": true, "q": "words"}`},
	"countDocuments":         {"GET", "/documents/count?tag=a", "", `{"tag": "a"}`},
	"createDocument":         {"POST", "/documents", `{"title": "t", "content": "c", "content_type": "note"}`, `{"body": {"title": "t", "content": "c", "contentType": "note"}}`},
	"updateDocument":         {"PATCH", "/documents/$doc", `{"title": "new", "extracted_date": null}`, `{"doc_id": "$doc", "body": {"title": "new", "extractedDate": null}}`},
	"deleteDocument":         {"DELETE", "/documents/$doc", "", `{"doc_id": "$doc"}`},
	"ingestDocument":         {"POST", "/documents/ingest", `{"source_url": "http://10.9.9.9/x"}`, `{"body": {"sourceUrl": "http://10.9.9.9/x"}}`},
	"ingestAuto":             {"POST", "/documents/ingest/auto", `{"url": "http://10.9.9.9/y"}`, `{"body": {"url": "http://10.9.9.9/y"}}`},
	"estimateIngestDocument": {"POST", "/documents/ingest?estimate=true", `{"source_url": "http://10.9.9.9/x"}`, `{"body": {"sourceUrl": "http://10.9.9.9/x"}}`},
	"estimateIngestAuto":     {"POST", "/documents/ingest/auto?estimate=true", `{"url": "http://10.9.9.9/y"}`, `{"body": {"url": "http://10.9.9.9/y"}}`},
	"extractText":            {"POST", "/documents/extract-text", "", `{"file": null}`},
	"retryDocument":          {"POST", "/documents/$failed/retry", `{"content": "text"}`, `{"doc_id": "$failed", "body": {"content": "text"}}`},
	"listJobs":               {"GET", "/jobs?status=completed&job_type=ingest", "", `{"status": "COMPLETED", "job_type": "ingest"}`},
	"getJob":                 {"GET", "/jobs/$job", "", `{"job_id": "$job"}`},
	"cancelJob":              {"POST", "/jobs/$running/cancel", `{"reason": "r"}`, `{"job_id": "$running", "body": {"reason": "r"}}`},
	"retryJob":               {"POST", "/jobs/$job/retry", "", `{"job_id": "$job"}`},
	"watchJob":               {"GET", "/jobs/$job/events?after=1", "", `{"job_id": "$job", "after": 1}`},
	"listJobEvents":          {"GET", "/jobs/$job/events?after=1", "", `{"job_id": "$job", "after": 1}`},
}

// TestEquality/NAME runs a stored operation through REST and through GraphQL, each on a workspace of its own in the same state,
// and finds the same data.
func TestEquality(t *testing.T) {
	testkit.EachStack(t, func(t *testing.T, app *testkit.App) {
		operations := app.Operations()
		if known := slices.Sorted(maps.Keys(operations)); !slices.Equal(known, slices.Sorted(maps.Keys(calls))) {
			t.Fatalf("the operations are %v; give each a call", known)
		}
		site := testkit.NewSite(t, map[string]string{"site/words.txt": "A few words that will do."})
		for name, text := range operations {
			t.Run(name, func(t *testing.T) {
				byREST := prepared(t, app.Tenant(t), site).rest(t, name)
				byGraph := prepared(t, app.Tenant(t), site).graph(t, name, text)
				if byREST != byGraph {
					t.Errorf("REST gives\n%s\nGraphQL gives\n%s", byREST, byGraph)
				}
			})
		}
	})
}

// state is a workspace with one thing of each kind, by the name that calls use.
type state struct {
	app *testkit.App
	ids map[string]string
}

func prepared(t *testing.T, app *testkit.App, site string) *state {
	t.Helper()
	s := &state{app: app, ids: map[string]string{}}
	s.ids["$key"] = s.post(t, "/auth/keys", `{"name": "k", "scopes": ["read"]}`, "key", "id")
	s.ids["$doc"] = s.post(t, "/documents", `{"title": "T", "content": "Some words.", "tags": ["a"], "extracted_date": "2026-01-02"}`, "document", "id")
	s.ids["$failed"] = s.post(t, "/documents/ingest", `{"source_url": "http://10.9.9.8/"}`, "document_id")
	s.ids["$job"] = s.post(t, "/documents/ingest", `{"source_url": "`+site+`/missing.html"}`, "scrape_job_id")
	s.until(t, "$job", "failed", 100)
	s.ids["$running"] = s.post(t, "/documents/ingest", `{"source_url": "`+site+`/slow"}`, "scrape_job_id")
	s.until(t, "$running", "running", 5)
	t.Cleanup(func() { // a host has few turns, and this job holds one
		s.app.Do(t, http.MethodPost, "/api/v1/jobs/"+s.ids["$running"]+"/cancel", nil, "")
	})
	return s
}

// until waits for a job to reach a status; a running one is waited for up to its first progress, so that both faces meet the same state.
func (s *state) until(t *testing.T, job, status string, progress int) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		var got struct {
			Status   string
			Progress int
		}
		answer := s.app.Do(t, http.MethodGet, "/api/v1/jobs/"+s.ids[job], nil, "")
		if err := json.Unmarshal(answer.Body, &got); err != nil {
			t.Fatal(err)
		}
		if got.Status == status && (status != "running" || got.Progress == progress) {
			return
		}
	}
	t.Fatalf("%s did not become %s", job, status)
}

func (s *state) post(t *testing.T, path, body string, field ...string) string {
	t.Helper()
	answer := s.app.Do(t, http.MethodPost, "/api/v1"+path, nil, body)
	var value any
	if err := json.Unmarshal(answer.Body, &value); err != nil {
		t.Fatal(err)
	}
	for _, name := range field {
		object, _ := value.(map[string]any)
		value = object[name]
	}
	id, ok := value.(string)
	if !ok {
		t.Fatalf("POST %s has no %v: %s", path, field, answer.Body)
	}
	return id
}

func (s *state) fill(text string) string {
	for name, id := range s.ids {
		text = strings.ReplaceAll(text, name, id)
	}
	return text
}

func (s *state) rest(t *testing.T, name string) string {
	t.Helper()
	c := calls[name]
	header, body := http.Header{}, s.fill(c.body)
	switch name {
	case "extractText":
		body = multipartBody(t, header, map[string]string{}, "file")
	case "watchJob":
		header.Set("Accept", "text/event-stream")
	case "listJobEvents":
		header.Set("Accept", "application/json")
	}
	answer := s.app.Do(t, c.method, "/api/v1"+s.fill(c.path), header, body)
	if answer.Status >= 300 {
		t.Fatalf("%s %s: %d %s", c.method, c.path, answer.Status, answer.Body)
	}
	if name == "watchJob" {
		return neutral(t, events(t, answer.Body))
	}
	return neutral(t, answer.Body)
}

func (s *state) graph(t *testing.T, name, text string) string {
	t.Helper()
	request, err := json.Marshal(map[string]any{"query": text, "variables": json.RawMessage(s.fill(calls[name].variables))})
	if err != nil {
		t.Fatal(err)
	}
	header, body := http.Header{}, string(request)
	switch name {
	case "extractText":
		body = multipartBody(t, header, map[string]string{"operations": body, "map": `{"0": ["variables.file"]}`}, "0")
	case "watchJob":
		header.Set("Accept", "text/event-stream")
	}
	answer := s.app.Do(t, http.MethodPost, "/graphql", header, body)
	if answer.Status != http.StatusOK || bytes.Contains(answer.Body, []byte(`"errors"`)) {
		t.Fatalf("%s: %d %s", name, answer.Status, answer.Body)
	}
	rule := s.app.Shapes()[name]
	if name == "watchJob" {
		var all []any
		for _, event := range list(t, events(t, answer.Body)) {
			all = append(all, body1(t, rule, event))
		}
		return neutral(t, encoded(t, all))
	}
	return neutral(t, encoded(t, body1(t, rule, answer.Body)))
}

// body1 is the REST body that a graph answer stands for.
func body1(t *testing.T, rule rest.Shape, answer []byte) any {
	t.Helper()
	var full struct{ Data map[string]any }
	if err := json.Unmarshal(answer, &full); err != nil || len(full.Data) != 1 {
		t.Fatalf("%s (%v)", answer, err)
	}
	var value any
	for _, v := range full.Data {
		value = v
	}
	if rule.Status == http.StatusNoContent {
		return nil
	}
	if rule.Unwrap != "" {
		value = value.(map[string]any)[rule.Unwrap] //nolint:forcetypeassert // the operation says so
	}
	if rule.Wrap != "" {
		value = map[string]any{rule.Wrap: value}
	}
	return value
}

func encoded(t *testing.T, value any) []byte {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func list(t *testing.T, text []byte) (all []json.RawMessage) {
	t.Helper()
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// events joins the data of a stream's frames into a list; frames without any, such as a completion, are left out.
func events(t *testing.T, stream []byte) []byte {
	t.Helper()
	var all []json.RawMessage
	for line := range strings.Lines(string(stream)) {
		if data, ok := strings.CutPrefix(strings.TrimSpace(line), "data: "); ok && strings.HasPrefix(data, "{") {
			all = append(all, json.RawMessage(data))
		}
	}
	return encoded(t, all)
}

// multipartBody writes a multipart body with the fields and one small file.
func multipartBody(t *testing.T, header http.Header, fields map[string]string, file string) string {
	t.Helper()
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	for _, name := range []string{"operations", "map"} {
		if text, ok := fields[name]; ok {
			if err := w.WriteField(name, text); err != nil {
				t.Fatal(err)
			}
		}
	}
	part, err := w.CreateFormFile(file, "a.txt")
	if err == nil {
		_, err = part.Write([]byte("Nine members were present."))
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	header.Set("Content-Type", w.FormDataContentType())
	return body.String()
}

var (
	changing = regexp.MustCompile(`\b((wsp|key|doc|job)_[0-9a-z]{26}|rsk_[0-9A-Za-z]+|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z)`)
	word     = regexp.MustCompile(`"[A-Z_]+"`)
)

// neutral leaves out what differs between two workspaces and writes closed sets as REST does.
func neutral(t *testing.T, body []byte) string {
	t.Helper()
	if len(bytes.TrimSpace(body)) == 0 {
		return "null"
	}
	var value any
	if err := json.Unmarshal(body, &value); err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	text, err := json.MarshalIndent(value, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return word.ReplaceAllStringFunc(changing.ReplaceAllString(string(text), "*"), strings.ToLower)
}
