package slot

import (
	"context"
	"runtime"
)

// longText is the length of a text, in bytes, from which its analysis takes a processor for longer than the scheduler lets others wait.
const longText = 20_000

// processors are the slots of work that only computes: one workspace takes at most half of the processors.
var processors = New(runtime.GOMAXPROCS(0), runtime.GOMAXPROCS(0)/2)

// Compute calls work, which computes with a text of that many bytes. If the text is long, it waits for a processor of the context's workspace
// and returns the context's error if it ends first. work must not call Compute.
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
