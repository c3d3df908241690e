package document_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/model/optional"
	"rostrum/test/kit/dbtest"
	"rostrum/test/kit/poll"
)

// TestBulk_beside_edits runs a bulk update beside edits of the same documents: no edit is lost, and
// undoing does not touch documents that were edited after the update.
func TestBulk_beside_edits(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		b := setupBulk(t, db, "w")
		ids := b.create(t, 60)
		b.start(t)
		jobID := b.startBulk(t, setting(ids, api.BulkSetInput{Company: given("Tidewall"),
			CommunicationType: given("speech")}))
		var edits sync.WaitGroup
		for editor := range 3 {
			edits.Go(func() {
				for i := editor; i < len(ids); i += 3 {
					in := api.UpdateDocumentInput{DocumentID: ids[i], Author: given(fmt.Sprintf("Author %d", i))}
					if _, err := b.Update(b.ctx, in); err != nil {
						t.Errorf("edit %d: %v", i, err)
					}
				}
			})
		}
		edits.Wait()
		if r := b.result(t, jobID); r.ChangedCount != len(ids) || r.SkippedCount != 0 || r.UndoableUntil == nil {
			t.Errorf("the update ends with %+v", r)
		}
		for i, id := range ids {
			doc := b.read(t, id)
			if optional.ValueOr(doc.Author, "") != fmt.Sprintf("Author %d", i) ||
				optional.ValueOr(doc.Company, "") != "Tidewall" || optional.ValueOr(doc.CommunicationType, "") != "speech" {
				t.Errorf("document %d is by %v of %v", i, doc.Author, doc.Company)
			}
		}

		var raced sync.WaitGroup
		raced.Go(func() {
			for i := range 20 { // edits beside the undoing: one of the two comes first
				in := api.UpdateDocumentInput{DocumentID: ids[i], Company: given("Kestrel")}
				if _, err := b.Update(b.ctx, in); err != nil {
					t.Errorf("edit %d: %v", i, err)
				}
			}
		})
		undone := b.undo(t, jobID)
		raced.Wait()
		if undone.DocumentCount != len(ids) || undone.ChangedCount+undone.SkippedCount != len(ids) {
			t.Errorf("the undoing ends with %+v", undone)
		}
		for i, id := range ids {
			doc, want := b.read(t, id), ""
			if i < 20 {
				want = "Kestrel"
			}
			if got := optional.ValueOr(doc.Company, ""); got != want {
				t.Errorf("document %d is of %q after the undoing, want %q", i, got, want)
			}
			if optional.ValueOr(doc.Author, "") != fmt.Sprintf("Author %d", i) {
				t.Errorf("document %d lost its author", i)
			}
		}
		for _, skip := range undone.Skips {
			if skip.Reason != model.BulkSkipReasonChangedSince {
				t.Errorf("a document is left alone because of %s", skip.Reason)
			}
		}
		if _, err := b.UndoBulk(b.ctx, jobID); !errs.Is(err, errs.InvalidState) {
			t.Errorf("undoing again returns %v", err)
		}
	})
}

// TestBulk_interrupted freezes the process that runs a bulk update. Another one continues it, and
// each document is changed once, even when the first process comes back.
func TestBulk_interrupted(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		const frozenAfter = 20
		first := setupBulk(t, db, "w")
		second := setupBulk(t, db, "w")
		ids := first.create(t, 60)
		reached, back := make(chan struct{}), make(chan struct{})
		var byFirst, changes atomic.Int64
		first.AddHook(func(_ context.Context, tx dbx.Tx, _, _ *model.Document) error {
			tx.AfterCommit(func() {
				changes.Add(1)
				if byFirst.Add(1) == frozenAfter {
					close(reached)
					<-back
				}
			})
			return nil
		})
		second.AddHook(func(_ context.Context, tx dbx.Tx, _, _ *model.Document) error {
			tx.AfterCommit(func() { changes.Add(1) })
			return nil
		})
		first.start(t)
		jobID := first.startBulk(t, setting(ids, api.BulkSetInput{Executive: given("Ann Lee")}))
		<-reached
		_, err := db.NewUpdate().Model((*model.Job)(nil)).Set("lease_until = ?", model.Now().Add(-time.Hour)).
			Where("id = ?", jobID).Exec(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		second.start(t)
		r := second.result(t, jobID)
		close(back)
		if r.ChangedCount != len(ids) || r.UnreachedCount != 0 {
			t.Errorf("the update ends with %+v", r)
		}
		if poll.HoldsWithin(time.Second, func() bool { return changes.Load() > int64(len(ids)) }) {
			t.Errorf("%d documents were changed %d times", len(ids), changes.Load())
		}
		if u := second.undo(t, jobID); u.ChangedCount != len(ids) {
			t.Errorf("the undoing ends with %+v", u)
		}
		for _, id := range ids {
			if doc := second.read(t, id); doc.Executive != nil {
				t.Errorf("%s still is of %s", id, *doc.Executive)
			}
		}
	})
}

