package account_test

import (
	"context"
	"testing"

	"rostrum/dbx"
	"rostrum/domain/account"
	"rostrum/model"
	"rostrum/platform/principal"
	"rostrum/test/kit/dbtest"
)

// TestUsage counts requests in two processes, which store their counts when they stop.
func TestUsage(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		s := setup(t, db)
		other := account.New(account.Config{DB: db, Live: s.pubsub})
		s.CountUsage(s.ctx, []string{"Document.tags", "Job.result"})
		s.CountUsage(s.ctx, []string{"Document.tags"})
		other.CountUsage(s.ctx, []string{"Document.tags"})
		session := principal.With(t.Context(), principal.Principal{WorkspaceID: s.first.Key.WorkspaceID,
			UserID: "usr_1", Scopes: allScopes})
		s.CountUsage(session, []string{"Document.tags"})
		s.CountUsage(t.Context(), []string{"Document.tags"})
		stopped, stop := context.WithCancel(t.Context())
		stop()
		s.Run(stopped)
		s.Run(stopped)
		other.Run(stopped)
		rows, err := s.KeyUsage(session, nil)
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]int{}
		for _, row := range rows {
			got[row.Field] = row.Requests
			if row.KeyID != s.first.Key.ID || row.LastUsedAt.IsZero() || row.LastUsedAt.After(model.Now()) {
				t.Errorf("the row is %+v", row)
			}
		}
		if len(rows) != 2 || got["Document.tags"] != 3 || got["Job.result"] != 1 {
			t.Errorf("the counts are %v", got)
		}
		one := 1
		if limited, err := s.KeyUsage(session, &one); err != nil || len(limited) != 1 {
			t.Errorf("one row is requested and %d are returned: %v", len(limited), err)
		}
		if foreign, err := s.KeyUsage(principal.With(t.Context(), principal.Principal{WorkspaceID: "wsp_other"}),
			nil); err != nil || len(foreign) > 0 {
			t.Errorf("another workspace reads %v: %v", foreign, err)
		}
	})
}
