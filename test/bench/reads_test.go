package main

import (
	"strings"
	"testing"
)

func TestReads(t *testing.T) {
	t.Parallel()
	hand, graph, rest := newMeasured(handName, 1000), newMeasured(graphName, 800), newMeasured(restName, 750)
	graph.statements, rest.statements = 2, 4
	r := reads{
		settings: settings{documents: 10_000, connections: countList{16, 64}, seconds: 1.5},
		matches: []*readComparison{
			{comparison{name: "50 documents, auto-tags", shape: shape{tags: true}, minRatio: 0.8}, 16,
				[]*candidate{hand, graph, rest}},
			{comparison{name: "50 documents, total", shape: shape{total: true}, minRatio: 1.5}, 64,
				[]*candidate{hand, newMeasured(graphName, 1400)}},
		},
	}
	text := strings.Join(strings.Fields(r.text()), " ")
	for promise, want := range map[string]string{
		"the_first_row_is_the_reference":         "50 documents, auto-tags hand-written 1000 1.00 1.00 0 0 GraphQL",
		"a_ratio_that_meets_its_claim":           "GraphQL 800 1.00 1.00 0.80 ±∞ 0 0 2, claim at most 2: met at least 0.8: met",
		"a_ratio_below_its_claim_is_missed":      "REST 750 1.00 1.00 0.75 ±∞ 0 0 4, claim at most 2: MISSED 0.94 ±∞ of GraphQL, at least 0.95: MISSED",
		"each_connection_count_has_a_table":      "64 connections answer",
		"claims_apply_to_every_connection_count": "GraphQL 1400 1.00 1.00 1.40 ±∞ 0 0 at least 1.5: MISSED",
	} {
		t.Run(promise, func(t *testing.T) {
			t.Parallel()
			if !strings.Contains(text, want) {
				t.Errorf("%q is not in\n%s", want, r.text())
			}
		})
	}
}
