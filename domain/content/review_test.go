package content_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/domain/content"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/job"
	"rostrum/platform/live"
	"rostrum/platform/principal"
	"rostrum/test/kit/dbtest"
)

// noRules are the house rules of workspaces that have none.
type noRules struct{}

func (noRules) CheckApproval(context.Context, string, string) error { return nil }

func (noRules) CheckTexts(_ context.Context, _ string, texts []string) ([]*api.HouseCheck, error) {
	return make([]*api.HouseCheck, len(texts)), nil
}

// roles are the members of the desk's workspace; their ids are their names.
var roles = map[string]model.Role{
	"ada": model.RoleAuthor, "ben": model.RoleReviewer, "eva": model.RoleEditor, "ola": model.RoleOwner,
	"vik": model.RoleViewer,
}

type members struct{}

func (members) RoleOf(_ context.Context, _, userID string) (model.Role, error) {
	return roles[userID], nil
}

// desk is a content service with people who write drafts and review them.
type desk struct {
	*content.Service
	db     *dbx.DB
	mu     sync.Mutex
	events []string
}

func newDesk(t *testing.T, db *dbx.DB) *desk {
	t.Helper()
	if err := job.Migrate(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	jobs, err := job.New(job.Config{DB: db, Live: dbtest.OpenLive(t, live.Config{}),
		Queues: map[string]int{content.Queue: 1}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.NewInsert().Model(&model.Workspace{ID: "w", RunLimit: 1, CreatedAt: model.Now()}).Exec(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	d := &desk{db: db}
	d.Service = content.New(content.Config{
		DB: db, Jobs: jobs, Count: func(text string) (int, int) { return len(strings.Fields(text)), len(text) },
		Members: members{}, House: noRules{},
		RecordComment: func(_ dbx.Tx, _, name, _, _, _ string) {
			d.mu.Lock()
			defer d.mu.Unlock()
			d.events = append(d.events, name)
		},
		RecordChange: func(_ dbx.Tx, _, name, _ string) {
			d.mu.Lock()
			defer d.mu.Unlock()
			d.events = append(d.events, name)
		},
	})
	return d
}

// as returns a context in which a member acts.
func as(t *testing.T, user string) context.Context {
	t.Helper()
	return principal.With(t.Context(), principal.Principal{WorkspaceID: "w", UserID: user, Role: roles[user]})
}

// write saves a text over whatever is stored.
func (d *desk) write(t *testing.T, user, id, text string, versions ...string) *model.Draft {
	t.Helper()
	in := api.SaveDraftInput{Title: graphql.OmittableOf(new("Letter")), Content: graphql.OmittableOf(&text)}
	if id != "" {
		in.DraftID = graphql.OmittableOf(&id)
	}
	if len(versions) > 0 {
		in.IfVersion = graphql.OmittableOf(versions)
	}
	out, err := d.Save(as(t, user), in)
	if err != nil {
		t.Fatal(err)
	}
	return out.Draft
}

// versionOf returns the version that a draft has now.
func (d *desk) versionOf(t *testing.T, id string) string {
	t.Helper()
	draft, err := d.Draft(as(t, "vik"), id)
	if err != nil {
		t.Fatal(err)
	}
	return draft.Version
}

func (d *desk) request(t *testing.T, user, id string) *model.Draft {
	t.Helper()
	out, err := d.RequestReview(as(t, user), api.RequestDraftReviewInput{DraftID: id})
	if err != nil {
		t.Fatal(err)
	}
	return out.Draft
}

func (d *desk) approve(t *testing.T, user string, draft *model.Draft) error {
	t.Helper()
	_, err := d.Approve(as(t, user), api.ApproveDraftInput{DraftID: draft.ID, VersionID: *draft.CurrentVersionID})
	return err
}

// history returns the texts of a draft with their authors, oldest first.
func (d *desk) history(t *testing.T, id string) (texts []string) {
	t.Helper()
	page, err := d.Versions(as(t, "vik"), id, model.PageArgs{First: new(100)})
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range slices.Backward(page.Nodes) {
		if want := len(page.Nodes) - i; v.Number != want {
			t.Errorf("version %d has the number %d", want, v.Number)
		}
		texts = append(texts, fmt.Sprintf("%s: %s", *v.AuthorID, v.Content))
	}
	return texts
}

// actions returns what happened to a draft's state, oldest first.
func (d *desk) actions(t *testing.T, id string) (actions []string) {
	t.Helper()
	page, err := d.StateChanges(as(t, "vik"), id, model.PageArgs{First: new(100)})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range slices.Backward(page.Nodes) {
		actions = append(actions, fmt.Sprintf("%s %s", *c.ByID, c.Action))
	}
	return actions
}

func expect(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: %q, want %q", what, got, want)
	}
}

// TestVersions saves texts as one author and as two: every text that somebody else could still need
// is kept, and only an author who goes on writing gets no further version.
func TestVersions(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		d := newDesk(t, db)
		draft := d.write(t, "ada", "", "One")
		first := *draft.CurrentVersionID
		draft = d.write(t, "ada", draft.ID, "One two", draft.Version)
		if *draft.CurrentVersionID == first {
			t.Error("another text has the id of the one before")
		}
		expect(t, "one author goes on", d.history(t, draft.ID), "ada: One two")
		d.write(t, "ada", draft.ID, "Blind")
		expect(t, "an author has not named the version", d.history(t, draft.ID), "ada: One two", "ada: Blind")
		draft = d.write(t, "ada", draft.ID, "Over another text of her own", draft.Version, d.versionOf(t, draft.ID))
		expect(t, "an author began with another version", d.history(t, draft.ID), "ada: One two", "ada: Blind",
			"ada: Over another text of her own")
		draft = d.write(t, "ben", draft.ID, "Other")
		draft = d.write(t, "ada", draft.ID, "Mine", draft.Version)
		all := []string{"ada: One two", "ada: Blind", "ada: Over another text of her own", "ben: Other", "ada: Mine"}
		expect(t, "two authors", d.history(t, draft.ID), all...)
		same := d.write(t, "eva", draft.ID, "Mine", draft.Version)
		expect(t, "the same text", d.history(t, draft.ID), all...)
		_, err := db.NewUpdate().Model((*model.DraftVersion)(nil)).Set("created_at = ?", model.Now().Add(-5*time.Minute)).
			Where("id = ?", *same.CurrentVersionID).Exec(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		d.write(t, "ada", draft.ID, "Later", same.Version)
		expect(t, "five minutes later", d.history(t, draft.ID)[4:], "ada: Mine", "ada: Later")
	})
}

// TestRestoreVersion restores a text: it is a new version, nothing merges with it, and the others
// stay.
func TestRestoreVersion(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		d := newDesk(t, db)
		draft := d.write(t, "ada", "", "Old")
		old := *draft.CurrentVersionID
		draft = d.write(t, "ben", draft.ID, "New")
		out, err := d.RestoreVersion(as(t, "ben"), api.RestoreDraftVersionInput{DraftID: draft.ID, VersionID: old})
		if err != nil {
			t.Fatal(err)
		}
		if *out.Draft.Content != "Old" || out.Draft.WordCount != 1 || out.Draft.Version == draft.Version {
			t.Errorf("restored %+v", out.Draft)
		}
		d.write(t, "ben", draft.ID, "Old and new", out.Draft.Version)
		expect(t, "restored", d.history(t, draft.ID), "ada: Old", "ben: New", "ben: Old", "ben: Old and new")
		other := d.write(t, "ada", "", "Another draft")
		for _, c := range []struct {
			in   api.RestoreDraftVersionInput
			want errs.Code
		}{
			{api.RestoreDraftVersionInput{DraftID: draft.ID, VersionID: *other.CurrentVersionID}, errs.NotFound},
			{api.RestoreDraftVersionInput{DraftID: "drf_none", VersionID: old}, errs.NotFound},
			{api.RestoreDraftVersionInput{DraftID: draft.ID, VersionID: old,
				IfVersion: graphql.OmittableOf([]string{draft.Version})}, errs.PreconditionFailed},
		} {
			if _, err := d.RestoreVersion(as(t, "ben"), c.in); !errs.Is(err, c.want) {
				t.Errorf("%+v: %v, want %s", c.in, err, c.want)
			}
		}
	})
}

