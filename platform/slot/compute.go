package slot

import (
	"context"
	"runtime"
)

// longText is the length of a text, in bytes, from which the analyses of several texts together
// keep others waiting for a processor.
const longText = 4_000

// processors are the slots of work that computes: one workspace takes at most half of the
// processors. There are more slots than processors, as some of the work waits for the database.
var processors = New(2*runtime.GOMAXPROCS(0), runtime.GOMAXPROCS(0)/2)

// Compute calls work, which computes with a text of that many bytes. If the text is long, it waits
// for a processor of the context's workspace and returns the context's error if it ends first. work
// must not call Compute.
func Compute(ctx context.Context, size int, work func()) error {
	if size < longText {
		work()
		return nil
	}
	release, err := processors.Acquire(ctx)
	if err != nil {
		return context.Cause(ctx)
	}
	defer release()
	work()
	return nil
}
