package dbx

import (
	"context"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/uptrace/bun"
)

// batch collects the statements that the functions of Together wait for.
type batch struct {
	mu      sync.Mutex
	running int // functions that have not ended, and may still wait for a statement
	waiting []*statement
}

// batchKey is the context key of the batch.
type batchKey struct{}

// Together calls run for 0 to n-1 at the same time, for example for the batch resolvers of a level,
// and returns when all have returned. n must be at least 1. On a server it saves round trips: as
// soon as every call waits in ReadTogether or has returned, the waiting statements are sent as one
// batch. Calls inside a call join the same batch. A call must not panic. It must not hold a lock
// that another call needs while it waits.
func Together(ctx context.Context, n int, run func(ctx context.Context, i int)) {
	b, _ := ctx.Value(batchKey{}).(*batch)
	if b == nil {
		b = &batch{running: 1}
		ctx = context.WithValue(ctx, batchKey{}, b)
	}
	b.start(n - 1)
	var others sync.WaitGroup
	for i := range n - 1 {
		others.Go(func() {
			defer b.end(ctx)
			run(ctx, i)
		})
	}
	run(ctx, n-1)
	b.end(ctx) // while it waits for the others
	others.Wait()
	b.start(1)
}

// ReadTogether runs a query like Read, in one round trip with the other calls of Together.
func ReadTogether[T any](ctx context.Context, db *DB, q *bun.SelectQuery) ([]*T, error) {
	b, _ := ctx.Value(batchKey{}).(*batch)
	if b == nil || db.InProcess() {
		return Read[T](ctx, db, q)
	}
	rows := []*T{}
	s, err := newStatement(db, q, &rows, nil)
	if err != nil {
		return nil, err
	}
	if b.wait(ctx, s); !s.isRead {
		err = s.run(ctx)
	}
	if err != nil {
		return rows, Err(err)
	}
	return rows, callHooks(ctx, rows)
}

func (b *batch) start(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.running += n
}

func (b *batch) end(ctx context.Context) {
	b.mu.Lock()
	b.running--
	ready := b.takeReady()
	b.mu.Unlock()
	sendTogether(ctx, ready)
}

// wait blocks until the statement was sent in a batch or has to be sent alone, because it has no
// company or the batch failed.
func (b *batch) wait(ctx context.Context, s *statement) {
	s.sent = make(chan struct{})
	b.mu.Lock()
	b.waiting = append(b.waiting, s)
	ready := b.takeReady()
	b.mu.Unlock()
	sendTogether(ctx, ready)
	<-s.sent
}

// takeReady returns the statements that wait, and removes them, if nothing else can join them.
func (b *batch) takeReady() []*statement {
	if len(b.waiting) < b.running {
		return nil
	}
	ready := b.waiting
	b.waiting = nil
	return ready
}

// sendTogether runs several statements in one round trip and marks the ones that were read
// completely. A failure ends the batch: its caller runs each unread statement again alone.
func sendTogether(ctx context.Context, statements []*statement) {
	defer func() {
		_ = recover() // of a decoder; it happens again where the statement is sent alone
		for _, s := range statements {
			close(s.sent)
		}
	}()
	if len(statements) < 2 {
		return
	}
	defer observeStatement("batch", time.Now())
	queued := &pgx.Batch{}
	for _, s := range statements {
		queued.Queue(s.text, s.values...)
	}
	results := statements[0].db.pool.SendBatch(ctx, queued)
	defer func() { _ = results.Close() }() // a failure was found by Query
	for _, s := range statements {
		found, err := results.Query()
		if err == nil {
			err = s.decode(found)
		}
		if err != nil {
			return
		}
		countStatement(ctx)
		s.isRead = true
	}
}