// TestBulk_cancelled cancels an update in the middle. Its result counts what was changed, and this
// is undone.
func TestBulk_cancelled(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		b := setupBulk(t, db, "w")
		ids := b.create(t, 30)
		reached, resume := make(chan struct{}), make(chan struct{})
		var changes atomic.Int64
		b.AddHook(func(_ context.Context, tx dbx.Tx, _, _ *model.Document) error {
			tx.AfterCommit(func() {
				if changes.Add(1) == 10 {
					close(reached)
					<-resume
				}
			})
			return nil
		})
		b.start(t)
		jobID := b.startBulk(t, setting(ids, api.BulkSetInput{Company: given("Tidewall")}))
		<-reached
		if _, err := b.UndoBulk(b.ctx, jobID); !errs.Is(err, errs.InvalidState) {
			t.Errorf("undoing a running update returns %v", err)
		}
		ended, err := b.jobs.Cancel(b.ctx, "w", jobID, "", "")
		close(resume)
		if err != nil {
			t.Fatal(err)
		}
		r, ok := ended.Result().(*model.BulkUpdateResult)
		if !ok || r.ChangedCount != 10 || r.UnreachedCount != 20 {
			t.Fatalf("the cancelled update has the result %+v", r)
		}
		if u := b.undo(t, jobID); u.ChangedCount != 10 || u.DocumentCount != 10 {
			t.Errorf("the undoing ends with %+v", u)
		}
	})
}

// TestBulk_trash deletes documents and brings them back, but not those that a person restored,
// erased or deleted again since.
func TestBulk_trash(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		b := setupBulk(t, db, "w")
		ids := b.create(t, 5)
		b.start(t)
		in := api.StartBulkUpdateInput{DocumentIds: graphql.OmittableOf(append(ids, "doc_unknown")),
			Action: given(model.BulkActionDelete)}
		jobID := b.startBulk(t, in)
		r := b.result(t, jobID)
		if r.ChangedCount != 5 || r.SkippedCount != 1 || r.Skips[0].Reason != model.BulkSkipReasonNotFound {
			t.Errorf("the deletion ends with %+v", r)
		}
		for _, id := range ids[:2] {
			if _, err := b.Restore(b.ctx, id); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := b.Delete(b.ctx, ids[1]); err != nil {
			t.Fatal(err)
		}
		if _, err := b.Erase(b.ctx, ids[2]); err != nil {
			t.Fatal(err)
		}
		if u := b.undo(t, jobID); u.ChangedCount != 2 || u.SkippedCount != 3 {
			t.Errorf("the undoing ends with %+v", u)
		}
		for i, wanted := range []bool{true, false, false, true, true} {
			if doc := b.read(t, ids[i]); (doc != nil) != wanted {
				t.Errorf("document %d is there: %t", i, doc != nil)
			}
		}
	})
}

