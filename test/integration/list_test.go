package integration

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/uptrace/bun"

	"rostrum/model"
	"rostrum/test/kit"
)

// orderedLists are the lists whose order callers choose. The text has the place of the arguments
// and of the selection.
var orderedLists = []struct{ fields, text, filter string }{
	{"DocumentOrderField", `{ list: documents(%s) { %s } }`, `filter: {q: "text", hasReactions: true}`},
	{"DocumentOrderField", `{ list: documents(%s) { %s } }`, `filter: {q: "text"}`},
	{"DocumentOrderField", `{ list: communications(showFiltered: true, %s) { %s } }`,
		`filter: {q: "text", companies: ["BRACKWELL", "öresund"]}`},
	{"DocumentOrderField", `{ workspace { list: documents(%s) { %s } } }`,
		`filter: {q: "text", states: [READY, HIDDEN]}`},
	{"PersonaOrderField", `{ list: personas(%s) { %s } }`, `filter: {name: "persona"}`},
	{"CompanyOrderField", `{ list: companies(%s) { %s } }`, `filter: {name: "bra"}`},
	{"ExecutiveOrderField", `{ list: executives(%s) { %s } }`, `filter: {name: "Mark"}`},
	{"JobOrderField", `{ list: jobs(%s) { %s } }`, `filter: {statuses: [RUNNING, COMPLETED]}`},
	{"LinkOrderField", `{ list: links(%s) { %s } }`, `filter: {q: "link"}`},
	{"DraftOrderField", `{ list: drafts(%s) { %s } }`, `filter: {q: "persona"}`},
	{"ReactionOrderField", `{ workspace { list: reactions(%s) { %s } } }`, `filter: {created: {from: "2026-01-01"}}`},
	{"DeliveryOrderField", `{ workspace { list: deliveries(%s) { %s } } }`, `filter: {status: DELIVERED}`},
}

// TestLists_orders reads each list in each order in pages of 3, forward and backward, and expects
// every row once.
func TestLists_orders(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, a *kit.App) {
		const rows = 8
		addListRows(t, a, rows)
		for _, list := range orderedLists {
			for _, field := range enumValues(t, a, list.fields) {
				for _, direction := range []string{"ASC", "DESC"} {
					order := fmt.Sprintf(`%s, orderBy: {field: %s, direction: %s}`, list.filter, field, direction)
					forward, backward := readList(t, a, list.text, order, "first", "after"),
						readList(t, a, list.text, order, "last", "before")
					unique := slices.Compact(slices.Sorted(slices.Values(forward)))
					if len(forward) < rows || len(unique) != len(forward) || !slices.Equal(forward, backward) {
						t.Errorf("%s with %s: forward\n%s\nbackward\n%s", list.text, order, strings.Join(forward, "\n"),
							strings.Join(backward, "\n"))
					}
				}
			}
		}
	})
}

// TestLists_statements checks that filters, orders and facets take the same number of SQL
// statements for 2 and for 6 rows. It asks twice, because what is remembered for a minute, such as the
// key, is read again at times.
func TestLists_statements(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, a *kit.App) {
		counts := map[string][]int64{}
		made := addListRows(t, a, 2)
		for round := range 2 {
			if round == 1 {
				made.addMany(4)
			}
			count := func(query string) {
				n, _ := runCounted(t, a, query, nil)
				again, _ := runCounted(t, a, query, nil)
				counts[query] = append(counts[query], min(n, again))
			}
			for _, list := range orderedLists {
				for _, field := range enumValues(t, a, list.fields) {
					count(fmt.Sprintf(list.text, list.filter+`, first: 10, orderBy: {field: `+field+
						`, direction: DESC}`, `totalCount nodes { __typename }`))
				}
			}
			count(`{ documentFacets(filter: {q: "text"}) { autoTags { autoTag { name } values { value count } } companies { value count } executives { count } languages { count } communicationTypes { count } states { count } } }`)
			count(`{ documentFacets { companies { value count } executives { count } languages { count } communicationTypes { count } states { count } } }`)
			count(`{ documents(first: 10) { nodes { reactions(first: 2, filter: {rating: {from: 1}}, orderBy: {field: RATING, direction: DESC}) { totalCount nodes { rating } }
				jobs(filter: {statuses: [RUNNING]}, orderBy: {field: FINISHED_AT, direction: ASC}) { nodes { id } } } } }`)
			count(`{ personas(first: 10) { nodes { derivedPersonas(orderBy: {field: LAST_INTERACTION, direction: DESC}) { nodes { name } } } } }`)
		}
		for query, n := range counts {
			if n[0] != n[1] {
				t.Errorf("%s takes %d statements with 2 rows and %d with 6", query, n[0], n[1])
			}
		}
		if n := counts[`{ documentFacets(filter: {q: "text"}) { autoTags { autoTag { name } values { value count } } companies { value count } executives { count } languages { count } communicationTypes { count } states { count } } }`]; n[0] > 4 {
			t.Errorf("facets and the names of their auto-tags take %d statements", n[0])
		}
	})
}

