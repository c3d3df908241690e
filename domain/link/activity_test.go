package link_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"rostrum/dbx"
	"rostrum/domain/link"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/platform/live"
	"rostrum/platform/principal"
	"rostrum/test/kit/dbtest"
)

// newActivity returns a service with sessions and conversions at the times, whose activity is
// repaired from its rows.
func newActivity(t *testing.T, db *dbx.DB, times ...string) (*link.Service, context.Context, *model.Link) {
	t.Helper()
	b := setup(t, db)
	redis, err := live.Open(t.Context(), live.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = redis.Close() })
	for _, at := range times {
		opened := parseTime(t, at)
		b.addSessions(t, 1, opened, opened)
	}
	s, err := link.New(t.Context(), link.Config{DB: db, Live: redis, AppendEvents: b.appendEvents})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []bool{true, false} {
		found, err := s.Recount(t.Context(), b.of.WorkspaceID, true)
		if err != nil || (len(found) > 0) != (want && len(times) > 0) {
			t.Fatalf("%d wrong counts (%v)", len(found), err)
		}
	}
	ctx := principal.With(t.Context(), principal.Principal{WorkspaceID: b.of.WorkspaceID})
	return s, ctx, b.of
}

func parseTime(t *testing.T, text string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// TestService_Activity counts opens by days and hours of a zone in which a day has 25 hours.
func TestService_Activity(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		s, ctx, of := newActivity(t, db,
			"2026-10-24T21:59:59Z", "2026-10-24T22:00:00Z", // either side of midnight in Zurich
			"2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z", // the hour that comes twice
			"2026-10-25T22:59:59Z", "2026-10-25T23:00:00Z", // either side of the next midnight
		)
		for _, test := range []struct {
			unit           model.ActivityUnit
			zone, from, to string
			want           string
		}{
			{"day", "Europe/Zurich", "2026-10-24T10:00:00Z", "2026-10-26T10:00:00Z",
				"23T22:00:00Z 1, 24T22:00:00Z 4, 25T23:00:00Z 1"},
			{"day", "UTC", "2026-10-24T10:00:00Z", "2026-10-26T00:00:00Z",
				"24T00:00:00Z 2, 25T00:00:00Z 4, 26T00:00:00Z 0"},
			{"day", "Asia/Kathmandu", "2026-10-25T10:00:00Z", "2026-10-25T18:14:59Z", "24T18:15:00Z 4"},
			{"hour", "Europe/Zurich", "2026-10-25T00:10:00Z", "2026-10-25T02:00:00Z",
				"25T00:00:00Z 1, 25T01:00:00Z 1, 25T02:00:00Z 0"},
			{"week", "Europe/Zurich", "2026-10-20T00:00:00Z", "2026-10-26T00:00:00Z",
				"18T22:00:00Z 5, 25T23:00:00Z 1"},
		} {
			args := link.ActivityArgs{From: new(parseTime(t, test.from)), To: new(parseTime(t, test.to)), Unit: test.unit,
				TimeZone: test.zone}
			found, err := s.Activity(ctx, []*model.Link{of}, args)
			if err != nil {
				t.Fatal(err)
			}
			all, err := s.WorkspaceActivity(ctx, args)
			if got := formatOpens(found[0]); err != nil || got != test.want || formatOpens(all) != got {
				t.Errorf("%s in %s: %s, of the workspace %s; want %s (%v)", test.unit, test.zone, got, formatOpens(all),
					test.want, err)
			}
		}
	})
}

func formatOpens(spans []*model.LinkActivity) string {
	out := make([]string, len(spans))
	for i, span := range spans {
		out[i] = fmt.Sprintf("%s %d", span.StartsAt.Format("02T15:04:05Z"), span.OpenCount)
		if span.ConversionCount != span.OpenCount {
			out[i] += fmt.Sprintf(" (%d conversions)", span.ConversionCount)
		}
	}
	return strings.Join(out, ", ")
}

func TestService_Activity_invalid(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		s, ctx, of := newActivity(t, db)
		now := model.Now()
		for field, args := range map[string]link.ActivityArgs{
			"timeZone": {From: &now, Unit: "day", TimeZone: "Local"},
			"to":       {From: &now, To: new(now.Add(-time.Hour)), Unit: "day", TimeZone: "UTC"},
			"from":     {From: new(now.AddDate(-3, 0, 0)), Unit: "day", TimeZone: "UTC"},
		} {
			_, err := s.Activity(ctx, []*model.Link{of}, args)
			if !errs.Is(err, errs.ValidationFailed) || !strings.Contains(err.Error(), ": "+field+": ") {
				t.Errorf("%s: %v", field, err)
			}
		}
		if found, err := s.Activity(ctx, []*model.Link{of}, link.ActivityArgs{Unit: "week", TimeZone: "UTC"}); err != nil ||
			len(found[0]) != 30 {
			t.Errorf("%d spans without a beginning (%v)", len(found[0]), err)
		}
		longest := link.ActivityArgs{From: new(now.AddDate(0, 0, -749)), To: &now, Unit: "day", TimeZone: "UTC"}
		if found, err := s.Activity(ctx, []*model.Link{of}, longest); err != nil || len(found[0]) != 750 {
			t.Errorf("%d spans (%v)", len(found[0]), err)
		}
	})
}
