package house_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/domain/house"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/principal"
	"rostrum/test/kit/dbtest"
)

// accounts knows one workspace, whose row it locks.
type accounts struct {
	db       *dbx.DB
	required *int
}

func (a *accounts) LockWorkspace(ctx context.Context, tx dbx.Tx, id string) (*model.Workspace, error) {
	workspace := new(model.Workspace)
	err := a.db.ForUpdate(tx.NewSelect().Model(workspace).Where("id = ?", id)).Scan(ctx)
	return workspace, err
}

func (a *accounts) RequiredHouseScore(context.Context, string) (*int, error) { return a.required, nil }

func (a *accounts) Audit(context.Context, dbx.Tx, string, string, string, map[string]any) error {
	return nil
}

// setup returns the rules of a new workspace, and a context of an editor.
func setup(t *testing.T, db *dbx.DB) (*house.Service, *accounts, context.Context) {
	t.Helper()
	workspaceID := model.NewID(model.WorkspacePrefix)
	if _, err := db.NewInsert().Model(&model.Workspace{ID: workspaceID, CreatedAt: model.Now()}).
		Exec(t.Context()); err != nil {
		t.Fatal(err)
	}
	known := &accounts{db: db}
	service := house.New(house.Config{DB: db, Accounts: known, RecordChange: func(dbx.Tx, string, string, string) {}})
	return service, known, principal.With(t.Context(), principal.Principal{WorkspaceID: workspaceID, UserID: "usr_1",
		Role: model.RoleEditor})
}

// ruleNamed returns the source of a rule.
func ruleNamed(name, token string) string {
	return fmt.Sprintf("name: %s\nextends: existence\nmessage: Avoid %%s.\nlevel: error\ntokens: [%s]\n", name, token)
}

// TestCreate_limit checks that concurrent changes keep the limit of rules, and names unique.
func TestCreate_limit(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		service, _, ctx := setup(t, db)
		var all []string
		for i := range house.MaxRules - 1 {
			all = append(all, ruleNamed(fmt.Sprintf("Rule %d", i), "a"))
		}
		if _, err := service.Import(ctx, api.ImportHouseRulesInput{Source: strings.Join(all, "---\n")}); err != nil {
			t.Fatal(err)
		}
		var work sync.WaitGroup
		refused := make([]error, 4)
		for i := range refused {
			work.Go(func() {
				_, refused[i] = service.Create(ctx, api.CreateHouseRuleInput{Source: ruleNamed(fmt.Sprintf("More %d", i), "a")})
			})
		}
		work.Wait()
		added := 0
		for _, err := range refused {
			switch {
			case err == nil:
				added++
			case !errs.Is(err, errs.Conflict):
				t.Error(err)
			}
		}
		if added != 1 {
			t.Errorf("%d rules were added: %v", added, errors.Join(refused...))
		}
		if _, err := service.Import(ctx, api.ImportHouseRulesInput{Source: all[0]}); err != nil {
			t.Errorf("a rule that takes the place of another is refused: %v", err)
		}
		page, err := service.List(ctx, model.PageArgs{First: new(100)})
		if err != nil || page == nil {
			t.Errorf("%v, %v", page, err)
		}
	})
}

// TestCheckApproval checks a text by the rules of its own workspace alone.
func TestCheckApproval(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		service, known, ctx := setup(t, db)
		_, _, other := setup(t, db)
		if _, err := service.Create(ctx, api.CreateHouseRuleInput{Source: ruleNamed("A", "synergy")}); err != nil {
			t.Fatal(err)
		}
		workspaceID := principal.Must(ctx).WorkspaceID
		if err := service.CheckApproval(ctx, workspaceID, "synergy synergy"); err != nil {
			t.Errorf("no score is required: %v", err)
		}
		known.required = new(90)
		for content, want := range map[string]string{
			"synergy": "", "synergy synergy": "score 80 by house rules, with 2 findings (2 errors, 0 warnings, 0 suggestions): 90 is required",
		} {
			err := service.CheckApproval(ctx, workspaceID, content)
			if (err == nil) != (want == "") || err != nil && (!strings.Contains(err.Error(), want) || !errs.Is(err, errs.InvalidState)) {
				t.Errorf("%s: %v, want %s", content, err, want)
			}
		}
		if err := service.CheckApproval(other, principal.Must(other).WorkspaceID, "synergy synergy"); err != nil {
			t.Errorf("rules of another workspace: %v", err)
		}
	})
}

// TestUpdate_foreign checks that rules of another workspace are not found.
func TestUpdate_foreign(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		service, _, ctx := setup(t, db)
		_, _, other := setup(t, db)
		created, err := service.Create(ctx, api.CreateHouseRuleInput{Source: ruleNamed("A", "a")})
		if err != nil {
			t.Fatal(err)
		}
		id := created.HouseRule.ID
		if _, err := service.Update(other, api.UpdateHouseRuleInput{HouseRuleID: id, Source: ruleNamed("B", "b")}); !errs.Is(err, errs.NotFound) {
			t.Errorf("updated: %v", err)
		}
		if _, err := service.Delete(other, id); !errs.Is(err, errs.NotFound) {
			t.Errorf("deleted: %v", err)
		}
		if found, err := service.Get(other, id); found != nil || err != nil {
			t.Errorf("%v, %v", found, err)
		}
	})
}
