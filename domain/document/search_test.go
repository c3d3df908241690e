package document_test

import (
	"context"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/uptrace/bun"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/domain/document"
	"rostrum/model"
	"rostrum/test/kit/dbtest"
)

// labelledQuery is a query and the texts that a reader would want.
type labelledQuery struct {
	q    string
	want []string
}

// readLabelled reads the labelled texts, by their ids, and queries.
func readLabelled(t *testing.T) (texts map[string][2]string, queries []labelledQuery) {
	t.Helper()
	data, err := os.ReadFile("testdata/search.txt")
	if err != nil {
		t.Fatal(err)
	}
	texts = map[string][2]string{}
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if rest, ok := strings.CutPrefix(line, "text: "); ok {
			parts := strings.SplitN(rest, " | ", 3)
			texts["doc_"+parts[0]] = [2]string{parts[1], parts[2]}
		}
		if rest, ok := strings.CutPrefix(line, "query: "); ok {
			q, ids, _ := strings.Cut(rest, " => ")
			one := labelledQuery{q: q}
			for _, id := range strings.Fields(ids) {
				one.want = append(one.want, "doc_"+id)
			}
			queries = append(queries, one)
		}
	}
	return texts, queries
}

func (b *testBundle) insertLabelled(t *testing.T, texts map[string][2]string) {
	t.Helper()
	err := b.db.InTx(b.ctx, func(ctx context.Context, tx dbx.Tx) error {
		for id, text := range texts {
			doc := &model.Document{ID: id, WorkspaceID: "w", Title: text[0], Content: &text[1], Tags: []string{},
				CreatedAt: model.Now(), UpdatedAt: model.Now()}
			if err := b.Insert(ctx, tx, doc); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// noTags selects the values of auto-tags where there are none.
func (b *testBundle) noTags(string) *bun.SelectQuery {
	return b.db.NewSelect().TableExpr("document").ColumnExpr("id AS document_id, '' AS auto_tag_id, '' AS value_key, '' AS extracted_value").
		Where("false")
}

func queryFilter(q string) *api.DocumentFilter {
	return &api.DocumentFilter{Q: graphql.OmittableOf(&q)}
}

// find returns the ids of the first documents that a query finds.
func (b *testBundle) find(t *testing.T, q string, first int) []string {
	t.Helper()
	page, err := b.List(b.ctx, model.PageArgs{First: &first}, queryFilter(q), nil, "id")
	if err != nil {
		t.Fatalf("%s: %v", q, err)
	}
	ids := []string{}
	for _, doc := range page.Nodes {
		ids = append(ids, doc.ID)
	}
	return ids
}

// TestSearch_labelled finds in the first ten what a reader wants, and the same on both databases.
func TestSearch_labelled(t *testing.T) {
	texts, queries := readLabelled(t)
	var mu sync.Mutex
	before := map[string][]string{}
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		b := setup(t, db, "w")
		b.insertLabelled(t, texts)
		recall, missed, surplus := 0.0, []string{}, 0
		for _, one := range queries {
			ids, found := b.find(t, one.q, 10), 0
			for _, id := range one.want {
				if slices.Contains(ids, id) {
					found++
				} else {
					missed = append(missed, one.q+" "+id)
				}
			}
			recall += float64(found) / float64(len(one.want))
			surplus += len(ids) - found
			all := b.find(t, one.q, 100)
			slices.Sort(all)
			mu.Lock()
			if earlier, ok := before[one.q]; ok && !slices.Equal(earlier, all) {
				t.Errorf("%s: finds %v, the other database %v", one.q, all, earlier)
			}
			before[one.q] = all
			mu.Unlock()
		}
		recall /= float64(len(queries))
		t.Logf("recall in the first ten %.3f of %d queries, %d texts more than labelled; missed: %s", recall, len(queries),
			surplus, strings.Join(missed, ", "))
		if recall < 0.9 {
			t.Errorf("recall %.3f", recall)
		}
	})
}

// TestSearch_language runs each part of the language.
func TestSearch_language(t *testing.T) {
	texts, _ := readLabelled(t)
	long := strings.Repeat("and the board of the bank said ", 6000) + "that copper mines closed. " +
		strings.Repeat("and the board ", 500)
	texts["doc_long"] = [2]string{"A long text", long}
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		b := setup(t, db, "w")
		b.Relate(document.Related{TagValues: b.noTags})
		b.insertLabelled(t, texts)
		for q, want := range map[string]string{
			`"debts by a third"`:          "doc_e1",
			`"third a by debts"`:          "",
			`"debt"`:                      "",
			`"copper mines closed"`:       "doc_long",
			`"said that copper"`:          "doc_long",
			`"closed mines"`:              "",
			`title:debts`:                 "doc_e1",
			`title:investors`:             "",
			`title:"cuts its debts"`:      "doc_e1",
			`title:cut*`:                  "doc_e1",
			`debt* -investors`:            "",
			`zurich -title:airport`:       "doc_d4 doc_e11",
			`lang:de zurich`:              "",
			`hacker OR turbine`:           "doc_e5 doc_e6",
			`title:debts OR tag:x`:        "doc_e1",
			`-tag:x northwind`:            "doc_e1",
			`northwind after:2000`:        "doc_e1",
			`northwind before:2000`:       "",
			`northwind is:hidden`:         "",
			`northwind is:shown`:          "doc_e1",
			`northwind -is:hidden`:        "doc_e1",
			`northwind is:ready`:          "doc_e1",
			`northwind is:public`:         "doc_e1",
			`northwind type:pdf`:          "",
			`"wind far*"`:                 "doc_e6",
			`mergers acquisitions 5 24 7`: "doc_e3",
			`alder press report final 3`:  "doc_e3",
		} {
			found := b.find(t, q, 100)
			slices.Sort(found)
			if got := strings.Join(found, " "); got != want {
				t.Errorf("%s: found %q, want %q", q, got, want)
			}
		}
	})
}

