package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// The claims for a long list: the maximum ratio of the time in a large workspace to that in a small
// one, and of the time of a page far from the start to that of the first.
const (
	fewDocuments  = 10_000
	deepPage      = 1000
	growthClaim   = 1.3
	deepPageClaim = 5.0
)

// growthRow is a response whose time is measured. A row with a claim is compared with the row
// before it.
type growthRow struct {
	name  string
	large bool    // of the large workspace
	page  int     // of a list; 0 for facets
	total bool    // with the number of documents
	rest  bool    // over REST, which reads pages by OFFSET
	words string  // that the documents have
	claim float64 // the maximum ratio to the time of the row before; 0: no claim
}

// growthQueryTime is the time limit of a query while growth is measured, so that a response over
// the default limit is measured too.
const growthQueryTime = 8 * time.Second

// searchedWords are in about one of thirty documents.
const searchedWords = "freight margins"

var growthRows = []growthRow{
	{name: "first page", page: 1},
	{name: "first page", large: true, page: 1, claim: growthClaim},
	{name: "page 1,000", large: true, page: deepPage, claim: deepPageClaim},
	{name: "first page, total", page: 1, total: true},
	{name: "first page, total", large: true, page: 1, total: true, claim: growthClaim},
	{name: "first page over REST", large: true, page: 1, total: true, rest: true},
	{name: "page=1000 over REST", large: true, page: deepPage, total: true, rest: true, claim: deepPageClaim},
	{name: "search by two words", page: 1, words: searchedWords},
	{name: "search by two words", large: true, page: 1, words: searchedWords, claim: growthClaim},
	{name: "facets"},
	{name: "facets", large: true, claim: growthClaim},
}

func (r growthRow) isFacets() bool { return r.page == 0 }

// reference names the row before, with which the row is compared.
func (r growthRow) reference() string {
	if r.page == deepPage {
		return "the first"
	}
	return fmt.Sprintf("it with %d", fewDocuments)
}

// verdict compares the time of the row's candidate with its claim.
func (r growthRow) verdict(before, c *candidate) string {
	if len(c.rates) == 0 || len(before.rates) == 0 {
		return fmt.Sprintf("no response in %s, claim at most %g of %s: %s", growthQueryTime, r.claim, r.reference(),
			formatVerdict(false))
	}
	slower := ratiosOf(before.rates, c.rates)
	return fmt.Sprintf("%s of %s, claim at most %g: %s", formatRatio(slower), r.reference(), r.claim,
		formatVerdict(median(slower) <= r.claim))
}

// isRefusal reports whether the error is that of a response to an operation that was refused or ran
// out of time.
func isRefusal(err error) bool {
	return err != nil && strings.Contains(err.Error(), `"code":"unavailable"`)
}

const (
	searchOperation = "query ($first: Int!, $words: String!) { documents(first: $first, filter: {q: $words}) { documents: nodes { " + documentFields + " } } }"
	facetsOperation = `query { documentFacets { communicationTypes { value count } companies { value count } executives { value count } languages { value count }
 states { state count } } }`
)

// request returns the row's request; after is the cursor after which its page begins.
func (r growthRow) request(base string, p *seededWorkspace, after *string) request {
	t := target{workspace: p, page: r.page, after: after}
	switch {
	case r.isFacets():
		return graphRequest(base, p, 0, facetsOperation, nil)
	case r.words != "":
		return graphRequest(base, p, listSize, searchOperation, map[string]any{"first": listSize, "words": r.words})
	case r.rest:
		return shape{tags: true, total: true}.rest(base, t)
	}
	return shape{total: r.total}.graphQL(base, t)
}

// newCandidate returns a candidate for a row, after its content is verified against the rows of the
// database.
func (g *growthDatabase) newCandidate(ctx context.Context, row growthRow) (c *candidate, err error) {
	var after *string
	if !row.rest && !row.isFacets() {
		if after, err = g.gateway.cursorAfter(ctx, g.workspace, (row.page-1)*listSize); err != nil {
			return nil, err
		}
	}
	ask := row.request(g.gateway.base, g.workspace, after)
	c = &candidate{name: row.name, requests: []request{ask}}
	if c.statements, err = countStatements(ctx, g.gateway.handler, ask); err != nil {
		return nil, err
	}
	data, err := c.fetchData(ctx)
	if err != nil {
		return nil, err
	}
	var found foundData
	if err := found.parse(data); err != nil {
		return nil, err
	}
	if row.isFacets() {
		return c, g.verifyFacets(ctx, found.Facets.Companies)
	}
	return c, g.verifyPage(ctx, found, row)
}

// verifyPage returns an error unless a page equals the result of counting and skipping rows whose
// texts have the words.
func (g *growthDatabase) verifyPage(ctx context.Context, found foundData, row growthRow) error {
	query, err := g.pool.Query(ctx, `SELECT id FROM document WHERE workspace_id = $1 AND title || ' ' || content ~* ALL ($4)
		ORDER BY created_at DESC, id DESC LIMIT $2 OFFSET $3`, g.workspace.workspaceID, listSize, (row.page-1)*listSize, wordPatterns(row.words))
	if err != nil {
		return err
	}
	want, err := pgx.CollectRows(query, pgx.RowTo[string])
	if err != nil {
		return err
	}
	got := make([]string, len(found.Documents))
	for i, d := range found.Documents {
		got[i] = d.ID
	}
	if !slices.Equal(want, got) {
		return fmt.Errorf("page %d of %d documents is %v, want %v", row.page, g.documents, got, want)
	}
	if row.total && found.TotalCount != g.documents {
		return fmt.Errorf("the total of %d documents is %d", g.documents, found.TotalCount)
	}
	return nil
}

// wordPatterns returns a regular expression of Postgres for each word.
func wordPatterns(words string) []string {
	patterns := []string{}
	for word := range strings.FieldsSeq(words) {
		patterns = append(patterns, `\m`+word+`\M`)
	}
	return patterns
}

// verifyFacets returns an error unless the counts of the companies equal those of the rows.
func (g *growthDatabase) verifyFacets(ctx context.Context, found []facetValue) error {
	query, err := g.pool.Query(ctx, "SELECT company, count(*) FROM document WHERE workspace_id = $1 GROUP BY company ORDER BY count(*) DESC, company",
		g.workspace.workspaceID)
	if err != nil {
		return err
	}
	want, err := pgx.CollectRows(query, pgx.RowToStructByPos[facetValue])
	if err == nil && !slices.Equal(want, found) {
		err = fmt.Errorf("the companies of %d documents are %v, want %v", g.documents, found, want)
	}
	return err
}

// foundData is a list or facets as decodeBody returns them.
type foundData struct {
	Documents  []*documentBody `json:"documents"`
	TotalCount int             `json:"total_count"`
	Facets     struct {
		Companies []facetValue `json:"companies"`
	} `json:"document_facets"`
}

type facetValue struct {
	Value string
	Count int
}

// parse reads plain values.
func (f *foundData) parse(data any) error {
	text, err := json.Marshal(data)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, f)
}
