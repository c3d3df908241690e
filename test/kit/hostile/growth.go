package hostile

import (
	"runtime"
	"testing"
	"time"
)

// GrowthFactor is the size of the larger file that Growth compares.
const GrowthFactor = 4

// maxGrowth is how many times longer the larger file may take. Linear work takes about 4 times as
// long and quadratic work 16 times.
const maxGrowth = 9

// CheckGrowth fails the test if the processor time of the work grows faster than the size: it
// compares a size and GrowthFactor times the size in one run. The best of several ratios counts,
// since a busy machine distorts some.
func CheckGrowth(t *testing.T, size int, prepare func(size int) (work func())) {
	t.Helper()
	small, large := prepare(size), prepare(size*GrowthFactor)
	var ratio float64
	for range 4 {
		short, long := measureTime(small), measureTime(large)
		ratio = float64(long) / float64(max(short, time.Millisecond))
		t.Logf("sizes %d and %d: %v and %v", size, size*GrowthFactor, short, long)
		if ratio <= maxGrowth {
			return
		}
	}
	t.Errorf("%d times the size takes %.0f times as long, want at most %d", GrowthFactor, ratio, maxGrowth)
}

// measureTime returns the processor time of the work on its thread.
func measureTime(work func()) time.Duration {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	start := threadTime()
	work()
	return threadTime() - start
}
