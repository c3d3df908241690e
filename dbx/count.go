package dbx

import (
	"context"
	"sync/atomic"

	"github.com/uptrace/bun"
)

type counterKey struct{}

// WithCounter returns a context and the number of statements that are sent with it.
func WithCounter(ctx context.Context) (context.Context, *atomic.Int64) {
	n := new(atomic.Int64)
	return context.WithValue(ctx, counterKey{}, n), n
}

type countHook struct{}

func (countHook) BeforeQuery(ctx context.Context, _ *bun.QueryEvent) context.Context { return ctx }

func (countHook) AfterQuery(ctx context.Context, event *bun.QueryEvent) {
	countStatement(ctx)
	observeStatement(event.Operation(), event.StartTime)
}

func countStatement(ctx context.Context) {
	if n, ok := ctx.Value(counterKey{}).(*atomic.Int64); ok {
		n.Add(1)
	}
}
