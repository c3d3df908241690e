package webhook

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// TestActiveSends checks that a request waits at the limit, until the others count as slow at most.
// It stops waiting when its context ends.
func TestActiveSends(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sends := make(activeSends, 1)
		leaveFirst, err := sends.enter(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		leaveSecond, err := sends.enter(t.Context())
		if waited := time.Since(began); err != nil || waited != slowAfter {
			t.Fatalf("the second request waited for %s with the error %v, want %s", waited, err, slowAfter)
		}
		leaveFirst() // it is no longer counted
		if len(sends) != 1 {
			t.Fatalf("%d requests are counted", len(sends))
		}
		ended, end := context.WithCancel(t.Context())
		end()
		if _, err := sends.enter(ended); !errors.Is(err, context.Canceled) {
			t.Fatalf("with an ended context the error is %v", err)
		}
		leaveSecond()
		if len(sends) != 0 {
			t.Fatalf("%d requests are counted after the last one", len(sends))
		}
		time.Sleep(2 * slowAfter) // no timer frees a place that nobody has
		if len(sends) != 0 {
			t.Fatalf("%d requests are counted later", len(sends))
		}
	})
}
