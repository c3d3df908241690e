package webhook

import (
	"context"
	"sync"

	"rostrum/errs"
)

// batcher processes the items of concurrent callers in batches. Items that arrive while maxWorkers
// batches run wait for the next one.
type batcher[In, Out any] struct {
	process    func(ctx context.Context, all []In) ([]Out, error) // returns one result per item
	maxSize    int                                                // items in a batch
	maxWorkers int                                                // batches that run at the same time

	mu            sync.Mutex
	pending       []*batchItem[In, Out]
	activeWorkers int // running batches
}

// batchItem is the item of one caller.
type batchItem[In, Out any] struct {
	in   In
	out  Out
	err  error
	done chan struct{}
}

// processItem adds an item to a batch and blocks until the batch is processed. It returns the
// item's result, or the error of the whole batch. Canceling ctx does not interrupt the batch.
func (b *batcher[In, Out]) processItem(ctx context.Context, in In) (Out, error) {
	p := &batchItem[In, Out]{in: in, done: make(chan struct{})}
	b.mu.Lock()
	b.pending = append(b.pending, p)
	if b.activeWorkers < b.maxWorkers {
		b.activeWorkers++
		go b.runWorker(context.WithoutCancel(ctx))
	}
	b.mu.Unlock()
	<-p.done
	return p.out, p.err
}

func (b *batcher[In, Out]) runWorker(ctx context.Context) {
	for taken := b.nextBatch(); taken != nil; taken = b.nextBatch() {
		all := make([]In, len(taken))
		for i, p := range taken {
			all[i] = p.in
		}
		var out []Out
		err := errs.CatchPanic(func() (err error) { out, err = b.process(ctx, all); return err })()
		for i, p := range taken {
			if p.err = err; err == nil {
				p.out = out[i]
			}
			close(p.done)
		}
	}
}

func (b *batcher[In, Out]) nextBatch() []*batchItem[In, Out] {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := min(len(b.pending), b.maxSize)
	if n == 0 {
		b.activeWorkers--
		return nil
	}
	taken := b.pending[:n:n]
	b.pending = b.pending[n:]
	return taken
}
