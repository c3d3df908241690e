package slot

import (
	"context"
	"sync"
)

// hold is the slots of the work of a context, which are free while it waits for another program.
type hold struct {
	slots  *Slots
	weight int

	mu      sync.Mutex
	outside int    // goroutines that wait for another program
	release func() // nil without slots
	ended   bool
}

type holdKey struct{}

// Hold is AcquireWeight for work that may wait for another program: during that time [Leave] frees
// the slots that the context holds. release frees them for good; it may be called more than once.
func (s *Slots) Hold(ctx context.Context, weight int) (held context.Context, release func(), err error) {
	free, err := s.AcquireWeight(ctx, weight)
	if err != nil {
		return nil, nil, err
	}
	h := &hold{slots: s, weight: weight, release: free}
	return context.WithValue(ctx, holdKey{}, h), h.end, nil
}

// Leave frees the context's slots until enter is called, so that other work of the workspace runs
// while the caller waits for another program. enter waits for slots again, unless the context ends
// first.
func Leave(ctx context.Context) (enter func()) {
	h, ok := ctx.Value(holdKey{}).(*hold)
	if !ok {
		return func() {}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.outside++
	h.free()
	return func() { h.enter(ctx) }
}

// enter takes slots again once no goroutine of the work waits outside.
func (h *hold) enter(ctx context.Context) {
	h.mu.Lock()
	h.outside--
	needed := h.needsSlots()
	h.mu.Unlock()
	if !needed {
		return
	}
	free, err := h.slots.AcquireWeight(ctx, h.weight)
	if err != nil {
		return // the work notices that its context has ended
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.needsSlots() {
		free()
		return
	}
	h.release = free
}

func (h *hold) needsSlots() bool { return h.outside == 0 && !h.ended && h.release == nil }

func (h *hold) end() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ended = true
	h.free()
}

func (h *hold) free() {
	if h.release != nil {
		h.release()
		h.release = nil
	}
}