// TestVersions_of_earlier_revisions changes a draft whose text a gateway without versions has
// saved: that text is kept too.
func TestVersions_of_earlier_revisions(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		d := newDesk(t, db)
		draft := d.write(t, "ada", "", "First")
		_, err := db.NewUpdate().Model((*model.Draft)(nil)).Set("content = ?", "Unkept").Where("id = ?", draft.ID).
			Exec(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		d.write(t, "ben", draft.ID, "Second")
		expect(t, "kept", d.history(t, draft.ID), "ada: First", "ada: Unkept", "ben: Second")
	})
}

// TestReview moves a draft through its states: the history has each step, the feed an event, and a
// change of the text ends an approval.
func TestReview(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		d := newDesk(t, db)
		draft := d.write(t, "ada", "", "A text.")
		due := db.Now().Add(time.Hour).Truncate(time.Second)
		out, err := d.RequestReview(as(t, "ada"), api.RequestDraftReviewInput{DraftID: draft.ID,
			AssigneeID: graphql.OmittableOf(new("ben")), DueAt: graphql.OmittableOf(&due)})
		if err != nil {
			t.Fatal(err)
		}
		asked := out.Draft
		if asked.State != model.DraftStateInReview || *asked.AssigneeID != "ben" || !asked.DueAt.Equal(due) {
			t.Errorf("asked: %+v", asked)
		}
		expectWaiting(t, d, "ben", draft.ID)
		returned, err := d.Return(as(t, "ben"), api.ReturnDraftInput{DraftID: draft.ID,
			VersionID: *draft.CurrentVersionID, Reason: " Name the sum. "})
		if err != nil {
			t.Fatal(err)
		}
		if got := returned.Draft; got.State != model.DraftStateDraft || *got.AssigneeID != "ada" {
			t.Errorf("returned: %+v", got)
		}
		expectWaiting(t, d, "ada", draft.ID)
		draft = d.write(t, "ada", draft.ID, "A text of 3 euros.", returned.Draft.Version)
		expect(t, "a text that was reviewed", d.history(t, draft.ID), "ada: A text.", "ada: A text of 3 euros.")
		if err := d.approve(t, "ben", draft); !errs.Is(err, errs.InvalidState) {
			t.Errorf("approved without a request: %v", err)
		}
		draft = d.request(t, "ada", draft.ID)
		if err := d.approve(t, "ben", draft); err != nil {
			t.Fatal(err)
		}
		draft = d.write(t, "eva", draft.ID, "A text of 4 euros.")
		if draft.State != model.DraftStateDraft || *draft.AssigneeID != "eva" || draft.DueAt != nil {
			t.Errorf("changed: %+v", draft)
		}
		expect(t, "the history", d.actions(t, draft.ID), "ada review_requested", "ben returned", "ada review_requested",
			"ben approved", "eva reopened")
		expect(t, "the feed", d.events, model.EventDraftCreated, model.EventDraftReviewRequested,
			model.EventDraftReturned, model.EventDraftUpdated, model.EventDraftReviewRequested, model.EventDraftApproved,
			model.EventDraftReopened)
	})
}

