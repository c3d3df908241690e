package webhook

import (
	"context"
	"sync"
	"time"
)

const (
	// maxActive limits the requests that a process has begun and that receivers may still answer at
	// once. More would need more connections, each with a handshake, and not be faster.
	maxActive = 64
	// slowAfter is when a request is no longer counted, so that slow receivers do not delay others.
	slowAfter = 50 * time.Millisecond
)

// activeSends limits the requests that begin at the same time. It has one element per counted
// request.
type activeSends chan struct{}

// enter waits until a request may begin; leave ends it. It returns the context's error if ctx ends
// first.
func (a activeSends) enter(ctx context.Context) (leave func(), err error) {
	select {
	case a <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	uncount := sync.OnceFunc(func() { <-a })
	timer := time.AfterFunc(slowAfter, uncount)
	return func() { timer.Stop(); uncount() }, nil
}