// TestBulk_reasons checks what is left alone and why, and that a preview says the same.
func TestBulk_reasons(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		b := setupBulk(t, db, "w")
		ids := b.create(t, 4)
		until, later := model.Now().Add(time.Hour), model.Now().Add(2*time.Hour)
		if _, err := b.Update(b.ctx, api.UpdateDocumentInput{DocumentID: ids[0],
			Visibility: given(model.VisibilityEmbargoed), EmbargoedUntil: given(until)}); err != nil {
			t.Fatal(err)
		}
		if _, err := db.NewUpdate().Model((*model.Document)(nil)).
			Set("processing_status = ?", model.ProcessingStatusFetching).Where("id = ?", ids[1]).
			Exec(t.Context()); err != nil {
			t.Fatal(err)
		}
		b.start(t)
		in := setting(ids, api.BulkSetInput{EmbargoedUntil: given(later)})
		in.DryRun = given(true)
		out, err := b.StartBulk(b.ctx, in)
		if err != nil || out.JobID != nil || out.Preview.ChangedCount != 1 || out.Preview.SkippedCount != 3 {
			t.Fatalf("the preview is %+v, error %v", out.Preview, err)
		}
		if doc := b.read(t, ids[0]); !doc.EmbargoedUntil.Equal(until) {
			t.Error("a preview changed a document")
		}
		in.DryRun = given(false)
		r := b.result(t, b.startBulk(t, in))
		want := map[string]model.BulkSkipReason{ids[1]: model.BulkSkipReasonBeingIngested,
			ids[2]: model.BulkSkipReasonEmbargo, ids[3]: model.BulkSkipReasonEmbargo}
		for _, skips := range [][]model.BulkSkip{out.Preview.Skips, r.Skips} {
			for _, skip := range skips {
				if want[skip.DocumentID] != skip.Reason {
					t.Errorf("%s is left alone because of %s", skip.DocumentID, skip.Reason)
				}
			}
		}
		if r.ChangedCount != 1 || r.SkippedCount != 3 {
			t.Errorf("the update ends with %+v", r)
		}
		same := b.result(t, b.startBulk(t, in))
		if same.ChangedCount != 0 || same.UnchangedCount != 1 || same.UndoableUntil != nil {
			t.Errorf("the same update again ends with %+v", same)
		}
	})
}

// TestBulk_invalid checks the selections and values that are refused.
func TestBulk_invalid(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		b := setupBulk(t, db, "w")
		ids := b.create(t, 1)
		at, none := model.Now(), graphql.OmittableOf[*time.Time](nil)
		public := api.BulkSetInput{Visibility: given(model.VisibilityPublic)}
		both := setting(ids, public)
		both.Filter = given(api.DocumentFilter{})
		deleting := setting(ids, public)
		deleting.Action = given(model.BulkActionDelete)
		wrong := setting(nil, public)
		wrong.DocumentIds, wrong.Filter = graphql.Omittable[[]string]{}, given(api.DocumentFilter{Q: given("is:nothing")})
		for name, in := range map[string]api.StartBulkUpdateInput{
			"no selection":           {Set: given(public)},
			"ids and a filter":       both,
			"too many ids":           setting(make([]string, 1001), public),
			"a wrong query":          wrong,
			"no values":              {DocumentIds: graphql.OmittableOf(ids)},
			"no field":               setting(ids, api.BulkSetInput{}),
			"values of a deletion":   deleting,
			"an embargo without end": setting(ids, api.BulkSetInput{Visibility: given(model.VisibilityEmbargoed)}),
			"an end of no embargo":   setting(ids, api.BulkSetInput{Visibility: public.Visibility, EmbargoedUntil: given(at)}),
			"an embargo cleared":     setting(ids, api.BulkSetInput{EmbargoedUntil: none}),
		} {
			if out, err := b.StartBulk(b.ctx, in); !errs.Is(err, errs.ValidationFailed) {
				t.Errorf("%s: %+v, error %v", name, out, err)
			}
		}
		theirs := setupBulk(t, db, "theirs")
		b.start(t)
		jobID := b.startBulk(t, setting(ids, public))
		b.result(t, jobID)
		if _, err := theirs.UndoBulk(theirs.ctx, jobID); !errs.Is(err, errs.NotFound) {
			t.Errorf("another workspace's undoing returns %v", err)
		}
		stolen := theirs.startBulk(t, setting(ids, public))
		if r := theirs.result(t, stolen); r.ChangedCount != 0 || r.SkippedCount != 1 {
			t.Errorf("another workspace's update ends with %+v", r)
		}
	})
}
