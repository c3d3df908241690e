package hostile

import (
	"runtime"
	"testing"
	"time"
)

// GrowthFactor is the size of the larger file that Growth compares.
const GrowthFactor = 8

// maxGrowth is how many times longer the larger file may take. Linear work takes about 8 times as long and quadratic work 64 times.
const maxGrowth = 28

// CheckGrowth fails the test if the processor time of the work grows faster than the size: it compares a size and eight times the size in
// one run. The shortest of several times counts, since others contain pauses of a busy machine.
func CheckGrowth(t *testing.T, size int, prepare func(size int) (work func())) {
	t.Helper()
	small, large := prepare(size), prepare(size*GrowthFactor)
	ratio := 0.0
	for range 3 {
		long, short := shortestTime(large, 1), shortestTime(small, 3)
		ratio = float64(long) / float64(max(short, time.Microsecond))
		t.Logf("sizes %d and %d: %v and %v, %.1f times", size, size*GrowthFactor, short, long, ratio)
		if ratio <= maxGrowth {
			return
		}
	}
	t.Errorf("%d times the size takes %.0f times as long, want at most %d", GrowthFactor, ratio, maxGrowth)
}

// shortestTime returns the shortest processor time of several runs on one thread.
func shortestTime(work func(), runs int) time.Duration {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	shortest := time.Duration(1<<63 - 1)
	for range runs {
		start := threadTime()
		work()
		shortest = min(shortest, threadTime()-start)
	}
	return shortest
}
