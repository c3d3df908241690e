package graph

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"rostrum/errs"
	"rostrum/platform/web"
)

func TestPost(t *testing.T) {
	t.Parallel()
	const good = `{"query":"{ document(id: \"doc_a\") { id status: processingStatus } }"}`
	deep := `{"query":"{__typename}","variables":{"a":` + strings.Repeat("[", 20000) + strings.Repeat("]", 20000) + `}}`
	for _, c := range []struct {
		name, body  string
		contentType string
		accept      string
		status      int
		want        []string
	}{
		{"plain JSON is answered by default", good, typeJSON, "", 200,
			[]string{`{"data":{"document":{"id":"doc_a","status":"FETCHING"}}}`}},
		{"charset utf-8 is read", good, "application/json; charset=UTF-8", "*/*", 200, []string{`"data"`}},
		{"another charset is rejected", good, "application/json; charset=latin1", "", 415,
			[]string{`"code":"unsupported_media_type"`}},
		{"plain text is rejected", good, "text/plain", "", 415, []string{`"code":"unsupported_media_type"`}},
		{"a missing type is not guessed", good, "", "", 415, []string{`"code":"unsupported_media_type"`}},
		{"an unsupported Accept is rejected", good, typeJSON, "text/html", 406, []string{`"code":"not_acceptable"`}},
		{"bad JSON", `{"query":`, typeJSON, "", 400, []string{`"code":"malformed_json"`}},
		{"no body", ``, typeJSON, "", 400, []string{`"code":"malformed_json"`}},
		{"text after the JSON", good + `x`, typeJSON, "", 400, []string{`"code":"malformed_json"`}},
		{"invalid UTF-8", "{\"query\":\"\xff\"}", typeJSON, "", 400, []string{`"code":"malformed_json"`}},
		{"a batch", ` [` + good + `]`, typeJSON, "", 400, []string{`"code":"bad_request"`, "batches"}},
		{"a wrong type", `{"query":5}`, typeJSON, "", 400, []string{`"code":"bad_request"`, "query"}},
		{"variables must be an object", `{"query":"{__typename}","variables":[1]}`, typeJSON, "", 400,
			[]string{`"code":"bad_request"`}},
		{"very deep JSON", deep, typeJSON, "", 400, []string{`"code":"malformed_json"`}},
		{"no query", `{"query":null}`, typeJSON, "", 400, []string{`"code":"bad_request"`, "query is missing"}},
		{"an empty query cannot be parsed", `{"query":""}`, typeJSON, typeJSON, 200, []string{`"code":"bad_request"`}},
		{"an empty query in the response's own media type", `{"query":""}`, typeJSON, typeResponse, 400,
			[]string{`"code":"bad_request"`}},
		{"a query of white space", `{"query":"  "}`, typeJSON, typeResponse, 400, []string{`"code":"bad_request"`}},
		{"a syntax error", `{"query":"{ document"}`, typeJSON, typeResponse, 400, []string{`"code":"bad_request"`}},
		{"an unknown field", `{"query":"{ nothing }"}`, typeJSON, typeResponse, 400, []string{`"code":"bad_request"`}},
		{"an object for a number", `{"query":"query($n: Int) { documents(first: $n) { nodes { id } } }","variables":{"n":{}}}`, typeJSON, typeResponse, 400,
			[]string{`"code":"validation_failed"`, `an object is not an Int`, `"pointer":"#/n"`}},
		{"variables must be an object", `{"query":"{ documentCount }","variables":"x"}`, typeJSON, "", 400,
			[]string{`"message":"variables cannot be a JSON string"`}},
		{"an unknown operation", `{"query":"query a {__typename}","operationName":"b"}`, typeJSON, typeResponse, 400,
			[]string{`"code":"bad_request"`}},
		{"a missing variable", `{"query":"query($id: ID!) { document(id: $id) { id } }"}`, typeJSON, typeResponse, 400,
			[]string{`"code":"validation_failed"`, `"pointer":"#/id"`, "is required"}},
		{"rejections are answered 200 in application/json", `{"query":"{ nothing }"}`, typeJSON, typeJSON, 200,
			[]string{`{"errors":[{"message":"Cannot query`}},
		{"invalid variables are answered 200 in application/json",
			`{"query":"query($id: ID!) { document(id: $id) { id } }"}`, typeJSON, typeJSON, 200,
			[]string{`{"errors":[{"message":"id: is required"`}},
		{"a subscription without a stream", `{"query":"subscription { jobProgress(jobId: \"1\") { position } }"}`,
			typeJSON, "", 406, []string{`"code":"not_acceptable"`}},
		{"@defer for a client that reads no parts", `{"query":"{ ... @defer { documentCount } }"}`, typeJSON, "", 200,
			[]string{`{"data":{"documentCount":2}}`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			headers := []string{"Content-Type", c.contentType, keyHeader, readKey}
			if c.accept != "" {
				headers = append(headers, "Accept", c.accept)
			}
			r := newTestBundle(t).do(t, http.MethodPost, "", c.body, headers...)
			r.want(t, c.status, c.want...)
			if media := web.ParseContentType(r.header.Get("Content-Type")); media != typeJSON && media != c.accept {
				t.Errorf("the media type is %s", media)
			}
			if c.status != 200 && strings.Contains(r.body, `"data"`) {
				t.Errorf("a request that did not run has data: %s", r.body)
			}
		})
	}
}

