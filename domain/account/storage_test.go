package account_test

import (
	"context"
	"testing"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/test/kit/dbtest"
)

// TestStorage takes storage up to the plan's limit, and again after something was deleted.
func TestStorage(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		b := newBudgetBundle(t, db, 1)
		stored := model.PlanFree.StorageLimit() - 1000
		b.AddStorage(func(_ context.Context, id string) (int64, error) {
			if id != b.workspace {
				t.Errorf("the storage of %s is measured", id)
			}
			return stored - 500, nil
		})
		b.AddStorage(func(context.Context, string) (int64, error) { return 500, nil })
		take := func(bytes int, code errs.Code) {
			t.Helper()
			if err := b.TakeStorage(t.Context(), b.workspace, bytes); code == "" && err != nil || code != "" && !errs.Is(err, code) {
				t.Errorf("%d bytes: %v, want %q", bytes, err, code)
			}
		}
		take(600, "")
		take(600, errs.TooLarge)
		take(-5000, "")
		take(400, "")
		used, err := b.Storage(t.Context(), b.workspace)
		if err != nil || used.Used != model.PlanFree.StorageLimit() || used.LimitMegabytes() != 1024 {
			t.Errorf("got %+v, %v", used, err)
		}
		take(1, errs.TooLarge)
		stored = 500
		b.ForgetStorage()
		take(1<<20, "")
		if err := b.SetPlan(t.Context(), b.workspace, model.PlanPro); err != nil {
			t.Fatal(err)
		}
		b.ForgetStorage()
		take(2<<30, "")
	})
}
