package rest_test

import (
	"encoding/csv"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"rostrum/rest/stored"
)

// notTables are the lists that REST does not write as CSV, and why.
var notTables = map[string]string{
	"listPersonaCategories": "a list of words",
}

// TestLists_csv checks that every list can be asked for as CSV, or has a reason why not.
func TestLists_csv(t *testing.T) {
	t.Parallel()
	for name, op := range newAdapter(t, new(graphCalls)).Stored() {
		if op.Definition.Operation != ast.Query || op.Rule.Method != http.MethodGet || !strings.HasPrefix(name, "list") {
			continue
		}
		hasTable := len(op.Renderings) > 0 && op.Renderings[len(op.Renderings)-1].Table != nil
		if hasTable == (notTables[name] != "") {
			t.Errorf("%s: it has a table: %t, and the reason against one is %q", name, hasTable, notTables[name])
		}
	}
}

// TestTable reads a list as CSV: the rows of the JSON, the total and the next page in headers, and an
// entity tag of its own.
func TestTable(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	const path = "/api/v1/documents?per_page=1&tag=a&companies=A%2C%20B,C"
	told := s.do(t, "GET", path, "")
	table := s.do(t, "GET", path, "", "Accept: text/csv")
	wantStatus(t, table, http.StatusOK)
	if got := table.Header.Get("Content-Type"); got != "text/csv; charset=utf-8" {
		t.Errorf("Content-Type is %q", got)
	}
	lines, err := csv.NewReader(strings.NewReader(table.body)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var list struct {
		Documents  []struct{ ID string }
		Pagination struct {
			Page       int
			TotalCount json.Number `json:"total_count"`
			TotalPages int         `json:"total_pages"`
		}
	}
	if err := json.Unmarshal([]byte(told.body), &list); err != nil {
		t.Fatal(err)
	}
	if len(list.Documents) == 0 || len(lines) != 1+len(list.Documents) || lines[0][0] != "id" || lines[1][0] != list.Documents[0].ID {
		t.Errorf("%d lines for %d documents: %v", len(lines), len(list.Documents), lines)
	}
	if got := table.Header.Get("Total-Count"); got != list.Pagination.TotalCount.String() {
		t.Errorf("Total-Count is %q, the list has %s", got, list.Pagination.TotalCount)
	}
	want := ""
	if list.Pagination.Page < list.Pagination.TotalPages {
		want = `</api/v1/documents?per_page=1&tag=a&companies=A%2C%20B,C&page=2>; rel="next"`
	}
	if got := table.Header.Get("Link"); got != want || want == "" {
		t.Errorf("Link is %q, want %q", got, want)
	}
	if table.Header.Get("ETag") == told.Header.Get("ETag") {
		t.Error("JSON and CSV have the same entity tag")
	}
	wantStatus(t, s.do(t, "GET", path, "", "Accept: text/csv", "If-None-Match: "+table.Header.Get("ETag")),
		http.StatusNotModified)
}

// TestText reads the text of a document alone, and refuses media types that nothing is written in.
func TestText(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	path := "/api/v1/documents/" + knownDocument
	var told struct{ Document struct{ Content string } }
	if err := json.Unmarshal([]byte(s.do(t, "GET", path, "").body), &told); err != nil {
		t.Fatal(err)
	}
	if got := s.do(t, "GET", path, "", "Accept: "+stored.MediaText); got.body != told.Document.Content || got.body == "" {
		t.Errorf("%d %q, want %q", got.StatusCode, got.body, told.Document.Content)
	}
	wantStatus(t, s.do(t, "GET", path, "", "Accept: "+stored.MediaCSV), http.StatusNotAcceptable)
}

// TestQueryTexts checks how query parameters give lists, orders and pairs of an id and a value.
func TestQueryTexts(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	for query, bad := range map[string]string{
		"order_by=title":                             "",
		"order_by=-rating":                           "",
		"order_by=words":                             "order_by",
		"order_by=--title":                           "order_by",
		"order_by=":                                  "order_by",
		"auto_tags=tag_1,tag_2:a%20b":                "",
		"auto_tags=tag_1:a%2Cb":                      "",
		"auto_tags=:a":                               "auto_tags",
		"auto_tags=tag_1:":                           "auto_tags",
		"states=ready,gone":                          "states",
		"created_from=yesterday":                     "created_from",
		"has_reactions=perhaps":                      "has_reactions",
		"companies=A&companies=B%2C%20C&languages=e": "",
	} {
		answer := s.do(t, "GET", "/api/v1/documents?"+query, "")
		if (answer.StatusCode == http.StatusOK) != (bad == "") ||
			bad != "" && !strings.Contains(answer.body, `"query","`+bad+`"`) {
			t.Errorf("%s: %d %s", query, answer.StatusCode, answer.body)
		}
	}
	wantStatus(t, s.do(t, "GET", "/api/v1/documents?companies=A%2C%20B,C&auto_tags=tag_1:x:y,tag_2", ""), http.StatusOK)
	filter := s.graph.list.filter
	if got := filter.Companies.Value(); !slices.Equal(got, []string{"A, B", "C"}) {
		t.Errorf("companies are %q", got)
	}
	if tags := filter.AutoTags.Value(); len(tags) != 2 || tags[0].AutoTagID != "tag_1" || *tags[0].Value.Value() != "x:y" ||
		tags[1].Value.IsSet() {
		t.Errorf("auto-tags are %+v", tags)
	}
}
