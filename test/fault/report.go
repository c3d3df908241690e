package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"rostrum/test/kit/harness"
)

// report collects the counts of a run.
type report struct {
	harness.Report
	mu       sync.Mutex
	faults   map[string]int
	slowest  map[string]time.Duration // the longest time from a fault's end to the next stored write, by fault
	accepted map[string]int           // accepted requests, by kind
	lost     int
	doubled  int
	stuck    int

	required      map[string]bool // faults of which a full run has at least one each
	requiredCount int             // how many faults a full run has
	duration      time.Duration
	longest       time.Duration // limit of the duration
}

// addFault counts a fault and the time that writes needed to succeed after it.
func (r *report) addFault(name string, recovery time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.faults == nil {
		r.faults, r.slowest = map[string]int{}, map[string]time.Duration{}
	}
	r.faults[name]++
	r.slowest[name] = max(r.slowest[name], recovery)
}

// requireFaults requires at least one of each fault.
func (r *report) requireFaults(faults []fault) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.required == nil {
		r.required = map[string]bool{}
	}
	for _, f := range faults {
		r.required[f.name] = true
	}
}

// waiveFault no longer requires a fault, which cannot be injected on this machine.
func (r *report) waiveFault(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.required, name)
}

func (r *report) addAccepted(kind string, count int) {
	if r.accepted == nil {
		r.accepted = map[string]int{}
	}
	r.accepted[kind] += count
}

func (r *report) addLost(format string, args ...any) {
	r.lost++
	r.AddProblem("lost: "+format, args...)
}

func (r *report) addDoubled(format string, args ...any) {
	r.doubled++
	r.AddProblem("doubled: "+format, args...)
}

func (r *report) addStuck(format string, args ...any) {
	r.stuck++
	r.AddProblem("stuck: "+format, args...)
}

// faultCount returns the number of injected faults.
func (r *report) faultCount() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := 0
	for _, times := range r.faults {
		n += times
	}
	return n
}

// interruptions returns the number of faults that may interrupt a call.
func (r *report) interruptions() int {
	n := 0
	for name, times := range r.faults {
		if strings.Contains(name, "killed") || strings.Contains(name, "Postgres") {
			n += times
		}
	}
	return n
}

func (r *report) text() string {
	var out strings.Builder
	fmt.Fprintf(&out, "%d faults in a run of %s:\n", r.faultCount(), r.duration.Round(time.Second))
	for _, name := range slices.Sorted(maps.Keys(r.faults)) {
		fmt.Fprintf(&out, "  %-28s %4d  slowest recovery %s\n", name, r.faults[name],
			r.slowest[name].Round(time.Millisecond))
	}
	fmt.Fprintln(&out, "accepted:")
	for _, kind := range slices.Sorted(maps.Keys(r.accepted)) {
		fmt.Fprintf(&out, "  %-28s %6d\n", kind, r.accepted[kind])
	}
	out.WriteString(r.Text())
	fmt.Fprintf(&out, "lost %d, doubled %d, stuck %d\n", r.lost, r.doubled, r.stuck)
	return out.String()
}

// verdict returns an error if a promise did not hold, or the run does not prove the promises: it
// had too few faults or took too long.
func (r *report) verdict() error {
	if len(r.Problems()) > 0 {
		return errors.New("a promise does not hold")
	}
	for _, name := range slices.Sorted(maps.Keys(r.required)) {
		if r.faults[name] == 0 {
			return fmt.Errorf("the fault %q was not injected", name)
		}
	}
	if n := r.faultCount(); n < r.requiredCount {
		return fmt.Errorf("only %d faults were injected, want %d", n, r.requiredCount)
	}
	if r.duration > r.longest {
		return fmt.Errorf("the run took %s, want at most %s", r.duration.Round(time.Second), r.longest)
	}
	return nil
}
