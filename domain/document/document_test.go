package document_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/domain/document"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/principal"
	"rostrum/test/kit/dbtest"
)

type testBundle struct {
	*document.Service
	db  *dbx.DB
	ctx context.Context
}

func analyzeText(_, content string) document.TextAnalysis {
	return document.TextAnalysis{Words: len(content), Characters: len([]rune(content))}
}

func setup(t *testing.T, db *dbx.DB, workspaceID string) *testBundle {
	t.Helper()
	if _, err := db.NewInsert().Model(&model.Workspace{ID: workspaceID, CreatedAt: model.Now()}).
		Exec(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx := principal.With(t.Context(), principal.Principal{WorkspaceID: workspaceID})
	return &testBundle{Service: document.New(document.Config{DB: db, Analyze: analyzeText}), db: db, ctx: ctx}
}

func (b *testBundle) createDocument(t *testing.T, title string) string {
	t.Helper()
	out, err := b.Create(b.ctx, api.CreateDocumentInput{Title: title, Content: "text of " + title})
	if err != nil {
		t.Fatal(err)
	}
	return out.Document.ID
}

func TestDocument_belongs_to_its_workspace(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		ours, theirs := setup(t, db, "ours"), setup(t, db, "theirs")
		id := ours.createDocument(t, "Secret")
		if doc, err := theirs.Get(theirs.ctx, id); doc != nil || err != nil {
			t.Errorf("another workspace reads %+v, error %v", doc, err)
		}
		if _, err := theirs.Update(theirs.ctx, api.UpdateDocumentInput{DocumentID: id}); !errs.Is(err, errs.NotFound) {
			t.Errorf("another workspace's update returns %v", err)
		}
		if _, err := theirs.Delete(theirs.ctx, id); !errs.Is(err, errs.NotFound) {
			t.Errorf("another workspace's delete returns %v", err)
		}
		if doc, err := ours.Get(ours.ctx, id); doc == nil || err != nil {
			t.Errorf("its own workspace reads %+v, error %v", doc, err)
		}
	})
}

func TestUpdate(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		s := setup(t, db, "w")
		id := s.createDocument(t, "Before")
		at := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
		none := graphql.OmittableOf[*string](nil)
		company := "Tidewall"
		steps := []struct {
			name string
			in   api.UpdateDocumentInput
			want func(*model.Document) bool
		}{
			{"given fields change", api.UpdateDocumentInput{ExtractedDate: graphql.OmittableOf(&at),
				Company: graphql.OmittableOf(&company)},
				func(d *model.Document) bool {
					return d.Title == "Before" && d.ExtractedDate.Equal(at) && *d.Company == company
				}},
			{"a name is stored without the space around it",
				api.UpdateDocumentInput{Executive: graphql.OmittableOf(new("  Ines Okafor "))},
				func(d *model.Document) bool { return *d.Executive == "Ines Okafor" }},
			{"a blank name is stored as null", api.UpdateDocumentInput{Executive: graphql.OmittableOf(new(" "))},
				func(d *model.Document) bool { return d.Executive == nil }},
			{"absent fields stay", api.UpdateDocumentInput{},
				func(d *model.Document) bool { return d.ExtractedDate != nil && d.Company != nil }},
			{"a null title stays and a null date is cleared",
				api.UpdateDocumentInput{Title: none, ExtractedDate: graphql.OmittableOf[*time.Time](nil),
					Company: none},
				func(d *model.Document) bool {
					return d.Title == "Before" && d.ExtractedDate == nil && d.Company == nil
				}},
		}
		for _, step := range steps {
			step.in.DocumentID = id
			out, err := s.Update(s.ctx, step.in)
			if err != nil || !step.want(out.Document) {
				t.Errorf("%s: %+v, error %v", step.name, out, err)
			}
			if stored, err := s.Get(s.ctx, id); err != nil || !step.want(stored) {
				t.Errorf("%s, stored: %+v, error %v", step.name, stored, err)
			}
		}
	})
}

func documentIDs(docs []*model.Document) []string {
	out := make([]string, len(docs))
	for i, d := range docs {
		out[i] = d.ID
	}
	return out
}

func ptr[T any](v T) *T { return &v }

