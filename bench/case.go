package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
)

// rows is how many documents a list carries.
const rows = 50

// shape is what an answer holds: one document or a list of 50, each with all fields but its text and auto-tags unless said.
type shape struct{ one, text, tags, total bool }

// statements is the most SQL that a request of the shape may send: one for the documents and one for their auto-tags. The total is a
// column of a row that the workspace has anyway.
func (s shape) statements() int64 {
	if s.tags {
		return 2
	}
	return 1
}

// comparison is a shape that the hand-written handlers and the gateway are compared on; REST answers only those shapes that
// are bodies of its operations, GraphQL all.
type comparison struct {
	name  string
	shape shape
	rest  bool
	asked float64 // the least ratio of GraphQL's rate to the hand-written handler's; 0: none is asked
}

var comparisons = []comparison{
	{name: "one document", shape: shape{one: true}},
	{name: "one document, text, auto-tags", shape: shape{one: true, text: true, tags: true}, rest: true},
	{name: "50 documents", shape: shape{}, asked: 0.8},
	{name: "50 documents, auto-tags", shape: shape{tags: true}, asked: 0.8},
	{name: "50 documents, total", shape: shape{total: true}, asked: 1.5},
	{name: "50 documents, auto-tags, total", shape: shape{tags: true, total: true}, rest: true},
}

// restClaim is the least ratio of REST's rate to GraphQL's for the same body.
const restClaim = 0.95

// target says which documents a request asks for.
type target struct {
	place *place
	id    string // of one document
	page  int    // of a list
}

// targets spreads requests over the workspaces, so that neither face answers the same rows twice in a row.
func targets(places []*place, one bool, documents int) []target {
	var list []target
	for i := range sampled {
		for _, p := range places {
			switch {
			case one && i < len(p.documents):
				list = append(list, target{place: p, id: p.documents[i]})
			case !one && i < min(documents/rows, 4):
				list = append(list, target{place: p, page: i + 1})
			}
		}
	}
	return list
}

// request is one HTTP request and how many documents its answer must carry.
type request struct {
	method, url, key string
	body             any // becomes JSON; none when nil
	documents        int
}

func (s shape) documents() int {
	if s.one {
		return 1
	}
	return rows
}

func (r request) http(ctx context.Context) (*http.Request, error) {
	var body []byte
	if r.body != nil {
		var err error
		if body, err = json.Marshal(r.body); err != nil {
			return nil, fmt.Errorf("write the body for %s: %w", r.url, err)
		}
	}
	req, err := http.NewRequestWithContext(ctx, r.method, r.url, bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("make a request: %w", err)
	}
	req.Header.Set("X-API-Key", r.key)
	if r.body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	return req, nil
}

func (s shape) handWritten(base string, t target) request {
	at := base + "/workspaces/" + t.place.workspaceID + "/documents"
	query := url.Values{}
	for name, on := range map[string]bool{"text": s.text, "tags": s.tags, "total": s.total} {
		if on {
			query.Set(name, "true")
		}
	}
	if s.one {
		at += "/" + t.id
	} else {
		query.Set("page", strconv.Itoa(t.page))
	}
	return request{method: http.MethodGet, url: at + "?" + query.Encode(), key: t.place.key, documents: s.documents()}
}

// inDatabase asks the handler whose JSON is made in Postgres.
func (s shape) inDatabase(base string, t target) request {
	r := s.handWritten(base, t)
	r.url += "&database=true"
	return r
}

// onWire asks the handler that appends the wire's bytes.
func (s shape) onWire(base string, t target) request {
	r := s.handWritten(base, t)
	r.url += "&wire=true"
	return r
}

func (s shape) rest(base string, t target) request {
	at := fmt.Sprintf("%s/api/v1/documents?light=true&page=%d&per_page=%d", base, t.page, rows)
	if s.one {
		at = base + "/api/v1/documents/" + t.id
	}
	return request{method: http.MethodGet, url: at, key: t.place.key, documents: s.documents()}
}

func (s shape) graphQL(base string, t target) request {
	variables := map[string]any{"page": t.page, "perPage": rows}
	if s.one {
		variables = map[string]any{"id": t.id}
	}
	body := map[string]any{"query": s.operation(), "variables": variables}
	return request{method: http.MethodPost, url: base + "/graphql", key: t.place.key, body: body, documents: s.documents()}
}

const documentFields = `id workspaceId title contentType communicationType company executive author language createdAt updatedAt
 extractedAt extractedDate mediaProvenance processingStatus processingError { code message retryable } sourceUrl url wordCount
 characterCount isNarrativeTestingUpload tags`

// operation is the query for the shape; its one alias names the list as REST does.
func (s shape) operation() string {
	fields := documentFields
	if s.text {
		fields += " content"
	}
	if s.tags {
		fields += " autoTags { name extractedValue appliedAt confidenceScore tagType }"
	}
	if s.one {
		return "query ($id: ID!) { document(id: $id) { " + fields + " } }"
	}
	total := ""
	if s.total {
		total = " pagination { page perPage totalCount totalPages }"
	}
	return "query ($page: Int!, $perPage: Int!) { documents(page: $page, perPage: $perPage) { documents: nodes { " + fields + " }" + total + " } }"
}
