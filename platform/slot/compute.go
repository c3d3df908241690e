package slot

import (
	"context"
	"runtime"
)

// longText is the length in bytes from which analyses of texts keep others waiting for a processor.
const longText = 4_000

// processors are the slots of work that computes. One workspace takes at most half of the
// processors. There are more slots than processors, because some of the work waits for the
// database.
var processors = New(2*runtime.GOMAXPROCS(0), runtime.GOMAXPROCS(0)/2)

// Compute calls work, which computes with a text of size bytes. If the text is long, it waits for a
// processor of the context's workspace, or returns the context's error. work must not call Compute.
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
