package search_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/domain/document"
	"rostrum/domain/event"
	"rostrum/domain/search"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/job"
	"rostrum/platform/live"
	"rostrum/platform/principal"
	"rostrum/test/kit/dbtest"
)

// tasks keeps the work of a registered task, which tests run, and counts queued tasks.
type tasks struct {
	mu     sync.Mutex
	work   func(ctx context.Context, ref string) error
	queued int
}

func (q *tasks) RegisterTask(_ string, task job.Task) { q.work = task.Work }

func (q *tasks) EnqueueTasks(_ context.Context, _ dbx.Tx, _ string, args ...job.TaskArgs) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.queued += len(args)
	return nil
}

// bundle is one process, with a member of a workspace as the caller.
type bundle struct {
	*search.Service
	db          *dbx.DB
	documents   *document.Service
	events      *event.Service
	tasks       *tasks
	ctx         context.Context
	workspaceID string
}

// setup returns a process of a new workspace, or of the workspace of another process.
func setup(t *testing.T, db *dbx.DB, workspaceID string) *bundle {
	t.Helper()
	b := &bundle{db: db, tasks: &tasks{}, workspaceID: workspaceID}
	if workspaceID == "" {
		b.workspaceID = model.NewID(model.WorkspacePrefix)
		if _, err := db.NewInsert().Model(&model.Workspace{ID: b.workspaceID, CreatedAt: model.Now()}).
			Exec(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	b.ctx = b.as("usr_1", model.RoleEditor)
	b.documents = document.New(document.Config{DB: db, Analyze: func(_, content string) document.TextAnalysis {
		return document.TextAnalysis{Words: len(strings.Fields(content))}
	}})
	b.events = event.New(event.Config{DB: db, Live: dbtest.OpenLive(t, live.Config{}),
		Follow: func(ctx context.Context, tx dbx.Tx, ids []string) error { return b.Follow(ctx, tx, ids) }})
	b.documents.AddHook(b.events.RecordDocument)
	b.Service = search.New(search.Config{DB: db, Documents: b.documents, Events: b.events, Tasks: b.tasks,
		ShowsHidden: document.ShowsHidden, PublicURL: "http://rostrum.test",
		Audit: func(context.Context, dbx.Tx, string, string, string, map[string]any) error { return nil }})
	return b
}

// as returns the context of a member.
func (b *bundle) as(userID string, role model.Role) context.Context {
	return principal.With(context.Background(), principal.Principal{WorkspaceID: b.workspaceID, UserID: userID,
		Role: role})
}

func about(q string) *api.DocumentFilter { return &api.DocumentFilter{Q: graphql.OmittableOf(&q)} }

func (b *bundle) save(t *testing.T, name string, filter *api.DocumentFilter) *model.SavedSearch {
	t.Helper()
	out, err := b.Create(b.ctx, api.CreateSavedSearchInput{Name: name, Filter: filter})
	if err != nil {
		t.Fatal(err)
	}
	return out.SavedSearch
}

func (b *bundle) add(t *testing.T, title string) string {
	t.Helper()
	out, err := b.documents.Create(b.ctx, api.CreateDocumentInput{Title: title, Content: "A text."})
	if err != nil {
		t.Fatal(err)
	}
	return out.Document.ID
}

// run runs the task once.
func (b *bundle) run(t *testing.T) {
	t.Helper()
	if err := b.tasks.work(t.Context(), b.workspaceID); err != nil {
		t.Fatal(err)
	}
}

// matched returns the documents that events of a search name, in order.
func (b *bundle) matched(t *testing.T, searchID string) []string {
	t.Helper()
	page, err := b.events.Page(b.ctx, b.workspaceID, model.PageArgs{First: new(1000)},
		[]model.EventType{model.EventTypeSearchMatched})
	if err != nil {
		t.Fatal(err)
	}
	ids := []string{}
	for _, e := range page.Nodes {
		if *e.SubjectID == searchID {
			ids = append(ids, *(*model.SearchMatched)(e).DocumentID())
		}
	}
	return ids
}

func (b *bundle) newCount(ctx context.Context, t *testing.T, searchID string) int {
	t.Helper()
	counts, err := b.NewCounts(ctx, []string{searchID})
	if err != nil {
		t.Fatal(err)
	}
	return *counts[0]
}

func TestFollow(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		t.Run("two processes record a hit once", func(t *testing.T) {
			b := setup(t, db, "")
			peer := setup(t, db, b.workspaceID)
			saved, same := b.save(t, "Ours", about("ferry")), b.save(t, "Same", about("ferry"))
			var want []string
			for range 3 {
				for range 40 {
					want = append(want, b.add(t, "The ferry leaves"))
					b.add(t, "The train leaves")
				}
				var both sync.WaitGroup
				for _, one := range []*bundle{b, peer, b, peer} {
					both.Go(func() {
						if err := one.tasks.work(t.Context(), b.workspaceID); err != nil {
							t.Error(err)
						}
					})
				}
				both.Wait()
			}
			for _, id := range []string{saved.ID, same.ID} {
				got := b.matched(t, id)
				if slices.Sort(got); !slices.Equal(got, slices.Sorted(slices.Values(want))) {
					t.Errorf("%d hits of %d documents", len(got), len(want))
				}
			}
			if n := b.newCount(b.ctx, t, saved.ID); n != len(want) {
				t.Errorf("%d are new", n)
			}
		})
		t.Run("what a search found when it was saved is no hit", func(t *testing.T) {
			b := setup(t, db, "")
			known := b.add(t, "An old ferry")
			saved := b.save(t, "Ferries", about("ferry"))
			other := b.add(t, "A train")
			title := "A new ferry"
			for _, id := range []string{known, other} {
				if _, err := b.documents.Update(b.ctx, api.UpdateDocumentInput{DocumentID: id,
					Title: graphql.OmittableOf(&title)}); err != nil {
					t.Fatal(err)
				}
			}
			b.run(t)
			if got := b.matched(t, saved.ID); !slices.Equal(got, []string{other}) {
				t.Errorf("the hits are %v, want %s", got, other)
			}
		})
		t.Run("each member has seen its own, and a deleted document is no news", func(t *testing.T) {
			b := setup(t, db, "")
			saved := b.save(t, "Ferries", about("ferry"))
			first := b.add(t, "A ferry")
			b.run(t)
			colleague := b.as("usr_2", model.RoleViewer)
			if _, err := b.MarkSeen(b.ctx, saved.ID); err != nil {
				t.Fatal(err)
			}
			b.add(t, "Another ferry")
			b.run(t)
			if mine, theirs := b.newCount(b.ctx, t, saved.ID), b.newCount(colleague, t, saved.ID); mine != 1 ||
				theirs != 2 {
				t.Errorf("%d are new to one member, %d to the other", mine, theirs)
			}
			if _, err := b.documents.Delete(b.ctx, first); err != nil {
				t.Fatal(err)
			}
			b.run(t)
			if _, err := b.documents.Restore(b.ctx, first); err != nil {
				t.Fatal(err)
			}
			b.run(t)
			if n, events := b.newCount(colleague, t, saved.ID), b.matched(t, saved.ID); n != 1 || len(events) != 2 {
				t.Errorf("after the deletion %d are new, and %d were told", n, len(events))
			}
		})
		t.Run("a changed search begins anew", func(t *testing.T) {
			b := setup(t, db, "")
			saved := b.save(t, "Ways", about("ferry"))
			b.add(t, "A ferry")
			train := b.add(t, "A train")
			b.run(t)
			out, err := b.Update(b.ctx, api.UpdateSavedSearchInput{SavedSearchID: saved.ID,
				Filter: graphql.OmittableOf(about("train"))})
			if err != nil || *out.SavedSearch.Filter.Q != "train" {
				t.Fatalf("%+v, %v", out, err)
			}
			b.run(t)
			if n := b.newCount(b.ctx, t, saved.ID); n != 0 {
				t.Errorf("%d are new, among them %s", n, train)
			}
			second := b.add(t, "A second train")
			b.run(t)
			if got := b.matched(t, saved.ID); len(got) != 2 || got[1] != second {
				t.Errorf("the hits are %v", got)
			}
		})
		t.Run("the title of a document under embargo is not told", func(t *testing.T) {
			b := setup(t, db, "")
			saved := b.save(t, "Ferries", about("ferry"))
			embargoed, until := model.VisibilityEmbargoed, model.Now().Add(time.Hour)
			if _, err := b.documents.Create(b.ctx, api.CreateDocumentInput{Title: "The secret ferry", Content: "A text.",
				Visibility: graphql.OmittableOf(&embargoed), EmbargoedUntil: graphql.OmittableOf(&until)}); err != nil {
				t.Fatal(err)
			}
			b.run(t)
			page, err := b.events.Page(b.ctx, b.workspaceID, model.PageArgs{},
				[]model.EventType{model.EventTypeSearchMatched})
			if err != nil || len(page.Nodes) != 1 || *page.Nodes[0].SubjectID != saved.ID {
				t.Fatalf("%+v, %v", page, err)
			}
			if data := string(page.Nodes[0].Data); strings.Contains(data, "secret") {
				t.Errorf("the event has %s", data)
			}
		})
	})
}

