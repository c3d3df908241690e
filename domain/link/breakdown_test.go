package link_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"rostrum/dbx"
	"rostrum/domain/link"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/test/kit/dbtest"
)

// addBroken stores sessions of known origin without counting them.
func addBroken(t *testing.T, db *dbx.DB, of *model.Link) {
	t.Helper()
	for i, v := range []model.LinkSession{
		{Country: "CH", Device: "mobile", Referrer: "https://news.example/a", UTMSource: "letter", OpenedAt: parseTime(t, "2026-10-01T23:59:59Z")},
		{Country: "CH", Device: "mobile", Referrer: "https://news.example/b?c", OpenedAt: parseTime(t, "2026-10-02T00:00:00Z")},
		{Country: "DE", Device: "desktop", UTMSource: "Letter", OpenedAt: parseTime(t, "2026-10-02T10:00:00Z"),
			ConvertedAt: new(parseTime(t, "2026-10-03T10:00:00Z"))},
		{Device: "desktop", OpenedAt: parseTime(t, "2026-10-03T10:00:00Z")},
	} {
		v.ID, v.LinkID, v.WorkspaceID = fmt.Sprintf("vis_%s_%d", of.ID, i), of.ID, of.WorkspaceID
		if _, err := db.NewInsert().Model(&v).Exec(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

func formatBreakdown(b *model.LinkBreakdown) string {
	parts := []string{fmt.Sprintf("%d/%d unknown %d", b.OpenCount, b.ConvertedCount, b.UnknownCount)}
	for _, row := range b.Rows {
		parts = append(parts, fmt.Sprintf("%s %d/%d", row.Value, row.OpenCount, row.ConvertedCount))
	}
	return strings.Join(parts, ", ")
}

// TestService_Breakdown repairs the counts of sessions that were never counted, and reads them by
// dimension and day.
func TestService_Breakdown(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		s, ctx, of := newActivity(t, db)
		addBroken(t, db, of)
		for _, want := range []bool{true, false} {
			found, err := s.Recount(t.Context(), of.WorkspaceID, true)
			if err != nil || len(found) > 0 != want {
				t.Fatalf("%d wrong counts (%v)", len(found), err)
			}
		}
		for _, test := range []struct {
			by       model.LinkDimension
			from, to string
			first    int
			want     string
		}{
			{model.LinkDimensionCountry, "", "", 10, "4/1 unknown 1, CH 2/0, DE 1/1"},
			{model.LinkDimensionCountry, "", "", 1, "4/1 unknown 1, CH 2/0"},
			{model.LinkDimensionCountry, "2026-10-02T15:00:00Z", "2026-10-02T15:00:00Z", 10, "2/1 unknown 0, CH 1/0, DE 1/1"},
			{model.LinkDimensionDevice, "2026-10-03T00:00:00Z", "", 10, "1/0 unknown 0, desktop 1/0"},
			{model.LinkDimensionReferrer, "", "", 10, "4/1 unknown 2, news.example 2/0"},
			{model.LinkDimensionUTMSource, "", "2026-10-02T00:00:00Z", 10, "3/1 unknown 1, Letter 1/1, letter 1/0"},
			{model.LinkDimensionUTMTerm, "", "", 10, "4/1 unknown 4"},
			{model.LinkDimensionOS, "2027-01-01T00:00:00Z", "", 10, "0/0 unknown 0"},
		} {
			args := link.BreakdownArgs{By: test.by, First: test.first}
			if test.from != "" {
				args.From = new(parseTime(t, test.from))
			}
			if test.to != "" {
				args.To = new(parseTime(t, test.to))
			}
			found, err := s.Breakdown(ctx, []*model.Link{of}, args)
			if err != nil || formatBreakdown(found[0]) != test.want {
				t.Errorf("by %s from %q to %q: %s; want %s (%v)", test.by, test.from, test.to, formatBreakdown(found[0]),
					test.want, err)
			}
		}
		checkBackwards(t, s, ctx, of)
	})
}

func checkBackwards(t *testing.T, s *link.Service, ctx context.Context, of *model.Link) { //nolint:revive // t first
	t.Helper()
	_, err := s.Breakdown(ctx, []*model.Link{of}, link.BreakdownArgs{By: model.LinkDimensionOS, First: 1,
		From: new(parseTime(t, "2026-10-02T00:00:00Z")), To: new(parseTime(t, "2026-10-01T00:00:00Z"))})
	if !errs.Is(err, errs.ValidationFailed) || !strings.Contains(err.Error(), ": to: ") {
		t.Errorf("an end before the beginning: %v", err)
	}
}

// TestNewSplitTest checks verdicts on both sides of what chance explains.
func TestNewSplitTest(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name  string
		sides [][2]int // converted sessions and sessions
		want  model.SplitTestVerdict
		best  int // the place of the best variant, from 1; 0 for none
	}{
		{"too few sessions", [][2]int{{50, 99}, {0, 1000}}, "too_few", 0},
		{"too few conversions", [][2]int{{9, 1000}, {0, 1000}}, "too_few", 0},
		{"the same", [][2]int{{100, 1000}, {100, 1000}}, "no_difference", 0},
		{"significant at 95 % and not at 99 %", [][2]int{{100, 1000}, {130, 1000}}, "no_difference", 0},
		{"a clear difference", [][2]int{{100, 1000}, {150, 1000}}, "better", 2},
		{"a difference that three sides make one of chance", [][2]int{{100, 1000}, {138, 1000}, {60, 1000}}, "no_difference", 0},
		{"nobody and everybody", [][2]int{{200, 200}, {0, 200}}, "better", 1},
		{"everybody", [][2]int{{200, 200}, {200, 200}}, "no_difference", 0},
	} {
		variants := make([]*model.LinkVariant, len(test.sides))
		for i, side := range test.sides {
			variants[i] = &model.LinkVariant{ConvertedCount: side[0], OpenCount: side[1]}
		}
		got := link.NewSplitTest(variants)
		var best *model.LinkVariant
		if test.best > 0 {
			best = variants[test.best-1]
		}
		if got.Verdict != test.want || got.BestVariant != best {
			t.Errorf("%s: %s, best %v; want %s", test.name, got.Verdict, got.BestVariant, test.want)
		}
	}
}

// TestService_ConversionRates compares intervals with those of Newcombe 1998, table I, method 3.
func TestService_ConversionRates(t *testing.T) {
	t.Parallel()
	var s *link.Service
	got := s.ConversionRates([]*model.LinkVariant{{ConvertedCount: 81, OpenCount: 263}, {ConvertedCount: 15, OpenCount: 148},
		{ConvertedCount: 0, OpenCount: 20}, {ConvertedCount: 1, OpenCount: 29}, {}})
	for i, want := range [][2]float64{{0.2553, 0.3662}, {0.0624, 0.1605}, {0, 0.1611}, {0.0061, 0.1718}} {
		if math.Abs(got[i].Low-want[0]) > 5e-5 || math.Abs(got[i].High-want[1]) > 5e-5 {
			t.Errorf("%d: %+v; want %v", i, *got[i], want)
		}
	}
	if got[4] != nil {
		t.Errorf("a variant without sessions has the rate %+v", *got[4])
	}
}
