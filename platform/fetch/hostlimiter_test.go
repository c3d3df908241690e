package fetch

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func TestSnooze(t *testing.T) {
	const pause = time.Minute
	h := newHostLimiter(2, pause)
	near := func(got, want time.Duration) bool { return got > want-pause/2 && got <= want }
	for i, want := range []time.Duration{0, 0, 2 * pause, 3 * pause} { // the first two start soon
		if got := h.snoozeTime("a", false); !near(got, want) && got != want {
			t.Errorf("job %d is snoozed for %v, want %v", i, got, want)
		}
	}
	if got := h.snoozeTime("b", false); got != 0 {
		t.Errorf("the first job of another host is snoozed for %v", got)
	}
	for range 2 {
		h.leaveHost(h.joinHost("a"))
	}
	// after the two reserved starts, but five pauses later at least
	for i, want := range []time.Duration{0, 0, 5 * pause, 5 * pause, 6 * pause, 7 * pause} {
		if got := h.snoozeTime("a", true); !near(got, want) && got != want {
			t.Errorf("snoozed job %d is snoozed for %v, want %v", i, got, want)
		}
	}
}

// TestSnooze_keeps_the_pace has a queue that finds due jobs every half second, and checks that the
// jobs of one host start nearly one pause apart.
func TestSnooze_keeps_the_pace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const pause, jobs = 200 * time.Millisecond, 60
		h := newHostLimiter(2, pause)
		started := time.Now()
		due := make([]time.Time, jobs)
		var fetching sync.WaitGroup
		for again := false; len(due) > 0; again = true {
			var later []time.Time
			for _, at := range due {
				if at.After(time.Now()) {
					later = append(later, at)
				} else if wait := h.snoozeTime("a", again); wait > 0 {
					later = append(later, time.Now().Add(wait))
				} else {
					fetching.Go(func() {
						release, err := h.acquire(t.Context(), "a")
						if err != nil {
							t.Error(err)
							return
						}
						time.Sleep(20 * time.Millisecond)
						release()
					})
				}
			}
			due = later
			time.Sleep(500 * time.Millisecond)
		}
		fetching.Wait()
		if took, least := time.Since(started), (jobs-1)*pause; took < least || took > least*5/4 {
			t.Errorf("%d jobs took %v, want %v or little more", jobs, took, least)
		}
	})
}

// TestSnooze_counts_jobs_before_their_request lets as many jobs run as there are slots, although
// none has sent its request.
func TestSnooze_counts_jobs_before_their_request(t *testing.T) {
	h := newHostLimiter(2, time.Nanosecond)
	running := 0
	for range 40 {
		if h.snoozeTime("a", true) == 0 {
			running++
		}
	}
	if running != 2 {
		t.Errorf("%d jobs run at a host with 2 slots", running)
	}
	g := h.joinHost("a")
	if h.snoozeTime("a", true) == 0 {
		t.Error("a third job runs while one waits and one is expected")
	}
	h.leaveHost(g)
	if h.snoozeTime("a", true) != 0 {
		t.Error("no job runs after a request ended")
	}
}
