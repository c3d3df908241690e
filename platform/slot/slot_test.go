package slot_test

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"rostrum/platform/principal"
	"rostrum/platform/slot"
	"rostrum/test/kit/poll"
)

// TestSlots_limit_each_workspace fills a workspace's slots. Another workspace, and work without
// one, go on.
func TestSlots_limit_each_workspace(t *testing.T) {
	t.Parallel()
	slots, release := slot.New(3, 2), make(chan struct{})
	busy := principal.With(t.Context(), principal.Principal{WorkspaceID: "a"})
	var running, most atomic.Int64
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			leave, err := slots.Acquire(busy)
			if err != nil {
				t.Error(err)
				return
			}
			most.Store(max(most.Load(), running.Add(1)))
			<-release
			running.Add(-1)
			leave()
		})
	}
	poll.Until(t, func() bool { return slots.Users("a") == 20 && running.Load() == 2 }, "the work does not wait")
	for _, ctx := range []context.Context{slot.WithTenant(busy, "b"), t.Context()} {
		leave, err := slots.Acquire(ctx)
		if err != nil {
			t.Fatal(err)
		}
		leave()
	}
	ended, cancel := context.WithCancel(busy)
	cancel()
	if _, err := slots.Acquire(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("work whose context ended has a slot: %v", err)
	}
	close(release)
	all.Wait()
	if most.Load() != 2 || slots.Users("a") != 0 {
		t.Errorf("%d at the same time, %d left", most.Load(), slots.Users("a"))
	}
}

// TestCompute_leaves_processors_to_others blocks a workspace's processors with long texts. A short
// text, and another workspace's long one, are computed.
func TestCompute_leaves_processors_to_others(t *testing.T) {
	busy, release, started := slot.WithTenant(t.Context(), "a"), make(chan struct{}), make(chan struct{}, 100)
	var all sync.WaitGroup
	compute := func(ctx context.Context, size int, work func()) {
		if err := slot.Compute(ctx, size, work); err != nil {
			t.Error(err)
		}
	}
	for range 2 * runtime.GOMAXPROCS(0) {
		all.Go(func() { compute(busy, 1<<20, func() { started <- struct{}{}; <-release }) })
	}
	<-started
	done := 0
	compute(busy, 100, func() { done++ })
	if runtime.GOMAXPROCS(0) > 1 {
		compute(slot.WithTenant(t.Context(), "b"), 1<<20, func() { done++ })
	}
	close(release)
	all.Wait()
	if done != min(runtime.GOMAXPROCS(0), 2) {
		t.Errorf("%d computations ended", done)
	}
}

// TestHold_leaves_slots_to_others frees the slots of work while two of its goroutines wait for
// another program. Other work of the workspace runs until the last of them goes on, and the slots
// are free after the end.
func TestHold_leaves_slots_to_others(t *testing.T) {
	t.Parallel()
	slots, ctx := slot.New(10, 1), slot.WithTenant(t.Context(), "a")
	held, release, err := slots.Hold(ctx, 1)
	if err != nil {
		t.Fatal(err)
	}
	first, second := slot.Leave(held), slot.Leave(held)
	other, err := slots.Acquire(ctx)
	if err != nil {
		t.Fatal(err)
	}
	second() // the first one is still outside
	entered := make(chan struct{})
	go func() { first(); close(entered) }()
	poll.Until(t, func() bool { return slots.Users("a") == 2 }, "the work does not wait for its slot")
	select {
	case <-entered:
		t.Error("the work goes on without a slot")
	default:
	}
	other()
	<-entered
	if slots.Users("a") != 1 {
		t.Errorf("%d users, want the one that goes on", slots.Users("a"))
	}
	late := slot.Leave(held)
	release()
	late()
	release()
	slot.Leave(ctx)()
	if slots.Users("a") != 0 {
		t.Errorf("%d users after the end", slots.Users("a"))
	}
}
