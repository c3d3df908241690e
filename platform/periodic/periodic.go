// Package periodic runs work in the background every so often.
package periodic

import (
	"context"
	"log/slog"
	"time"

	"rostrum/errs"
)

// Now runs work at once, and then as Every does.
func Now(ctx context.Context, interval time.Duration, action string, work func(context.Context) error) {
	run(ctx, action, work)
	Every(ctx, interval, action, work)
}

// Every runs work after each interval until the context ends. An error and a panic are logged as a
// failure of the action, such as "delete old events"; the next run tries again.
func Every(ctx context.Context, interval time.Duration, action string, work func(context.Context) error) {
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			run(ctx, action, work)
		}
	}
}

func run(ctx context.Context, action string, work func(context.Context) error) {
	if err := errs.CatchPanic(func() error { return work(ctx) })(); err != nil && ctx.Err() == nil {
		slog.WarnContext(ctx, "failed to "+action, "error", err)
	}
}
