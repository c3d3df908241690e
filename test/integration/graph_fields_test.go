package integration

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"rostrum/test/kit"
)

// TestFields_statements asks every field at every place below a list of nodes, and again when there
// are twice as many: it takes as many SQL statements.
func TestFields_statements(t *testing.T) {
	kit.EachStack(t, func(t *testing.T, a *kit.App) {
		db := a.OpenDB(t)
		rows := newScreenRows(t, a, db, "Mark")
		var before map[string]int64
		for range 2 {
			for range 3 {
				rows.add()
			}
			addJobs(t, rows, rows.ids)
			addJobEvents(t, rows)
			counts := countFields(t, a, groupByType(t, a, nodeIDs(t, db, rows)), before)
			for path, n := range before {
				if counts[path] > n {
					t.Errorf("%s takes %d statements, and %d with twice as many nodes", path, n, counts[path])
				}
			}
			before = counts
		}
		if len(before) < 1000 {
			t.Errorf("only %d fields", len(before))
		}
	})
}

// countFields returns the number of statements of every field at every place behind the nodes. A
// field that takes more than before is asked again, because what is remembered for a minute, such
// as the key, is read again at times.
func countFields(t *testing.T, a *kit.App, byType map[string][]string, before map[string]int64) map[string]int64 {
	t.Helper()
	counts := map[string]int64{}
	for _, p := range newPlaces().all {
		if len(byType[p.from]) < 2 {
			continue
		}
		for _, f := range p.fields {
			path := p.path() + "." + f.name
			n, ok := countStatements(t, a, p, f, byType[p.from])
			for again := 0; ok && before != nil && n > before[path] && again < 5; again++ {
				n, ok = countStatements(t, a, p, f, byType[p.from])
			}
			if ok {
				counts[path] = n
			}
		}
	}
	return counts
}

// countStatements returns the number of statements of a field at a place behind the nodes; ok is
// false beyond the limits of an operation.
func countStatements(t *testing.T, a *kit.App, p *place, f placeField, ids []string) (statements int64, ok bool) {
	t.Helper()
	body, err := json.Marshal(map[string]any{"query": p.query([]string{f.text}), "variables": map[string]any{"ids": ids}})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		answer, n := a.DoCounted(t, http.MethodPost, "/graphql", nil, string(body))
		if strings.Contains(string(answer.Body), `"limit_exceeded"`) {
			return 0, false
		}
		if answer.Status != http.StatusOK || strings.Contains(string(answer.Body), `"errors":[`) {
			t.Fatalf("%s: %d %s", p.path(), answer.Status, answer.Body)
		}
		if !ok || n < statements {
			statements, ok = n, true
		}
	}
	return statements, ok
}
