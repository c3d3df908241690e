package idempotency

import "context"

// Outcome tells the transport whether the response is a stored one, so that it sets
// [ReplayedHeader].
type Outcome struct{ Replayed bool }

type reportKey struct{}

// WithOutcome returns a context with an Outcome that the operations under it fill.
func WithOutcome(ctx context.Context) (context.Context, *Outcome) {
	r := &Outcome{}
	return context.WithValue(ctx, reportKey{}, r), r
}

// MarkReplayed records in the context's Outcome, if it has one, that the response is a stored one.
func MarkReplayed(ctx context.Context) {
	if r, ok := ctx.Value(reportKey{}).(*Outcome); ok {
		r.Replayed = true
	}
}
