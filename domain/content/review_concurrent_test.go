package content_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/test/kit/dbtest"
)

// TestReview_concurrent lets two authors write, ask and restore while two reviewers approve what
// they have read: no text is lost, and what is approved was reviewed as it is.
func TestReview_concurrent(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		d := newDesk(t, db)
		id := d.write(t, "ada", "", "Start").ID
		var written, read sync.Map // texts that were saved; ids of versions that a reviewer has read
		var all sync.WaitGroup
		const rounds = 12
		for _, author := range []string{"ada", "eva"} {
			all.Go(func() {
				for i := range rounds {
					text := fmt.Sprintf("%s writes %d", author, i)
					d.write(t, author, id, text)
					written.Store(text, true)
					_, err := d.RequestReview(as(t, author), api.RequestDraftReviewInput{DraftID: id})
					if err != nil && !errs.Is(err, errs.InvalidState) {
						t.Error(err)
					}
				}
			})
		}
		for _, reviewer := range []string{"ben", "ola"} {
			all.Go(func() {
				for range rounds {
					seen, err := d.Draft(as(t, reviewer), id)
					if err != nil {
						t.Error(err)
						return
					}
					read.Store(*seen.CurrentVersionID, *seen.Content)
					err = d.approve(t, reviewer, seen)
					if err != nil && !errs.Is(err, errs.InvalidState) && !errs.Is(err, errs.PreconditionFailed) {
						t.Error(err)
					}
				}
			})
		}
		all.Wait()
		checkConcurrent(t, d, id, &written, &read)
	})
}

func checkConcurrent(t *testing.T, d *desk, id string, written, read *sync.Map) {
	t.Helper()
	kept := d.history(t, id)
	written.Range(func(text, _ any) bool {
		if !slices.ContainsFunc(kept, func(one string) bool { return strings.HasSuffix(one, fmt.Sprint(text)) }) {
			t.Errorf("%q is lost", text)
		}
		return true
	})
	versions, err := d.Versions(as(t, "vik"), id, model.PageArgs{First: new(100)})
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for _, v := range versions.Nodes {
		texts[v.ID] = v.Content
	}
	changes, err := d.StateChanges(as(t, "vik"), id, model.PageArgs{First: new(100)})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range changes.Nodes {
		if seen, _ := read.Load(c.VersionID); c.Action == model.DraftActionApproved && seen != texts[c.VersionID] {
			t.Errorf("%s approved %q, which nobody read: %v", *c.ByID, texts[c.VersionID], seen)
		}
	}
	draft, err := d.Draft(as(t, "vik"), id)
	if err != nil {
		t.Fatal(err)
	}
	if texts[*draft.CurrentVersionID] != *draft.Content {
		t.Errorf("the draft has %q, its version %q", *draft.Content, texts[*draft.CurrentVersionID])
	}
}
