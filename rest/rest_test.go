package rest_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"rostrum/model"
)

func wantStatus(t *testing.T, got answer, status int) {
	t.Helper()
	if got.StatusCode != status {
		t.Fatalf("the status is %d, want %d: %s", got.StatusCode, status, got.body)
	}
}

func wantBody(t *testing.T, got answer, want string) {
	t.Helper()
	if got.body != want {
		t.Fatalf("the body is\n%s\nwant\n%s", got.body, want)
	}
}

type problemDocument struct {
	Status    int    `json:"status"`
	Code      string `json:"code"`
	Detail    string `json:"detail"`
	RequestID string `json:"request_id"`
	Errors    []struct {
		Pointer, Msg, Type string
		Loc                []any
	}
}

// wantProblem checks status and code and returns the whole problem document.
func wantProblem(t *testing.T, got answer, status int, code string) problemDocument {
	t.Helper()
	wantStatus(t, got, status)
	var p problemDocument
	if err := json.Unmarshal([]byte(got.body), &p); err != nil {
		t.Fatal(err)
	}
	if media := got.Header.Get("Content-Type"); media != "application/problem+json" {
		t.Errorf("the media type is %s", media)
	}
	if p.Status != status || p.Code != code || p.RequestID == "" || p.RequestID != got.Header.Get("X-Request-Id") {
		t.Fatalf("the problem is %s", got.body)
	}
	return p
}

func (p problemDocument) fields() string {
	words := make([]string, len(p.Errors))
	for i, e := range p.Errors {
		loc, _ := json.Marshal(e.Loc)
		words[i] = e.Pointer + " " + string(loc) + " " + e.Type
	}
	return strings.Join(words, "\n")
}

