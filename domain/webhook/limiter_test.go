package webhook

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// TestConcurrencyLimiter fills a webhook's slots with deliveries that do not finish. Further ones
// are rejected soon; another webhook is not affected.
func TestConcurrencyLimiter(t *testing.T) {
	t.Parallel()
	synctest.Test(t, checkConcurrencyLimit)
}

// checkConcurrencyLimit runs with synctest's fake clock, so its durations do not depend on the
// machine.
func checkConcurrencyLimit(t *testing.T) {
	l := newConcurrencyLimiter()
	releases := make([]func(), maxConcurrent)
	for i := range releases {
		release, ok := l.acquire(t.Context(), "stuck")
		if !ok {
			t.Fatalf("delivery %d got no slot", i)
		}
		releases[i] = release
	}
	began := time.Now()
	for range 100 {
		if _, ok := l.acquire(t.Context(), "stuck"); ok {
			t.Fatal("a delivery got a slot above the limit")
		}
	}
	if took := time.Since(began); took > 2*stallTime {
		t.Errorf("rejecting 100 deliveries took %s", took)
	}
	if n := l.freeSlots("stuck"); n != 0 {
		t.Errorf("%d slots are free, want 0", n)
	}
	if release, ok := l.acquire(t.Context(), "other"); ok {
		release()
	} else {
		t.Error("a delivery of another webhook got no slot")
	}
	releases[0]()
	if n := l.freeSlots("stuck"); n != 2 { // the free slot, and the finished delivery
		t.Errorf("%d slots are free after one was released, want 2", n)
	}
	for _, release := range releases[1:] {
		release()
	}
	if len(l.webhooks) != 0 {
		t.Error("the limiter keeps an idle webhook")
	}
}

// TestConcurrencyLimiter_waiting checks that each delivery within maxOccupied gets a slot while
// others finish.
func TestConcurrencyLimiter_waiting(t *testing.T) {
	t.Parallel()
	l := newConcurrencyLimiter()
	done := make(chan bool)
	for range maxOccupied {
		go func() {
			release, ok := l.acquire(context.Background(), "quick")
			if ok {
				time.Sleep(30 * time.Millisecond)
				release()
			}
			done <- ok
		}()
	}
	for range maxOccupied {
		if !<-done {
			t.Error("a delivery got no slot")
		}
	}
}
