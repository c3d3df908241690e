package model

import (
	"context"
	"net/http"
	"strconv"
	"sync/atomic"
)

// Aside is what an answer says beside its body. A door that can send headers puts one into the context of an operation; the
// rooms fill it without knowing whether anybody listens.
type Aside struct {
	runsLeft atomic.Int64 // one more than the runs that are left; 0 while nobody has said
}

type asideKey struct{}

// WithAside lets everything done under the context speak beside the answer.
func WithAside(ctx context.Context) (context.Context, *Aside) {
	a := new(Aside)
	return context.WithValue(ctx, asideKey{}, a), a
}

// TellRunsLeft says how many model-backed runs the workspace has left after this operation.
func TellRunsLeft(ctx context.Context, runs int) {
	if a, ok := ctx.Value(asideKey{}).(*Aside); ok {
		a.runsLeft.Store(int64(runs) + 1)
	}
}

// AddTo puts what was said into an answer's headers.
func (a *Aside) AddTo(header http.Header) {
	if n := a.runsLeft.Load(); n > 0 {
		header.Set("X-Run-Budget-Remaining", strconv.FormatInt(n-1, 10))
	}
}