// TestSearch_pages reads a search by pages of two: every text once, the best first.
func TestSearch_pages(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		b := setup(t, db, "w")
		b.insertLabelled(t, map[string][2]string{
			"doc_1": {"Copper", "Copper is dear."}, "doc_2": {"Metals", "Copper and tin."},
			"doc_3": {"Metals", "Copper and tin."}, "doc_4": {"Metals", "Tin, zinc, lead, and somewhere copper."},
			"doc_5": {"Tin", "Nothing else."},
		})
		var ids []string
		var after *string
		two := 2
		for {
			page, err := b.List(b.ctx, model.PageArgs{First: &two, After: after}, queryFilter("copper"), nil, "id")
			if err != nil {
				t.Fatal(err)
			}
			for _, doc := range page.Nodes {
				ids = append(ids, doc.ID)
			}
			if !page.Behind {
				break
			}
			cursor := page.Cursor(page.Nodes[len(page.Nodes)-1])
			after = &cursor
		}
		if len(ids) != 4 || ids[0] != "doc_1" || slices.Index(ids, "doc_3") > slices.Index(ids, "doc_2") {
			t.Errorf("the pages have %v", ids)
		}
	})
}

// TestSearch_index changes and deletes texts, loses the index, and repairs it.
func TestSearch_index(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		b := setup(t, db, "w")
		b.Relate(document.Related{TagValues: b.noTags})
		b.insertLabelled(t, map[string][2]string{"doc_1": {"Copper", "Mines."}, "doc_2": {"Tin", "Cans."}})
		if _, err := b.Update(b.ctx, api.UpdateDocumentInput{DocumentID: "doc_1",
			Title: graphql.OmittableOf(new("Zinc"))}); err != nil {
			t.Fatal(err)
		}
		expect := func(q string, want ...string) {
			t.Helper()
			if got := b.find(t, q, 10); !slices.Equal(got, want) && len(got)+len(want) > 0 {
				t.Errorf("%s finds %v, want %v", q, got, want)
			}
		}
		expect("copper")
		expect("zinc", "doc_1")
		for _, statement := range []string{"DELETE FROM document_index", "DELETE FROM document_word"} {
			if _, err := db.Writer().ExecContext(t.Context(), statement); err != nil {
				t.Fatal(err)
			}
		}
		for _, repaired := range []int{1, 0} {
			found, err := b.Recount(b.ctx, "w", true)
			if err != nil || len(found) != repaired {
				t.Fatalf("a repair finds %+v, %v", found, err)
			}
		}
		expect("zinc", "doc_1")
		expect("can", "doc_2")
		if _, err := b.Delete(b.ctx, "doc_1"); err != nil {
			t.Fatal(err)
		}
		expect("zinc")
	})
}

func TestSuggest(t *testing.T) {
	texts, _ := readLabelled(t)
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		b := setup(t, db, "w")
		b.insertLabelled(t, texts)
		for q, want := range map[string]string{
			"norhtwind": "northwind", "Istambul flights": "istanbul flights", "turbine": "", "zzzzzz": "",
			"Rotterdamm -x": "rotterdam -x",
		} {
			found, err := b.Suggest(b.ctx, q)
			if err != nil || (len(found) > 0) != (want != "") || len(found) > 0 && found[0] != want {
				t.Errorf("%s: %v, %v, want %s", q, found, err, want)
			}
		}
	})
}

func TestExcerpts(t *testing.T) {
	texts, _ := readLabelled(t)
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		b := setup(t, db, "w")
		b.insertLabelled(t, texts)
		found, err := b.Excerpts(b.ctx, []*model.Document{{ID: "doc_e1"}, {ID: "doc_unknown"}}, "debt investor")
		if err != nil || len(found) != 2 || found[1] != nil {
			t.Fatalf("got %v, %v", found, err)
		}
		one := found[0]
		words := []string{}
		for _, mark := range one.Marks {
			words = append(words, string([]rune(one.Text)[mark.Start:mark.End]))
		}
		if got := strings.Join(words, " "); got != "debts investors" || len(one.TitleMarks) != 1 {
			t.Errorf("marks are %q, and %d in the title", got, len(one.TitleMarks))
		}
	})
}
