package main

import (
	"strings"
	"testing"
	"time"
)

func TestReport(t *testing.T) {
	t.Parallel()
	hand, graph, rest := played("hand-written", 1000), played("GraphQL", 800), played("REST", 750)
	graph.statements, rest.statements = 2, 4
	r := report{
		date: time.Date(2026, 11, 20, 23, 0, 0, 0, time.UTC), settings: settings{documents: 10_000, connections: counts{16, 64}, seconds: 1.5}, server: "15.4",
		start: &started{took: 900 * time.Millisecond, idle: 200 << 20},
		matches: []*match{
			{comparison{name: "50 documents, auto-tags", shape: shape{tags: true}, asked: 0.8}, 16, []*contender{hand, graph, rest}},
			{comparison{name: "50 documents, total", shape: shape{total: true}, asked: 1.5}, 64, []*contender{hand, played("GraphQL", 1400)}},
		},
		intakes: []intake{{"pages", "SQLite", 500, 2 * time.Second}},
		delays: []delay{
			{"posting an ingest", "SQLite", []time.Duration{2 * time.Millisecond, 3 * time.Millisecond, 40 * time.Millisecond}, 10 * time.Millisecond},
			{"posting an ingest", "Postgres", []time.Duration{10 * time.Millisecond}, 10 * time.Millisecond},
		},
	}
	text := strings.Join(strings.Fields(r.text()), " ")
	for promise, want := range map[string]string{
		"says_where_and_when":             "2026-11-20 · ",
		"names_the_server":                "Postgres 15.4",
		"the_first_row_is_the_measure":    "50 documents, auto-tags hand-written 1000 1.00 1.00 0 0 GraphQL",
		"a_ratio_and_a_kept_promise":      "GraphQL 800 1.00 1.00 0.80 0 0 2, asked at most 2: met at least 0.8: met",
		"a_missed_promise_is_said":        "REST 750 1.00 1.00 0.75 0 0 4, asked at most 2: MISSED 0.94 of GraphQL, at least 0.95: MISSED",
		"each_number_has_its_table":       "64 connections answer",
		"more_connections_are_held_too":   "GraphQL 1400 1.00 1.00 1.40 0 0 at least 1.5: MISSED",
		"what_comes_in_is_counted":        "pages SQLite 500 250",
		"a_start_under_its_claim":         "to the first answer: 900.00 ms, asked under 1500 ms: met",
		"memory_over_its_claim":           "200 MB, asked under 120 MB: MISSED",
		"a_median_under_its_claim":        "posting an ingest SQLite 3 3.00 40.00 under 10 ms: met",
		"a_median_at_its_claim_is_a_miss": "posting an ingest Postgres 1 10.00 10.00 under 10 ms: MISSED",
	} {
		t.Run(promise, func(t *testing.T) {
			t.Parallel()
			if !strings.Contains(text, want) {
				t.Errorf("%q is not in\n%s", want, r.text())
			}
		})
	}
}
