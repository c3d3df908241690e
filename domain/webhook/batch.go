package webhook

import (
	"context"
	"sync"
)

// batch lets callers who come at the same time share one piece of work: while some are done, the next gathers.
type batch[In, Out any] struct {
	do    func(ctx context.Context, all []In) ([]Out, error) // gives as many as it takes
	most  int                                                // of one piece
	lanes int                                                // pieces that are done at once

	mu      sync.Mutex
	waiting []*part[In, Out]
	busy    int // lanes
}

// part is one caller's share.
type part[In, Out any] struct {
	in   In
	out  Out
	err  error
	done chan struct{}
}

// run waits until the caller's share is done. Its context's end does not stop the others' work.
func (b *batch[In, Out]) run(ctx context.Context, in In) (Out, error) {
	p := &part[In, Out]{in: in, done: make(chan struct{})}
	b.mu.Lock()
	b.waiting = append(b.waiting, p)
	if b.busy < b.lanes {
		b.busy++
		go b.work(context.WithoutCancel(ctx))
	}
	b.mu.Unlock()
	<-p.done
	return p.out, p.err
}

func (b *batch[In, Out]) work(ctx context.Context) {
	for taken := b.take(); taken != nil; taken = b.take() {
		all := make([]In, len(taken))
		for i, p := range taken {
			all[i] = p.in
		}
		out, err := b.do(ctx, all)
		for i, p := range taken {
			if p.err = err; err == nil {
				p.out = out[i]
			}
			close(p.done)
		}
	}
}

func (b *batch[In, Out]) take() []*part[In, Out] {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := min(len(b.waiting), b.most)
	if n == 0 {
		b.busy--
		return nil
	}
	taken := b.waiting[:n:n]
	b.waiting = b.waiting[n:]
	return taken
}
