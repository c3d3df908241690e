package account_test

import (
	"context"
	"testing"
	"time"

	"rostrum/dbx"
	"rostrum/domain/account"
	"rostrum/model"
	"rostrum/platform/principal"
	"rostrum/test/kit/dbtest"
)

// TestModelCall records requests of two workspaces. A canceled context loses none, a sum has a cost
// only if every request has one, and old records are deleted.
func TestModelCall(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		s := setup(t, db)
		workspaceID := s.first.Key.WorkspaceID
		cancelled, cancel := context.WithCancel(s.ctx)
		cancel()
		s.RecordCall(cancelled, &model.ModelCall{Task: "a", CostNanos: new(int64(5)),
			Outcome: model.ModelCallCancelled})
		s.RecordCall(s.ctx, &model.ModelCall{Task: "b", PromptTokens: 7, Outcome: model.ModelCallOK})
		s.RecordCall(t.Context(), &model.ModelCall{Task: "of no workspace", Outcome: model.ModelCallOK})
		stranger := principal.With(t.Context(), principal.Principal{WorkspaceID: "wsp_none"})
		s.RecordCall(stranger, &model.ModelCall{Task: "of a workspace that is gone", Outcome: model.ModelCallOK})
		rows := modelCalls(t, s.Service, workspaceID)
		if len(rows) != 2 || rows[0].Task != "b" || rows[1].Outcome != model.ModelCallCancelled ||
			*rows[1].Cost() != 5e-9 || rows[0].Cost() != nil {
			t.Errorf("the records are %+v", rows)
		}
		for i, jobID := range []string{"job_a", "job_b", "job_b"} {
			row := &model.ModelCall{
				ID: model.NewID(model.ModelCallPrefix), WorkspaceID: workspaceID, JobID: &jobID, PromptTokens: 2,
				AnswerTokens: 1, Outcome: model.ModelCallOK,
				CreatedAt: model.Now(),
			}
			if i < 2 {
				row.CostNanos = new(int64(3))
			}
			if _, err := db.NewInsert().Model(row).Exec(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		usage, err := s.ModelUsage(t.Context(), workspaceID, []string{"job_b", "job_none", "job_a"})
		if err != nil {
			t.Fatal(err)
		}
		if usage[0].Calls != 2 || usage[0].PromptTokens != 4 || usage[0].Cost() != nil || usage[1].Calls != 0 ||
			*usage[1].Cost() != 0 || *usage[2].Cost() != 3e-9 {
			t.Errorf("the sums are %+v, %+v, %+v", usage[0], usage[1], usage[2])
		}
		totals, err := s.ModelTotals(t.Context(), workspaceID)
		if err != nil || len(totals) != 1 || totals[0].Calls != 5 || totals[0].FailedCalls != 1 ||
			totals[0].PromptTokens != 13 || totals[0].Cost() != nil {
			t.Errorf("the totals are %+v: %v", totals, err)
		}
		if foreign, err := s.ModelTotals(t.Context(), "wsp_none"); err != nil || len(foreign) != 0 {
			t.Errorf("another workspace reads the totals %+v: %v", foreign, err)
		}
		if foreign, err := s.ModelUsage(t.Context(), "wsp_none", []string{"job_a"}); err != nil ||
			foreign[0].Calls != 0 {
			t.Errorf("another workspace reads %+v: %v", foreign, err)
		}
		short := account.New(account.Config{DB: db, Live: s.pubsub, CallRetention: time.Nanosecond})
		time.Sleep(2 * time.Millisecond) // the ids have milliseconds
		if err := short.DeleteOldCalls(t.Context()); err != nil || len(modelCalls(t, s.Service, workspaceID)) != 0 {
			t.Errorf("old records are left: %v", err)
		}
	})
}

func modelCalls(t *testing.T, s *account.Service, workspaceID string) []*model.ModelCall {
	t.Helper()
	pages, err := s.ModelCallPages(t.Context(), workspaceID, "workspace_id", []string{workspaceID}, model.PageArgs{},
		"task", "outcome", "cost_nanos")
	if err != nil {
		t.Fatal(err)
	}
	return pages[0].Nodes
}
