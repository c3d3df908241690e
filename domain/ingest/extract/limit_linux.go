package extract

import (
	"bytes"
	"errors"
	"math"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// selfPath returns the running program, also after its file was replaced.
func selfPath() string { return "/proc/self/exe" }

// isolateChild keeps the signals of the terminal from a child process, as the parent decides when
// it ends.
func isolateChild(command *exec.Cmd) { command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// dataSize returns the bytes of the process's data, which RLIMIT_DATA limits: writable private
// memory, used or not.
func dataSize() uint64 {
	text, err := os.ReadFile("/proc/self/statm")
	if fields := bytes.Fields(text); err == nil && len(fields) > 5 {
		pages, _ := strconv.ParseUint(string(fields[5]), 10, 64)
		return pages * uint64(os.Getpagesize()) // not negative
	}
	return 0
}

// usedCPU returns the processor time of the process.
func usedCPU() time.Duration {
	var use syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &use) != nil {
		return 0
	}
	return time.Duration(use.Utime.Nano() + use.Stime.Nano())
}

// applyLimits sets the limits of the next task. Beyond its memory the Go runtime ends the process;
// beyond its time the kernel sends SIGXCPU, and later kills a process that does not react.
func applyLimits(limits taskLimits) error {
	seconds := uint64((usedCPU()+limits.CPU)/time.Second) + 1 // not negative
	return errors.Join(setLimit(syscall.RLIMIT_DATA, dataSize()+limits.Memory, math.MaxUint64),
		setLimit(syscall.RLIMIT_CPU, seconds, uint64(killCPU/time.Second)))
}

// setLimit sets a limit of the process. Its final limit is only lowered, as a process may not raise
// it.
func setLimit(resource int, limit, final uint64) error {
	var now syscall.Rlimit
	if err := syscall.Getrlimit(resource, &now); err != nil {
		return err
	}
	now.Max = min(now.Max, final)
	now.Cur = min(limit, now.Max)
	return syscall.Setrlimit(resource, &now)
}

// limitProcess limits the data of another process. It does nothing if the process has ended.
func limitProcess(pid int, memory uint64) error {
	err := unix.Prlimit(pid, unix.RLIMIT_DATA, &unix.Rlimit{Cur: memory, Max: memory}, nil)
	if errors.Is(err, unix.ESRCH) {
		return nil
	}
	return err
}

// exitOnCPULimit ends the process when its processor time is used up.
func exitOnCPULimit() {
	exceeded := make(chan os.Signal, 1)
	signal.Notify(exceeded, syscall.SIGXCPU)
	go func() {
		<-exceeded
		os.Exit(exitCPU)
	}()
}
