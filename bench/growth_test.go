package main

import (
	"strings"
	"testing"
)

func TestGrowth(t *testing.T) {
	t.Parallel()
	g := growthResult{documents: 1_000_000, connections: 16, rows: []*candidate{
		newMeasured("few", 1300), newMeasured("many", 1000), newMeasured("far", 160), newMeasured("few, total", 1000), newMeasured("many, total", 500),
	}}
	text := strings.Join(strings.Fields(g.text()), " ")
	for promise, want := range map[string]string{
		"growth_at_its_claim_is_met": "first page 1000000 1000 1.00 1.00 0 1.30 of it with 10000, claim at most 1.3: met",
		"a_page_far_in_is_held":      "page 1,000 1000000 160 1.00 1.00 0 6.25 of the first, claim at most 5: MISSED",
		"totals_are_held_too":        "first page, total 1000000 500 1.00 1.00 0 2.00 of it with 10000, claim at most 1.3: MISSED",
	} {
		t.Run(promise, func(t *testing.T) {
			t.Parallel()
			if !strings.Contains(text, want) {
				t.Errorf("%q is not in\n%s", want, g.text())
			}
		})
	}
}
