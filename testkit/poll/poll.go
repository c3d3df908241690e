// Package poll waits in tests for conditions instead of for times.
package poll

import (
	"testing"
	"time"
)

const (
	// Patience is how long a test waits for a condition: long enough for a busy machine, as no test measures time.
	Patience = time.Minute
	interval = 5 * time.Millisecond
)

// Until waits until the condition holds, and fails the test with the format and arguments when it does not hold within Patience.
func Until(t testing.TB, condition func() bool, format string, args ...any) {
	t.Helper()
	if !Holds(condition) {
		t.Fatalf("after %s: "+format, append([]any{Patience}, args...)...)
	}
}

// Holds waits until the condition holds and returns true, or false when it does not hold within Patience.
func Holds(condition func() bool) bool {
	for deadline := time.Now().Add(Patience); !condition(); time.Sleep(interval) {
		if time.Now().After(deadline) {
			return false
		}
	}
	return true
}
