package main

import (
	"slices"
	"strings"
	"testing"
	"time"
)

func TestGrowth(t *testing.T) {
	t.Parallel()
	g := growthResult{settings: settings{large: 1_000_000, connections: countList{16}},
		rows: slices.Repeat([]*candidate{newMeasured("", 1000)}, len(growthRows))}
	for row, rate := range map[int]float64{0: 1300, 2: 160, 4: 500, 6: 250, 8: 900, 10: 2} {
		g.rows[row] = newMeasured("", rate)
	}
	g.rows[10] = &candidate{rates: []float64{2}}
	g.rows[10].times.Add(2 * time.Second)
	text := strings.Join(strings.Fields(g.text()), " ")
	unanswered := growthRow{large: true, claim: growthClaim}.verdict(newMeasured("", 1), &candidate{})
	if unanswered != "no response in 8s, claim at most 1.3 of it with 10000: MISSED" {
		t.Errorf("a row without responses: %s", unanswered)
	}
	for promise, want := range map[string]string{
		"growth_at_its_claim_is_met":      "first page 1000000 1000 1.00 1.00 0 1.30 ±∞ of it with 10000, claim at most 1.3: met",
		"a_page_far_in_is_held":           "page 1,000 1000000 160 1.00 1.00 0 6.25 ±∞ of the first, claim at most 5: MISSED",
		"totals_are_held_too":             "first page, total 1000000 500 1.00 1.00 0 2.00 ±∞ of it with 10000, claim at most 1.3: MISSED",
		"a_far_page_by_number_is_allowed": "page=1000 over REST 1000000 250 1.00 1.00 0 4.00 ±∞ of the first, claim at most 5: met",
		"search_is_held":                  "search by two words 1000000 900 1.00 1.00 0 1.11 ±∞ of it with 10000, claim at most 1.3: met",
		"facets_are_held":                 "facets 1000000 2 2000.00 2000.00 0 500.00 ±∞ of it with 10000, claim at most 1.3: MISSED; over the default limit of a query, 1s",
	} {
		t.Run(promise, func(t *testing.T) {
			t.Parallel()
			if !strings.Contains(text, want) {
				t.Errorf("%q is not in\n%s", want, g.text())
			}
		})
	}
}

// TestGrowthRows checks that a row with a claim is compared with a row of the same kind.
func TestGrowthRows(t *testing.T) {
	t.Parallel()
	for i, row := range growthRows {
		if row.claim == 0 {
			continue
		}
		before := growthRows[i-1]
		same := before.rest == row.rest && before.words == row.words && before.total == row.total &&
			before.isFacets() == row.isFacets()
		if samePage := before.page == row.page; !same || samePage == before.large {
			t.Errorf("%s is compared with %+v", row.name, before)
		}
	}
}
