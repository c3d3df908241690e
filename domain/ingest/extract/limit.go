package extract

import (
	"runtime"
	"time"
)

// taskLimits limit a task in a child process.
type taskLimits struct {
	Memory uint64        // bytes of data beyond those before the task
	CPU    time.Duration // processor time, in whole seconds
	Wall   time.Duration // time from the start to the output
}

// standardLimits leave a wide margin: PDFs of 2,000 pages take about ten seconds and 300 MB.
var standardLimits = taskLimits{Memory: raceMemory << 30, CPU: raceFactor * 30 * time.Second,
	Wall: raceFactor * 2 * time.Minute}

const (
	// maxChildCPU is the processor time after which a child process ends with its task.
	maxChildCPU = 10 * time.Minute
	// killCPU is the processor time after which the kernel kills a child process.
	killCPU = maxChildCPU + 2*time.Minute
)

// leastMemory is the memory of a child process in a full container. The kernel ends the process if
// even that is not there.
const leastMemory = 64 << 20

// childMemory returns the memory that a child process may take: the limit, or less if the container
// has less left for all that may run at the same time, one for each processor.
func childMemory(limit uint64) uint64 {
	left, limited := containerMemory("/")
	if !limited {
		return limit
	}
	return min(limit, max(left/uint64(runtime.GOMAXPROCS(0)), leastMemory))
}
