package dbx

import (
	"context"
	"sync/atomic"

	"github.com/uptrace/bun"
)

type counterKey struct{}

// WithCounter counts the statements that are sent under the context.
func WithCounter(ctx context.Context) (context.Context, *atomic.Int64) {
	n := new(atomic.Int64)
	return context.WithValue(ctx, counterKey{}, n), n
}

type countHook struct{}

func (countHook) BeforeQuery(ctx context.Context, _ *bun.QueryEvent) context.Context { return ctx }

func (countHook) AfterQuery(ctx context.Context, _ *bun.QueryEvent) { counted(ctx) }

func counted(ctx context.Context) {
	if n, ok := ctx.Value(counterKey{}).(*atomic.Int64); ok {
		n.Add(1)
	}
}