// TestLists_workspace checks that filters and facets do not count rows of another workspace.
func TestLists_workspace(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, a *kit.App) {
		addListRows(t, a, 3)
		other := a.Tenant(t)
		for _, list := range orderedLists {
			for _, field := range enumValues(t, a, list.fields) {
				query := fmt.Sprintf(list.text, list.filter+`, orderBy: {field: `+field+`, direction: ASC}`,
					`totalCount nodes { __typename }`)
				if text := graphText(t, other, query); !strings.Contains(text, `"list":{"totalCount":0,"nodes":[]}`) {
					t.Errorf("%s returns %s to another workspace", query, text)
				}
			}
		}
		want := `{"data":{"documentFacets":{"autoTags":[],"companies":[],"states":[]}}}`
		if text := graphText(t, other, `{ documentFacets { autoTags { autoTagId } companies { value } states { state } } }`); text != want {
			t.Errorf("facets of another workspace are %s", text)
		}
	})
}

// graphText returns the response of a query.
func graphText(t *testing.T, a *kit.App, query string) string {
	t.Helper()
	body, _ := json.Marshal(map[string]any{"query": query})
	return strings.TrimSpace(string(a.Do(t, http.MethodPost, "/graphql", nil, string(body)).Body))
}

// enumValues returns the values of an enum of the graph.
func enumValues(t *testing.T, a *kit.App, name string) []string {
	t.Helper()
	var response struct {
		Data struct {
			Type struct {
				EnumValues []struct{ Name string }
			} `json:"__type"`
		}
	}
	text := graphText(t, a, fmt.Sprintf(`{ __type(name: %q) { enumValues { name } } }`, name))
	if err := json.Unmarshal([]byte(text), &response); err != nil || len(response.Data.Type.EnumValues) < 2 {
		t.Fatalf("%s has the values %s (%v)", name, text, err)
	}
	var values []string
	for _, v := range response.Data.Type.EnumValues {
		values = append(values, v.Name)
	}
	return values
}

// listPage is a page of a list, at the root or in the workspace.
type listPage struct {
	Edges    []struct{ Cursor string }
	PageInfo model.PageInfo
}

// readList reads a whole list in pages of 3 in one direction and returns the cursors of its rows in
// the list's order.
func readList(t *testing.T, a *kit.App, text, order, size, position string) []string {
	t.Helper()
	var cursors []string
	for cursor := ""; ; {
		args := fmt.Sprintf("%s, %s: 3", order, size)
		if cursor != "" {
			args += fmt.Sprintf(", %s: %q", position, cursor)
		}
		answer := graphText(t, a, fmt.Sprintf(text, args,
			`edges { cursor } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }`))
		var response struct {
			Data struct {
				List      *listPage
				Workspace struct{ List *listPage }
			}
		}
		err := json.Unmarshal([]byte(answer), &response)
		page := response.Data.List
		if page == nil {
			page = response.Data.Workspace.List
		}
		if err != nil || page == nil {
			t.Fatalf("%s: %s (%v)", args, answer, err)
		}
		var found []string
		for _, edge := range page.Edges {
			found = append(found, edge.Cursor)
		}
		more, next := page.PageInfo.HasNextPage, page.PageInfo.EndCursor
		if cursors = append(cursors, found...); size == "last" {
			cursors = append(found, cursors[:len(cursors)-len(found)]...)
			more, next = page.PageInfo.HasPreviousPage, page.PageInfo.StartCursor
		}
		if !more || len(cursors) > 1000 {
			return cursors
		}
		cursor = *next
	}
}

