// Package poll waits in tests for conditions instead of for times.
package poll

import (
	"testing"
	"time"
)

const (
	// Patience is how long a test waits for a condition: long enough for a busy machine, as no test
	// measures time.
	Patience = time.Minute

	shortest = 4 * time.Millisecond // interval between two checks
	longest  = 100 * time.Millisecond
)

// Until waits until the condition holds, and fails the test with the format and arguments when it
// does not hold within Patience.
func Until(t testing.TB, condition func() bool, format string, args ...any) {
	t.Helper()
	if !Holds(condition) {
		t.Fatalf("after %s: "+format, append([]any{Patience}, args...)...)
	}
}

// Holds waits until the condition holds and returns true, or false when it does not hold within
// Patience.
func Holds(condition func() bool) bool { return HoldsWithin(Patience, condition) }

// HoldsWithin waits like Holds, but up to limit, for conditions that may take minutes. It checks
// less often the longer it waits, as a check may be a request that takes as long as what it waits
// for.
func HoldsWithin(limit time.Duration, condition func() bool) bool {
	for start := time.Now(); !condition(); {
		waited := time.Since(start)
		if waited > limit {
			return false
		}
		time.Sleep(min(max(waited/3, shortest), longest))
	}
	return true
}