// expectWaiting checks that the draft waits for one member only.
func expectWaiting(t *testing.T, d *desk, user, id string) {
	t.Helper()
	for name := range roles {
		order := &model.DraftOrder{Field: model.DraftOrderFieldDueAt, Direction: model.OrderDirectionAsc}
		for label, filter := range map[string]*api.DraftFilter{
			"assigneeId":       {AssigneeID: graphql.OmittableOf(&name)},
			"assignedToViewer": {AssignedToViewer: graphql.OmittableOf(new(true))},
		} {
			page, err := d.Drafts(as(t, name), model.PageArgs{First: new(5)}, filter, order)
			if err != nil {
				t.Fatal(err)
			}
			if found := len(page.Nodes) == 1 && page.Nodes[0].ID == id; found != (name == user) {
				t.Errorf("%d drafts wait for %s by %s", len(page.Nodes), name, label)
			}
		}
	}
}

// TestReview_refuses names what is wrong and changes nothing.
func TestReview_refuses(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		d := newDesk(t, db)
		draft, empty := d.write(t, "eva", "", "Written by Eva alone."), d.write(t, "ada", "", " ")
		ask := func(id string, change func(*api.RequestDraftReviewInput)) error {
			in := api.RequestDraftReviewInput{DraftID: id}
			change(&in)
			_, err := d.RequestReview(as(t, "ada"), in)
			return err
		}
		assign := func(user string) func(*api.RequestDraftReviewInput) {
			return func(in *api.RequestDraftReviewInput) { in.AssigneeID = graphql.OmittableOf(&user) }
		}
		past := db.Now().Add(-time.Minute)
		for name, c := range map[string]struct {
			err   error
			code  errs.Code
			words string
		}{
			"unknown draft":  {ask("drf_none", assign("ben")), errs.NotFound, "drf_none"},
			"stranger":       {ask(draft.ID, assign("mallory")), errs.ValidationFailed, "assigneeId"},
			"may not review": {ask(draft.ID, assign("ada")), errs.ValidationFailed, "role author"},
			"only author":    {ask(draft.ID, assign("eva")), errs.ValidationFailed, "alone"},
			"past": {ask(draft.ID, func(in *api.RequestDraftReviewInput) { in.DueAt = graphql.OmittableOf(&past) }),
				errs.ValidationFailed, "dueAt"},
			"no text": {ask(empty.ID, assign("ben")), errs.InvalidState, "no text"},
			"other version": {ask(draft.ID, func(in *api.RequestDraftReviewInput) {
				in.VersionID = graphql.OmittableOf(empty.CurrentVersionID)
			}), errs.PreconditionFailed, "changed"},
			"not in review": {d.approve(t, "ben", draft), errs.InvalidState, "not in review"},
		} {
			if !errs.Is(c.err, c.code) || !strings.Contains(fmt.Sprint(c.err), c.words) {
				t.Errorf("%s: %v, want %s with %q", name, c.err, c.code, c.words)
			}
		}
		if got := d.actions(t, draft.ID); got != nil {
			t.Errorf("refusals changed the state: %q", got)
		}
	})
}

// TestReview_only_author lets an owner approve what its only author may not.
func TestReview_only_author(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		d := newDesk(t, db)
		draft := d.request(t, "eva", d.write(t, "eva", "", "Written by Eva alone.").ID)
		if err := d.approve(t, "eva", draft); !errs.Is(err, errs.InsufficientScope) {
			t.Errorf("Eva approved what only she wrote: %v", err)
		}
		_, err := d.Return(as(t, "ben"), api.ReturnDraftInput{DraftID: draft.ID, VersionID: *draft.CurrentVersionID,
			Reason: " \n"})
		if !errs.Is(err, errs.ValidationFailed) {
			t.Errorf("returned without a reason: %v", err)
		}
		if err := d.approve(t, "ola", draft); err != nil {
			t.Errorf("an owner: %v", err)
		}
		_, err = d.RequestReview(as(t, "ada"), api.RequestDraftReviewInput{DraftID: draft.ID})
		if !errs.Is(err, errs.InvalidState) {
			t.Errorf("asked for what is approved: %v", err)
		}
	})
}
