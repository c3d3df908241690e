package extract

import "time"

// taskLimits limit a task in a child process.
type taskLimits struct {
	Memory uint64        // bytes of data beyond those before the task
	CPU    time.Duration // processor time, in whole seconds
	Wall   time.Duration // time from the start to the output
}

// standardLimits leave a wide margin: PDFs of 2,000 pages take about ten seconds and 300 MB.
var standardLimits = taskLimits{Memory: 1 << 30, CPU: 30 * time.Second, Wall: 2 * time.Minute}

// maxChildCPU is the processor time after which a child process ends, and from which it has time for one more task before the kernel kills it.
const maxChildCPU = 10 * time.Minute
