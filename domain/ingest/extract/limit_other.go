//go:build !linux

package extract

import (
	"os"
	"os/exec"
	"syscall"
	"time"
)

// selfPath returns the running program, and "" if it is unknown.
func selfPath() string {
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	return path
}

func isolateChild(*exec.Cmd) {}

func keepFiles() {}

// Beyond Linux only the time limit and the limit of the garbage collector apply.

func dataSize() uint64                      { return 0 }
func usedCPU() time.Duration                { return 0 }
func applyLimits(taskLimits) error          { return nil }
func containerMemory(string) (uint64, bool) { return 0, false }
func exitOnCPULimit()                       {}

// sigCPU is no signal.
const sigCPU = syscall.Signal(-1)
