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

// keepFiles keeps the files that this process was started with from its child processes. Files that
// it opens itself are never passed on.
func keepFiles() { _ = unix.CloseRange(3, math.MaxInt32, unix.CLOSE_RANGE_CLOEXEC) } // since Linux 5.11

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

// sigCPU is the signal of a process whose processor time is used up.
const sigCPU = syscall.SIGXCPU

// The files of a container's memory: of cgroup v2, else of v1.
var memoryFiles = []struct{ limit, used, stat, cache string }{
	{"sys/fs/cgroup/memory.max", "sys/fs/cgroup/memory.current", "sys/fs/cgroup/memory.stat", "inactive_file "},
	{"sys/fs/cgroup/memory/memory.limit_in_bytes", "sys/fs/cgroup/memory/memory.usage_in_bytes",
		"sys/fs/cgroup/memory/memory.stat", "total_inactive_file "},
}

// containerMemory returns how many bytes the container below root has left, counting the file cache
// that the kernel can drop. limited is false without a limit.
func containerMemory(root string) (left uint64, limited bool) {
	for _, files := range memoryFiles {
		limit, ok := readNumber(root + files.limit)
		used, known := readNumber(root + files.used)
		if !ok || !known || limit > math.MaxInt64/2 {
			continue
		}
		stat, _ := os.ReadFile(root + files.stat)
		for line := range bytes.Lines(stat) {
			if rest, found := bytes.CutPrefix(line, []byte(files.cache)); found {
				cache, _ := strconv.ParseUint(string(bytes.TrimSpace(rest)), 10, 64)
				used -= min(used, cache)
			}
		}
		return limit - min(limit, used), true
	}
	return 0, false
}

func readNumber(path string) (n uint64, ok bool) {
	text, err := os.ReadFile(path)
	if err == nil {
		n, err = strconv.ParseUint(string(bytes.TrimSpace(text)), 10, 64)
	}
	return n, err == nil
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