func TestList_pages_and_cursors_agree(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		s := setup(t, db, "w")
		for i := range 7 {
			id := s.createDocument(t, fmt.Sprintf("Title %d", i%3))
			if i%2 == 0 {
				at := time.Date(2026, 1, 1+i/4, 0, 0, 0, 0, time.UTC)
				if _, err := s.Update(s.ctx, api.UpdateDocumentInput{DocumentID: id,
					ExtractedDate: graphql.OmittableOf(&at)}); err != nil {
					t.Fatal(err)
				}
			}
		}
		for _, sort := range []model.DocumentSort{
			model.DocumentSortCreatedAtAsc, model.DocumentSortCreatedAtDesc, model.DocumentSortTitleAsc,
			model.DocumentSortTitleDesc,
			model.DocumentSortExtractedDateAsc, model.DocumentSortExtractedDateDesc, model.DocumentSortWordCountAsc,
			model.DocumentSortUpdatedAtDesc,
		} {
			all, err := s.List(s.ctx, model.PageArgs{PerPage: ptr(100)}, nil, sort.Order(), "id")
			if err != nil {
				t.Fatal(err)
			}
			want := documentIDs(all.Nodes)
			if got := s.listAll(t, sort, "page"); !slices.Equal(got, want) {
				t.Errorf("%s by page: %v, want %v", sort, got, want)
			}
			if got := s.listAll(t, sort, "after"); !slices.Equal(got, want) {
				t.Errorf("%s forward: %v, want %v", sort, got, want)
			}
			if got := s.listAll(t, sort, "before"); !slices.Equal(got, want) {
				t.Errorf("%s backward: %v, want %v", sort, got, want)
			}
		}
	})
}

// listAll reads the whole list in pages of two, with one of three kinds of paging.
func (b *testBundle) listAll(t *testing.T, sort model.DocumentSort, paging string) []string {
	t.Helper()
	var all []string
	args := map[string]model.PageArgs{
		"page": {Page: ptr(1), PerPage: ptr(2)}, "after": {First: ptr(2)}, "before": {Last: ptr(2)},
	}[paging]
	for range 10 {
		c, err := b.List(b.ctx, args, nil, sort.Order(), "id")
		if err != nil {
			t.Fatal(err)
		}
		if paging == "before" {
			all = append(documentIDs(c.Nodes), all...)
			args.Before = c.PageInfo().StartCursor
		} else {
			all = append(all, documentIDs(c.Nodes)...)
			args.After = c.PageInfo().EndCursor
		}
		if paging == "page" {
			args.After, args.Page = nil, ptr(*args.Page+1)
		}
		if more := c.Behind; paging != "before" && !more {
			break
		}
		if more := c.Before; paging == "before" && !more {
			break
		}
	}
	return all
}

func TestList_reports_all_invalid_arguments(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		s := setup(t, db, "w")
		_, err := s.List(s.ctx, model.PageArgs{Page: ptr(0), PerPage: ptr(101), After: ptr("nonsense")}, nil, nil)
		if fields := errs.From(err).Fields; len(fields) != 4 {
			t.Errorf("fields are %+v", fields)
		}
		if c, err := s.List(s.ctx, model.PageArgs{Page: ptr(50)}, nil, nil); err != nil || len(c.Nodes) != 0 {
			t.Errorf("a page past the end is %+v, error %v", c, err)
		}
	})
}

func TestCount_matches_rows(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		s := setup(t, db, "w")
		first := s.createDocument(t, "One two")
		s.createDocument(t, "Two three")
		for words, want := range map[string]int{"": 2, "two": 2, "three": 1, "four": 0} {
			filter := &api.DocumentFilter{Q: graphql.OmittableOf(&words)}
			if n, err := s.Count(s.ctx, filter); err != nil || n != want {
				t.Errorf("%q counts %d, want %d, error %v", words, n, want, err)
			}
			c, err := s.List(s.ctx, model.PageArgs{}, filter, nil, "id")
			if err != nil || len(c.Nodes) != want {
				t.Errorf("%q lists %d, want %d, error %v", words, len(c.Nodes), want, err)
			}
		}
		if _, err := s.Delete(s.ctx, first); err != nil {
			t.Fatal(err)
		}
		if n, err := s.Count(s.ctx, nil); err != nil || n != 1 {
			t.Errorf("after a delete it counts %d, error %v", n, err)
		}
	})
}