// TestSavedSearch checks what a search can be and who can change it.
func TestSavedSearch(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		b := setup(t, db, "")
		saved := b.save(t, "Ferries", about("ferry"))
		for name, in := range map[string]api.CreateSavedSearchInput{
			"a wrong query":       {Name: "A", Filter: about(`title:`)},
			"no condition":        {Name: "A", Filter: about(" ")},
			"a blank name":        {Name: " ", Filter: about("a")},
			"two ways of a party": {Name: "A", Filter: withBoth("Acme")},
		} {
			if _, err := b.Create(b.ctx, in); !errs.Is(err, errs.ValidationFailed) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if _, err := b.Create(b.ctx, api.CreateSavedSearchInput{Name: "Ferries", Filter: about("a")}); !errs.Is(err,
			errs.Conflict) {
			t.Errorf("a second one of the name: %v", err)
		}
		if public := b.save(t, "Public", about("ferry is:public")); public.IsFollowed || !saved.IsFollowed {
			t.Errorf("is followed: %v, %v", public.IsFollowed, saved.IsFollowed)
		}
		author := b.as("usr_3", model.RoleAuthor)
		if _, err := b.Delete(author, saved.ID); !errs.Is(err, errs.InsufficientScope) {
			t.Errorf("an author deletes the search of another: %v", err)
		}
		theirs := setup(t, db, "")
		if found, err := theirs.Get(theirs.ctx, saved.ID); found != nil || err != nil {
			t.Errorf("another workspace reads %+v, %v", found, err)
		}
		if _, err := b.Delete(b.ctx, saved.ID); err != nil {
			t.Error(err)
		}
	})
}

// withBoth returns a filter with a company in both ways.
func withBoth(company string) *api.DocumentFilter {
	return &api.DocumentFilter{Company: graphql.OmittableOf(&company), Companies: graphql.OmittableOf([]string{company})}
}

// TestLimit checks that a workspace cannot have more searches than each change is compared with.
func TestLimit(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		b := setup(t, db, "")
		for i := range search.MaxSearches {
			b.save(t, "Search "+strings.Repeat("I", i+1), about("ferry"))
		}
		if _, err := b.Create(b.ctx, api.CreateSavedSearchInput{Name: "One more", Filter: about("a")}); !errs.Is(err,
			errs.Conflict) {
			t.Errorf("one more: %v", err)
		}
		b.add(t, "A ferry")
		b.run(t)
		if got := len(b.matched(t, firstID(t, b))); got != 1 {
			t.Errorf("the first search has %d hits", got)
		}
	})
}

func firstID(t *testing.T, b *bundle) string {
	t.Helper()
	page, err := b.List(b.ctx, model.PageArgs{First: new(1)})
	if err != nil || len(page.Nodes) != 1 {
		t.Fatalf("%+v, %v", page, err)
	}
	return page.Nodes[0].ID
}
