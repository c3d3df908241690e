package main

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
)

// listSize is the number of documents in a list.
const listSize = 50

// nestedSize and nestedReactions are the numbers of documents in a list with edges, and of
// reactions of each.
const nestedSize, nestedReactions = 20, 5

// shape is the content of a response: one document or a list of 50, each with all fields except
// text and auto-tags unless selected; or, with edges, 20 documents with their title, their
// auto-tags with the auto-tag and the newest 5 reactions with their persona.
type shape struct{ single, text, tags, total, edges bool }

// statements returns the maximum number of SQL statements of a request: one for the documents and
// one for their auto-tags. The total is a column of a workspace row that is read anyway. With edges
// each list has one, with the row that each of its rows leads to.
func (s shape) statements() int64 {
	if s.edges {
		return 3
	}
	if s.tags {
		return 2
	}
	return 1
}

// comparison is a shape on which the hand-written handlers and the gateway are compared. REST has
// only the shapes that are bodies of its operations, GraphQL has all.
type comparison struct {
	name     string
	shape    shape
	rest     bool
	minRatio float64 // the minimum ratio of GraphQL's rate to the hand-written handler's; 0: no minimum
}

var comparisons = []comparison{
	{name: "one document", shape: shape{single: true}, minRatio: 0.8},
	{name: "one document, text, auto-tags", shape: shape{single: true, text: true, tags: true}, rest: true,
		minRatio: 0.8},
	{name: "50 documents", shape: shape{}, minRatio: 1},
	{name: "50 documents, auto-tags", shape: shape{tags: true}, minRatio: 1},
	{name: "50 documents, total", shape: shape{total: true}, minRatio: 1.5},
	{name: "20 documents, edges", shape: shape{edges: true}, minRatio: 0.9},
	{name: "50 documents, auto-tags, total", shape: shape{tags: true, total: true}, rest: true},
}

// restClaim is the minimum ratio of REST's rate to GraphQL's for the same body.
const restClaim = 0.95

// target selects the documents of a request.
type target struct {
	workspace *seededWorkspace
	id        string  // of a single document
	page      int     // of a list
	after     *string // the cursor after which the page begins; nil for the first
}

// spreadTargets spreads requests over the workspaces, so that no candidate returns the same rows
// twice in a row.
func spreadTargets(tenants []*seededWorkspace, single bool, documents int) []target {
	var list []target
	for i := range sampledDocuments {
		for _, p := range tenants {
			switch {
			case single && i < len(p.documents):
				list = append(list, target{workspace: p, id: p.documents[i]})
			case !single && i < min(documents/listSize, 4):
				list = append(list, target{workspace: p, page: i + 1})
			}
		}
	}
	return list
}

func (s shape) documents() int {
	switch {
	case s.single:
		return 1
	case s.edges:
		return nestedSize
	}
	return listSize
}

func (s shape) handWritten(base string, t target) request {
	at := base + "/workspaces/" + t.workspace.workspaceID + "/documents"
	query := url.Values{}
	for name, on := range map[string]bool{"text": s.text, "tags": s.tags, "total": s.total, "edges": s.edges} {
		if on {
			query.Set(name, "true")
		}
	}
	if s.single {
		at += "/" + t.id
	} else {
		query.Set("page", strconv.Itoa(t.page))
	}
	return request{method: http.MethodGet, url: at + "?" + query.Encode(), key: t.workspace.key,
		documents: s.documents()}
}

func (s shape) rest(base string, t target) request {
	at := fmt.Sprintf("%s/api/v1/documents?light=true&page=%d&per_page=%d", base, t.page, listSize)
	if s.single {
		at = base + "/api/v1/documents/" + t.id
	}
	return request{method: http.MethodGet, url: at, key: t.workspace.key, documents: s.documents()}
}

func (s shape) graphQL(base string, t target) request {
	variables := map[string]any{"first": s.documents(), "after": t.after}
	if s.single {
		variables = map[string]any{"id": t.id}
	}
	return graphRequest(base, t.workspace, s.documents(), s.operation(), variables)
}

func graphRequest(base string, p *seededWorkspace, documents int, query string, variables map[string]any) request {
	body := map[string]any{"query": query, "variables": variables}
	return request{method: http.MethodPost, url: base + "/graphql", key: p.key, body: body, documents: documents}
}

const documentFields = `id workspaceId title contentType communicationType company: companyName executive: executiveName author language createdAt updatedAt
 extractedAt extractedDate mediaProvenance processingStatus processingError { code message retryable } sourceUrl url wordCount
 characterCount isNarrativeTestingUpload tags`

const edgeFields = `id workspaceId title autoTags { name extractedValue autoTag { name tagType } } reactions(first: 5) { nodes { id text persona { name } } }`

// operation returns the query for the shape; its aliases give the list and the names of parties
// their REST names.
func (s shape) operation() string {
	fields := documentFields
	if s.edges {
		fields = edgeFields
	}
	if s.text {
		fields += " content"
	}
	if s.tags {
		fields += " autoTags { name extractedValue appliedAt confidenceScore tagType }"
	}
	if s.single {
		return "query ($id: ID!) { document(id: $id) { " + fields + " } }"
	}
	total := ""
	if s.total {
		total = " totalCount"
	}
	return "query ($first: Int!, $after: String) { documents(first: $first, after: $after) { documents: nodes { " +
		fields + " }" + total + " } }"
}
