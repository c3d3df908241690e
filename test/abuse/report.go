package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"rostrum/test/kit/harness"
)

// report collects the outcomes of a run on one database.
type report struct {
	harness.Report
	database string
	mu       sync.Mutex
	counts   map[string]map[string]int // by kind of input and outcome
}

func newReport(database string) *report {
	return &report{database: database, counts: map[string]map[string]int{}}
}

func (r *report) addOutcome(kind, outcome string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.counts[kind] == nil {
		r.counts[kind] = map[string]int{}
	}
	r.counts[kind][outcome]++
}

// addSent notes how many requests were sent in the order of the seed. If all of them are required,
// others are a problem.
func (r *report) addSent(kind string, sent, all int, required bool) {
	r.AddNote("%d of %d %s were sent", sent, all, kind)
	if required && sent < all {
		r.AddProblem("only %d of %d %s were sent", sent, all, kind)
	}
}

// addUnavailable counts a response with status 503 by its reason.
func (r *report) addUnavailable(kind string, body []byte) {
	var problem struct{ Detail string }
	_ = json.Unmarshal(body, &problem) // the reason is empty for other bodies
	r.AddError("503 for %s: %.200s", kind, problem.Detail)
}

// outcomes are the columns of the table.
var outcomes = []string{"2xx", "3xx", "4xx", "503", "open stream", "failed", "no response"}

func (r *report) text() string {
	var out strings.Builder
	fmt.Fprintf(&out, "\n%s:\n%-40s", r.database, "")
	for _, outcome := range outcomes {
		fmt.Fprintf(&out, "%12s", outcome)
	}
	fmt.Fprintln(&out)
	for _, kind := range slices.Sorted(maps.Keys(r.counts)) {
		fmt.Fprintf(&out, "%-40s", kind)
		for _, outcome := range outcomes {
			fmt.Fprintf(&out, "%12d", r.counts[kind][outcome])
		}
		fmt.Fprintln(&out)
	}
	out.WriteString(r.Text())
	return out.String()
}
