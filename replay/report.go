package replay

import "context"

// Report is what a door learns of the operation that it ran, to set [ReplayedHeader].
type Report struct{ Replayed bool }

type reportKey struct{}

// WithReport gives the operations under the context a report to fill.
func WithReport(ctx context.Context) (context.Context, *Report) {
	r := &Report{}
	return context.WithValue(ctx, reportKey{}, r), r
}

// Tell notes in the context's report, if it has one, that the answer is a repeated one.
func Tell(ctx context.Context) {
	if r, ok := ctx.Value(reportKey{}).(*Report); ok {
		r.Replayed = true
	}
}
