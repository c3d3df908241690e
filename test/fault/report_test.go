package main

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
)

func TestCompareAccepted(t *testing.T) {
	r := &report{longest: time.Minute}
	accepted := map[string]bool{"stored": true, "lost": true, "doubled": true, "refused": false, "unknown": false}
	compareAccepted(r, "document", accepted, map[string]int{"stored": 1, "doubled": 2, "unknown": 1})
	if r.lost != 1 || r.doubled != 1 || r.accepted["documents"] != 3 || r.verdict() == nil {
		t.Errorf("got %+v, want one lost and one doubled of three", r)
	}
}

// TestPendingDelivery_isDue checks which deliveries of a run's end are no loss: those that failed
// often and whose next attempt is not due yet.
func TestPendingDelivery_isDue(t *testing.T) {
	now := time.Now()
	soon, past := now.Add(time.Minute), now.Add(-time.Second)
	failed := func(times int) []json.RawMessage { return make([]json.RawMessage, times) }
	for name, c := range map[string]struct {
		delivery pendingDelivery
		due      bool
	}{
		"failed four times":  {pendingDelivery{Attempts: failed(4), Next: &soon}, false},
		"failed three times": {pendingDelivery{Attempts: failed(3), Next: &soon}, true},
		"overdue":            {pendingDelivery{Attempts: failed(4), Next: &past}, true},
		"no attempt":         {pendingDelivery{Attempts: failed(4)}, true},
	} {
		if c.delivery.isDue(now) != c.due {
			t.Errorf("%s: due is not %t", name, c.due)
		}
	}
}

// TestReport_verdict checks what a run without lost, doubled and stuck requests needs besides.
func TestReport_verdict(t *testing.T) {
	withProblem := &report{longest: time.Minute}
	withProblem.AddProblem("lost")
	for name, c := range map[string]struct {
		report *report
		fails  bool
	}{
		"a short run": {&report{longest: time.Minute}, false},
		"all faults": {&report{longest: time.Minute, required: map[string]bool{"a": true, "b": true}, requiredCount: 3,
			faults: map[string]int{"a": 2, "b": 1}}, false},
		"a missing": {&report{longest: time.Minute, required: map[string]bool{"a": true, "b": true},
			faults: map[string]int{"a": 2}}, true},
		"too few":   {&report{longest: time.Minute, requiredCount: 3, faults: map[string]int{"a": 2}}, true},
		"too long":  {&report{longest: time.Minute, duration: time.Minute + 1}, true},
		"a problem": {withProblem, true},
	} {
		if err := c.report.verdict(); (err != nil) != c.fails {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestPlan_isOver checks that a run goes on for a while until it has the required number of faults.
func TestPlan_isOver(t *testing.T) {
	p := plan{faults: 10 * time.Minute, minFaults: 300}
	for _, c := range []struct {
		after  time.Duration
		faults int
		want   bool
	}{
		{9 * time.Minute, 400, false}, {10 * time.Minute, 300, true}, {10 * time.Minute, 299, false},
		{10*time.Minute + overtime, 299, true},
	} {
		if got := p.isOver(c.after, c.faults); got != c.want {
			t.Errorf("after %s with %d faults the run is over: %t", c.after, c.faults, got)
		}
	}
}

func TestWatcher_compare(t *testing.T) {
	all := strings.Split("abcdef", "")
	for received, want := range map[string][3]int{ // missing, repeated, different
		"abcdef":  {0, 0, 0},
		"abdef":   {1, 0, 1},
		"abccdef": {0, 1, 1},
		"abdcef":  {0, 0, 1},
		"abc":     {3, 0, 1},
	} {
		w := &watcher{ids: strings.Split(received, "")}
		missing, repeated, difference := w.compare(all)
		if missing != want[0] || repeated != want[1] || (difference != "") != (want[2] == 1) {
			t.Errorf("%s: %d missing, %d repeated, %q; want %v", received, missing, repeated, difference, want)
		}
	}
}
