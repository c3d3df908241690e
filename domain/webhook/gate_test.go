package webhook

import (
	"context"
	"testing"
	"time"
)

// TestGate fills a webhook's slots with deliveries that do not end: the rest is turned away soon, and another webhook is not.
func TestGate(t *testing.T) {
	t.Parallel()
	g := &gates{all: map[string]*gate{}}
	var leaves []func()
	for len(leaves) < atOnce {
		leave, ok := g.enter(t.Context(), "stuck")
		if ok {
			leaves = append(leaves, leave)
		} else {
			g.room("stuck") // the look that lets one more run
			time.Sleep(hurry)
		}
	}
	began := time.Now()
	for range 100 {
		if _, ok := g.enter(t.Context(), "stuck"); ok {
			t.Fatal("a slot came from nowhere")
		}
	}
	if took := time.Since(began); took > 2*patience {
		t.Errorf("a hundred were turned away in %s", took)
	}
	if n := g.room("stuck"); n != 0 {
		t.Errorf("there is room for %d", n)
	}
	if leave, ok := g.enter(t.Context(), "other"); ok {
		leave()
	} else {
		t.Error("another webhook is turned away")
	}
	leaves[0]()
	if n := g.room("stuck"); n != 2 { // the free slot, and the one that has ended
		t.Errorf("then there is room for %d", n)
	}
	for _, leave := range leaves[1:] {
		leave()
	}
	if len(g.all) != 0 {
		t.Error("an idle gate is kept")
	}
}

// TestGate_lets_waiters_in gives each of a webhook's share a turn, although the last wait for longer than a delivery beyond it would.
func TestGate_lets_waiters_in(t *testing.T) {
	t.Parallel()
	g := &gates{all: map[string]*gate{}}
	done := make(chan bool)
	for range share {
		go func() {
			leave, ok := g.enter(context.Background(), "quick")
			if ok {
				time.Sleep(30 * time.Millisecond)
				leave()
			}
			done <- ok
		}()
	}
	for range share {
		if !<-done {
			t.Error("one was turned away")
		}
	}
}
