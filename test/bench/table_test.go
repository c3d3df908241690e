package main

import (
	"strings"
	"testing"
	"time"
)

func TestReport(t *testing.T) {
	t.Parallel()
	hand, graph, rest := newMeasured("hand-written", 1000), newMeasured("GraphQL", 800), newMeasured("REST", 750)
	graph.statements, rest.statements = 2, 4
	r := report{
		date:     time.Date(2026, 11, 20, 23, 0, 0, 0, time.UTC),
		settings: settings{documents: 10_000, connections: countList{16, 64}, seconds: 1.5}, server: "15.4",
		start: &startResult{took: 900 * time.Millisecond, idle: 200 << 20},
		matches: []*readComparison{
			{comparison{name: "50 documents, auto-tags", shape: shape{tags: true}, minRatio: 0.8}, 16,
				[]*candidate{hand, graph, rest}},
			{comparison{name: "50 documents, total", shape: shape{total: true}, minRatio: 1.5}, 64,
				[]*candidate{hand, newMeasured("GraphQL", 1400)}},
		},
		ingestions: []ingestResult{{"pages", "SQLite", 500, pageClaim, 2 * time.Second},
			{"texts", "SQLite", 500, textClaim, 2 * time.Second}},
		delays: []delaySeries{
			{"posting an ingest", "SQLite", []time.Duration{2 * time.Millisecond, 3 * time.Millisecond,
				40 * time.Millisecond}, 10 * time.Millisecond},
			{"posting an ingest", "Postgres", []time.Duration{10 * time.Millisecond}, 10 * time.Millisecond},
		},
	}
	quick, slow := newMeasured("", 1000), &candidate{rounds: []loadSample{{took: time.Second,
		times: []time.Duration{10 * time.Millisecond}}}}
	r.bursts = []*burstResult{{name: "the widest list", database: "SQLite", calm: quick, busy: quick},
		{name: "exports", database: "SQLite", calm: quick, busy: slow}}
	text := strings.Join(strings.Fields(r.text()), " ")
	for promise, want := range map[string]string{
		"includes_place_and_date":                "2026-11-20 · ",
		"includes_the_server":                    "Postgres 15.4",
		"the_first_row_is_the_reference":         "50 documents, auto-tags hand-written 1000 1.00 1.00 0 0 GraphQL",
		"a_ratio_that_meets_its_claim":           "GraphQL 800 1.00 1.00 0.80 0 0 2, claim at most 2: met at least 0.8: met",
		"a_ratio_below_its_claim_is_missed":      "REST 750 1.00 1.00 0.75 0 0 4, claim at most 2: MISSED 0.94 of GraphQL, at least 0.95: MISSED",
		"each_connection_count_has_a_table":      "64 connections answer",
		"claims_apply_to_every_connection_count": "GraphQL 1400 1.00 1.00 1.40 0 0 at least 1.5: MISSED",
		"a_burst_within_its_claim":               "the widest list SQLite 0 0 1.00 1.00 1.0 met",
		"a_burst_beyond_its_claim":               "exports SQLite 0 0 1.00 10.00 10.0 MISSED",
		"a_rate_that_meets_its_claim":            "pages SQLite 500 250 at least 200: met",
		"a_rate_under_its_claim":                 "texts SQLite 500 250 at least 1500: MISSED",
		"a_start_under_its_claim":                "to the first answer: 900.00 ms, claim under 1500 ms: met",
		"memory_over_its_claim":                  "200 MB, claim under 90 MB: MISSED",
		"a_median_under_its_claim":               "posting an ingest SQLite 3 3.00 40.00 under 10 ms: met",
		"a_median_at_its_claim_is_a_miss":        "posting an ingest Postgres 1 10.00 10.00 under 10 ms: MISSED",
	} {
		t.Run(promise, func(t *testing.T) {
			t.Parallel()
			if !strings.Contains(text, want) {
				t.Errorf("%q is not in\n%s", want, r.text())
			}
		})
	}
}