func TestPost_limits(t *testing.T) {
	t.Parallel()
	b := newTestBundle(t, func(c *Config) { c.Policy.Limits.Body = 1000 })
	b.post(t, readKey, "{__typename}"+strings.Repeat(" ", 2000)).want(t, 413, `"code":"too_large"`)
}

func TestGet(t *testing.T) {
	t.Parallel()
	query := func(q string, more ...string) string {
		return "?query=" + url.QueryEscape(q) + strings.Join(more, "")
	}
	for _, c := range []struct {
		name, query string
		status      int
		want        string
	}{
		{"a query", query(`query($id: ID!) { document(id: $id) { id } }`, "&variables=",
			url.QueryEscape(`{"id":"doc_a"}`)), 200, `{"data":{"document":{"id":"doc_a"}}}`},
		{"an operation by name", query(`query a { documentCount } query b { __typename }`, "&operationName=b"), 200,
			`"Query"`},
		{"a mutation", query(`mutation { createDocument(input: {title: "a", content: "b"}) { document { id } } }`), 405,
			`"code":"method_not_allowed"`},
		{"a subscription without a stream", query(`subscription { workspaceJobs { id } }`), 406,
			`"code":"not_acceptable"`},
		{"bad variables", query(`{__typename}`, "&variables={"), 400, `"code":"malformed_json"`},
		{"bad escapes", "?query=%zz", 400, `"code":"bad_request"`},
		{"invalid UTF-8", "?query=%ff", 400, `"code":"bad_request"`},
		{"no query", "", 400, "query is missing"},
		{"an empty query", "?query=", 200, `"code":"bad_request"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := newTestBundle(t).do(t, http.MethodGet, c.query, "", keyHeader, writeKey)
			r.want(t, c.status, c.want)
			if c.status == 405 && r.header.Get("Allow") != http.MethodPost {
				t.Errorf("Allow: %s", r.header.Get("Allow"))
			}
		})
	}
	t.Run("a key in the address is rejected", func(t *testing.T) {
		t.Parallel()
		newTestBundle(t).do(t, http.MethodGet, query("{ documentCount }", "&X-API-Key=", readKey, "&key=", readKey),
			"").want(t, 401, `"code":"invalid_key"`)
	})
	t.Run("other methods", func(t *testing.T) {
		t.Parallel()
		r := newTestBundle(t).do(t, http.MethodPut, "", "{}")
		r.want(t, 405, `"code":"method_not_allowed"`)
		if r.header.Get("Allow") != "GET, POST" {
			t.Errorf("Allow: %s", r.header.Get("Allow"))
		}
	})
}

func TestTime(t *testing.T) {
	t.Parallel()
	wait := func(ctx context.Context) error {
		<-ctx.Done()
		return ctx.Err()
	}
	t.Run("a query ends at its time limit", func(t *testing.T) {
		t.Parallel()
		b := newTestBundle(t, func(c *Config) { c.Policy.Limits.Query = 20 * time.Millisecond })
		b.slow = wait
		b.post(t, readKey, "{ documentCount }").want(t, 200, `"code":"`+string(errs.Unavailable)+`"`)
	})
}
