package compile

import (
	"context"
	"testing"
)

func TestNextEvent(t *testing.T) {
	t.Parallel()
	events := make(chan int, 2)
	n := &nextEvent[int]{events: events}
	take := func(ctx context.Context, want int, wantOK bool) {
		t.Helper()
		if event, ok := n.take(ctx); event != want || ok != wantOK {
			t.Errorf("took %d, %t, want %d, %t", event, ok, want, wantOK)
		}
	}
	events <- 1
	events <- 2
	n.receive(t.Context())
	n.receive(t.Context()) // keeps the first
	take(t.Context(), 1, true)
	take(t.Context(), 2, true)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	n.receive(ended)
	take(ended, 0, false)
	events <- 3
	take(t.Context(), 3, true)
	close(events)
	for range 2 {
		n.receive(t.Context())
		take(t.Context(), 0, false)
	}
}