func TestSuccess(t *testing.T) {
	t.Parallel()
	const fullJob = `{"id":"job_1","workspace_id":"wsp_1","job_type":"ingest","status":"running","progress":40,"note":null,` +
		`"created_at":"2026-03-04T05:06:07Z","started_at":null,"completed_at":null,"document_id":null,"user_id":null,"parameters":null,` +
		`"result":null,"error_message":null,"error_code":null,"max_retries":3,"priority":1,"retry_count":0,"cancelled_by":null,"cancel_reason":null}`
	s := newServer(t)
	for _, c := range []struct {
		name, method, path, body string
		status                   int
		want                     string
	}{
		{"a count is wrapped", "GET", "/api/v1/documents/count?q=sea", "", 200, `{"count":41}`},
		{"one job is bare", "GET", "/api/v1/jobs/job_1", "", 200, fullJob},
		{"cancelling returns the bare job", "POST", "/api/v1/jobs/job_1/cancel", `{"reason":"enough"}`, 200, fullJob},
		{"cancelling needs no body", "POST", "/api/v1/jobs/job_1/cancel", "", 200, fullJob},
		{"queueing returns the job", "POST", "/api/v1/documents/doc_1/retry", "", 202,
			`{"job_id":"job_9","job_type":"ingest","status":"queued"}`},
		{"deletion returns no body", "DELETE", "/api/v1/documents/doc_1", "", 204, ""},
		{"creating answers 200", "POST", "/api/v1/documents", `{"title":"T","content":"c","nobody":"knows"}`, 200,
			`{"document":{"id":"doc_2","title":"T","content_type":"text","word_count":1,"character_count":1,"created_at":"2026-03-04T05:06:07Z","visibility":"public","embargoed_until":null},"message":"Document created successfully"}`},
		{"events as a page", "GET", "/api/v1/jobs/job_1/events?after=6", "", 200,
			`{"events":[{"position":7,"kind":"state","job":` + fullJob + `}],"next_cursor":7}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := s.do(t, c.method, c.path, c.body, "Accept: application/json")
			wantStatus(t, got, c.status)
			wantBody(t, got, c.want)
		})
	}
}

func TestSuccessHeaders(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	queued := s.do(t, "POST", "/api/v1/documents/doc_1/retry", "")
	if queued.Header.Get("Location") != "/api/v1/jobs/job_9" || queued.Header.Get("Retry-After") != "1" {
		t.Errorf("a queued job has the headers %v", queued.Header)
	}
	minted := s.do(t, "POST", "/api/v1/auth/keys", `{"name":"ci","scopes":["read"]}`)
	wantStatus(t, minted, 201)
	if minted.Header.Get("Location") != "/api/v1/auth/keys/key_2" {
		t.Errorf("a new key has the headers %v", minted.Header)
	}
	echoed := s.do(t, "GET", "/api/v1/workspace", "", "X-Request-Id: mine-1")
	if echoed.Header.Get("X-Request-Id") != "mine-1" {
		t.Errorf("the request id is %q", echoed.Header.Get("X-Request-Id"))
	}
}

func TestDocuments(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	t.Run("light omits the content", func(t *testing.T) {
		full := s.do(t, "GET", "/api/v1/documents", "")
		light := s.do(t, "GET", "/api/v1/documents?light=true", "")
		if !strings.Contains(full.body, `"content":"Tide \u003crises\u003e"`) &&
			!strings.Contains(full.body, `"content":"Tide <rises>"`) {
			t.Errorf("the content is missing: %s", full.body)
		}
		if strings.Contains(light.body, `"content":`) || !strings.Contains(light.body, `"total_count":41`) {
			t.Errorf("light mode returns %s", light.body)
		}
	})
	t.Run("parameters are converted to the graph's spelling", func(t *testing.T) {
		wantStatus(t, s.do(t, "GET", "/api/v1/documents?page=3&per_page=7&sort=-word_count&media_provenance=earned&q=a%20b&unknown=1", ""), 200)
		got := s.graph.list
		if got.page != 3 || got.perPage != 7 || got.sort == nil || *got.sort != model.DocumentSortWordCountDesc ||
			*got.filter.MediaProvenance.Value() != model.MediaProvenanceEarned || *got.filter.Q.Value() != "a b" ||
			got.filter.Tag.IsSet() {
			t.Errorf("the graph received %+v", got)
		}
	})
	t.Run("defaults", func(t *testing.T) {
		wantStatus(t, s.do(t, "GET", "/api/v1/documents", ""), 200)
		if got := s.graph.list; got.page != 1 || got.perPage != 20 || got.sort != nil {
			t.Errorf("the graph received %+v", got)
		}
	})
}

func TestBody(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	t.Run("an absent field is omitted and null is passed on", func(t *testing.T) {
		wantStatus(t, s.do(t, "PATCH", "/api/v1/documents/doc_1", `{"title":null,"extracted_date":null}`), 200)
		got := s.graph.update
		if !got.Title.IsSet() || got.Title.Value() != nil || !got.ExtractedDate.IsSet() || got.Company.IsSet() {
			t.Errorf("the graph received %+v", got)
		}
	})
	t.Run("a date without a time is accepted", func(t *testing.T) {
		wantStatus(t, s.do(t, "PATCH", "/api/v1/documents/doc_1", `{"extracted_date":"2026-01-31"}`,
			"Content-Type: application/merge-patch+json"), 200)
		if got := s.graph.update.ExtractedDate.Value(); got == nil || got.Day() != 31 {
			t.Errorf("the date is %v", got)
		}
	})
	t.Run("enums are written in lower case", func(t *testing.T) {
		wantStatus(t, s.do(t, "POST", "/api/v1/documents/ingest",
			`{"source_url":"https://a.example","content_type":"pdf","media_provenance":"paid","force":true}`), 200)
		got := s.graph.ingest
		if *got.ContentType.Value() != model.IngestContentTypePdf ||
			*got.MediaProvenance.Value() != model.MediaProvenancePaid || !*got.Force.Value() {
			t.Errorf("the graph received %+v", got)
		}
	})
	t.Run("the schema's defaults apply", func(t *testing.T) {
		wantStatus(t, s.do(t, "POST", "/api/v1/documents/ingest", `{"source_url":"https://a.example"}`), 200)
		if got := s.graph.ingest.ContentType.Value(); *got != model.IngestContentTypeAuto {
			t.Errorf("the content type is %v", *got)
		}
	})
}

func TestInvalid(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	for _, c := range []struct{ name, method, path, body, want string }{
		{"all invalid parameters together", "GET",
			"/api/v1/documents?page=0&per_page=101&sort=size&light=maybe&q=a%00b&tag=%ff", "",
			`#/page ["query","page"] greater_than_equal
#/per_page ["query","per_page"] less_than_equal
#/light ["query","light"] bool_parsing
#/q ["query","q"] string_type
#/tag ["query","tag"] string_type
#/sort ["query","sort"] enum`},
		{"all invalid members of a body together", "POST", "/api/v1/documents",
			`{"content":5,"media_provenance":"OWNED","tags":["a",1],"extracted_date":"soon"}`,
			`#/content ["body","content"] string_type
#/extracted_date ["body","extracted_date"] datetime_parsing
#/media_provenance ["body","media_provenance"] enum
#/tags/1 ["body","tags",1] string_type
#/title ["body","title"] missing`},
		{"a blank title", "PATCH", "/api/v1/documents/doc_1", `{"title":"  "}`,
			`#/title ["body","title"] string_too_short`},
		{"an empty title", "PATCH", "/api/v1/documents/doc_1", `{"title":""}`,
			`#/title ["body","title"] string_too_short`},
		{"a title too long", "PATCH", "/api/v1/documents/doc_1", `{"title":"` + strings.Repeat("é", 1001) + `"}`,
			`#/title ["body","title"] string_too_long`},
		{"a NUL character", "PATCH", "/api/v1/documents/doc_1", `{"title":"a\u0000b"}`,
			`#/title ["body","title"] string_type`},
		{"a number beyond 32 bits", "POST", "/api/v1/auth/keys/key_1/rotate",
			`{"overlap_seconds":99999999999999999999}`, `#/overlap_seconds ["body","overlap_seconds"] int_type`},
		{"a number that overflows", "POST", "/api/v1/auth/keys/key_1/rotate", `{"overlap_seconds":1e999}`,
			`#/overlap_seconds ["body","overlap_seconds"] int_type`},
		{"half a second", "POST", "/api/v1/auth/keys/key_1/rotate", `{"overlap_seconds":1.5}`,
			`#/overlap_seconds ["body","overlap_seconds"] int_type`},
		{"a page beyond 32 bits", "GET", "/api/v1/jobs?page=99999999999", "", `#/page ["query","page"] int_type`},
		{"no number at all", "GET", "/api/v1/jobs?page=", "", `#/page ["query","page"] int_parsing`},
		{"a parameter twice", "GET", "/api/v1/jobs?page=1&page=2", "", `#/page ["query","page"] value_error`},
		{"a null in a required field", "POST", "/api/v1/documents", `{"title":null,"content":"c"}`,
			`#/title ["body","title"] string_type`},
		{"a body that is no object", "POST", "/api/v1/documents", `["title"]`, `# ["body"] dict_type`},
		{"a null body", "POST", "/api/v1/documents", `null`, `# ["body"] dict_type`},
		{"no body", "POST", "/api/v1/documents", "", `# ["body"] missing`},
		{"a NUL in the path", "GET", "/api/v1/documents/a%00b", "", `#/doc_id ["path","doc_id"] string_type`},
		{"path and body together", "PATCH", "/api/v1/documents/a%00b", `{"title":7}`, `#/doc_id ["path","doc_id"] string_type
#/title ["body","title"] string_type`},
		{"an error of the graph names the body's field", "POST", "/api/v1/documents",
			`{"title":"two sources","content":"c"}`, `#/source_url ["body","source_url"] value_error`},
		{"an error of the graph names the parameter", "GET", "/api/v1/documents?company=unknown", "",
			`#/company ["query","company"] value_error`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := wantProblem(t, s.do(t, c.method, c.path, c.body), 422, "validation_failed")
			if got := p.fields(); got != c.want {
				t.Errorf("the field errors are\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

func TestMalformed(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	for name, body := range map[string]string{
		"cut short": `{"title":`, "two values": `{} {}`, "no JSON": `title=T`, "not UTF-8": "{\"title\":\"\xff\"}",
		"too deep": strings.Repeat("[", 101) + strings.Repeat("]", 101),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wantProblem(t, s.do(t, "POST", "/api/v1/documents", body), 400, "malformed_json")
		})
	}
	t.Run("a lone surrogate is replaced", func(t *testing.T) {
		t.Parallel()
		wantStatus(t, s.do(t, "POST", "/api/v1/documents", `{"title":"\ud800","content":"c"}`), 200)
	})
	t.Run("the last of repeated members counts", func(t *testing.T) {
		t.Parallel()
		wantStatus(t, s.do(t, "POST", "/api/v1/documents", `{"title":1,"title":"T","content":"c"}`), 200)
	})
}

func TestFailures(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	for _, c := range []struct {
		name, method, path, body, header string
		status                           int
		code                             string
	}{
		{"no key", "GET", "/api/v1/workspace", "", "X-API-Key: ", 401, "unauthenticated"},
		{"a wrong key", "GET", "/api/v1/workspace", "", "X-API-Key: rsk_bad", 401, "invalid_key"},
		{"a null root", "GET", "/api/v1/documents/doc_0", "", "", 404, "not_found"},
		{"an id with a slash", "GET", "/api/v1/documents/a%2Fb", "", "", 404, "not_found"},
		{"a path without operation", "GET", "/api/v1/nothing", "", "", 404, "not_found"},
		{"a stream without job", "GET", "/api/v1/jobs/job_0/events", "", "", 404, "not_found"},
		{"a page of deleted events", "GET", "/api/v1/jobs/job_1/events?after=1", "", "Accept: application/json", 410,
			"cursor_gone"},
		{"an unsupported Accept", "GET", "/api/v1/workspace", "", "Accept: text/html", 406, "not_acceptable"},
		{"an unsupported Accept of a stream", "GET", "/api/v1/jobs/job_1/events", "",
			"Accept: image/png, text/event-stream;q=0", 406, "not_acceptable"},
		{"another media type", "POST", "/api/v1/documents", `{"title":"T","content":"c"}`, "Content-Type: text/plain",
			415, "unsupported_media_type"},
		{"a file without a form", "POST", "/api/v1/documents/extract-text", `{}`, "", 415, "unsupported_media_type"},
		{"a body too large", "POST", "/api/v1/documents", `{"title":"` + strings.Repeat("x", 10<<20) + `"}`, "", 413,
			"too_large"},
		{"a state conflict", "POST", "/api/v1/jobs/job_7/cancel", "", "", 409, "invalid_state"},
		{"a broken resolver", "GET", "/api/v1/documents/doc_broken", "", "", 500, "internal"},
		{"a panic", "GET", "/api/v1/documents/doc_panic", "", "", 500, "internal"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var headers []string
			if c.header != "" {
				headers = []string{c.header}
			}
			got := s.do(t, c.method, c.path, c.body, headers...)
			wantProblem(t, got, c.status, c.code)
			if (c.status == 401) != (got.Header.Get("WWW-Authenticate") != "") {
				t.Errorf("WWW-Authenticate is %q", got.Header.Get("WWW-Authenticate"))
			}
			if strings.Contains(got.body, "hunter2") || strings.Contains(got.body, "goroutine") ||
				strings.Contains(got.body, "a resolver") {
				t.Errorf("the response contains internals: %s", got.body)
			}
		})
	}
	t.Run("extra members are at the top level", func(t *testing.T) {
		t.Parallel()
		got := s.do(t, "POST", "/api/v1/documents/ingest", `{"source_url":"https://poor.example"}`)
		wantProblem(t, got, 402, "budget_exhausted")
		if !strings.Contains(got.body, `"budget":{"limit":5,"used":5}`) {
			t.Errorf("the budget is missing: %s", got.body)
		}
	})
}

func TestSeveralFailures(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	got := s.do(t, "GET", "/api/v1/documents?company=two", "")
	p := wantProblem(t, got, 429, "rate_limited")
	if got.Header.Get("Retry-After") != "7" {
		t.Errorf("the headers are %v", got.Header)
	}
	if p.Detail != "the first" || p.fields() != "# [\"response\"] rate_limited\n# [\"response\"] not_found" {
		t.Errorf("the problem is %q with\n%s", p.Detail, p.fields())
	}
}

func TestMethods(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	refused := s.do(t, "PUT", "/api/v1/documents/doc_1", "")
	wantProblem(t, refused, 405, "method_not_allowed")
	if got := refused.Header.Get("Allow"); got != "OPTIONS, GET, HEAD, PATCH, DELETE" {
		t.Errorf("Allow is %q", got)
	}
	options := s.do(t, "OPTIONS", "/api/v1/documents", "")
	if options.StatusCode != http.StatusNoContent || options.Header.Get("Allow") != "OPTIONS, GET, HEAD, POST" {
		t.Errorf("OPTIONS returns %d %v", options.StatusCode, options.Header)
	}
	preflight := s.do(t, "OPTIONS", "/api/v1/documents", "", "Origin: https://a.example",
		"Access-Control-Request-Method: POST", "Access-Control-Request-Headers: graphql-client-name,x-api-key")
	if preflight.Header.Get("Access-Control-Allow-Origin") != "*" ||
		preflight.Header.Get("Access-Control-Allow-Credentials") != "" {
		t.Errorf("the preflight of another origin returns %v", preflight.Header)
	}
	head, body := s.do(t, "HEAD", "/api/v1/workspace", ""), s.do(t, "GET", "/api/v1/workspace", "")
	if head.body != "" || head.StatusCode != http.StatusOK || head.ContentLength != int64(len(body.body)) ||
		head.Header.Get("ETag") != body.Header.Get("ETag") {
		t.Errorf("HEAD returns %d, %d bytes, %v", head.StatusCode, head.ContentLength, head.Header)
	}
}

func TestConditionalRequests(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	first := s.do(t, "GET", "/api/v1/jobs/job_1", "")
	tag := first.Header.Get("ETag")
	if tag == "" || first.Header.Get("Cache-Control") != "private, no-cache" {
		t.Fatalf("a read has the headers %v", first.Header)
	}
	for _, given := range []string{tag, "W/" + tag, `"other", ` + tag, "*"} {
		again := s.do(t, "GET", "/api/v1/jobs/job_1", "", "If-None-Match: "+given)
		if again.StatusCode != http.StatusNotModified || again.body != "" || again.Header.Get("ETag") != tag {
			t.Errorf("If-None-Match %s returns %d %q", given, again.StatusCode, again.body)
		}
	}
	wantStatus(t, s.do(t, "GET", "/api/v1/jobs/job_1", "", `If-None-Match: "other"`), 200)
	wantStatus(t, s.do(t, "POST", "/api/v1/jobs/job_1/cancel", "", "If-None-Match: "+tag), 200)
}