// listRows are rows of every list with few different values, and some without a value.
type listRows struct {
	*screenRows
}

// addListRows inserts n rows of every list into the app's workspace.
func addListRows(t *testing.T, a *kit.App, n int) listRows {
	t.Helper()
	rows := listRows{newScreenRows(t, a, a.OpenDB(t), "Mark")}
	rows.addMany(n)
	return rows
}

func (l listRows) addMany(n int) {
	l.t.Helper()
	for range n {
		l.add()
		i := l.made
		linkID := model.NewID(model.LinkPrefix)
		l.insert(&model.Link{
			ID: linkID, WorkspaceID: l.workspaceID, Slug: strings.ToLower(linkID), Title: fmt.Sprint("link ", i%3),
			Kind: model.LinkKindRedirect, OpenCount: i % 2,
			CreatedBy: "system", CreatedAt: model.Now(), UpdatedAt: model.Now(),
		})
		doc, document := l.update("document", model.DocumentPrefix), l.ids[model.DocumentPrefix]
		l.party(model.PartyKindCompany, fmt.Sprint("Brass ", i))
		company, executive := []string{"Brackwell", "Öresund"}[i%2], fmt.Sprint("Mark ", i)
		doc("company = ?", company)
		doc("company_id = ?", l.party(model.PartyKindCompany, company))
		doc("executive = ?", executive)
		doc("executive_id = ?", l.party(model.PartyKindExecutive, executive))
		doc("processing_status = ?", nil)
		doc("updated_at = ?", time.Date(2026, 1, i%3+1, 0, 0, 0, 0, time.UTC))
		if i%3 > 0 {
			doc("word_count = ?", i%4)
			doc("extracted_date = ?", time.Date(2026, 1, i%4+1, 0, 0, 0, 0, time.UTC))
		}
		if i%2 == 0 {
			l.update("job", model.JobPrefix)("completed_at = ?", time.Date(2026, 1, i%3+1, 0, 0, 0, 0, time.UTC))
			l.update("webhook_delivery", model.DeliveryPrefix)("delivered_at = ?",
				time.Date(2026, 1, i%3+1, 0, 0, 0, 0, time.UTC))
			l.update("persona", model.PersonaPrefix)("name = ?", "persona")
			l.update("draft", model.DraftPrefix)("title = ?", "persona")
		}
		if _, err := l.db.NewUpdate().TableExpr("reaction").Set("rating = ?", float64(i%5)+0.7).Set("version = 'v'").
			Where("document_id = ?", document).Exec(l.t.Context()); err != nil {
			l.t.Fatal(err)
		}
	}
	l.index()
	// The index has set the versions of the texts. Reactions count if they are of the text's version.
	if _, err := l.db.NewUpdate().TableExpr("document").Set("version = 'v'").Where("workspace_id = ?", l.workspaceID).
		Exec(l.t.Context()); err != nil {
		l.t.Fatal(err)
	}
}

// update returns a func that sets a column of the last row of the prefix.
func (l listRows) update(table, prefix string) func(set string, value any) {
	return func(set string, value any) {
		l.t.Helper()
		if _, err := l.db.NewUpdate().TableExpr("?", bun.Ident(table)).Set(set, value).Where("id = ?", l.ids[prefix]).
			Exec(l.t.Context()); err != nil {
			l.t.Fatal(err)
		}
	}
}
