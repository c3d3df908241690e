//go:build amd64 || arm64

package extract

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// killedFirst is the oom_score_adj of child processes. Without memory the kernel ends them before
// the server.
const killedFirst = "900"

// forbidden are the system calls that a child process may not use: it has no network, starts no
// process, and touches no other one. They fail with EPERM.
var forbidden = append([]uint32{
	unix.SYS_SOCKET, unix.SYS_SOCKETPAIR, unix.SYS_CONNECT, unix.SYS_BIND, unix.SYS_IO_URING_SETUP, unix.SYS_EXECVEAT,
	unix.SYS_KILL, unix.SYS_TKILL, unix.SYS_PIDFD_OPEN, unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV,
	unix.SYS_PROCESS_VM_WRITEV,
}, forkCalls...)

// sandbox restricts this process and everything that it becomes. It needs no rights, and where the
// system does not allow a part of it, the others apply. A process that will become another program
// must be on a locked thread, and keeps execve.
func sandbox(mayExec bool) error {
	score := os.WriteFile("/proc/self/oom_score_adj", []byte(killedFirst), 0o600)
	filter := systemCallFilter(mayExec)
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return errors.Join(score, fmt.Errorf("no_new_privs: %w", err))
	}
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	flags := uintptr(unix.SECCOMP_FILTER_FLAG_TSYNC) // all threads
	_, _, failed := syscall.RawSyscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, flags,
		uintptr(unsafe.Pointer(&program))) //nolint:gosec // the kernel takes an address
	runtime.KeepAlive(filter)
	if failed != 0 {
		return errors.Join(score, fmt.Errorf("seccomp: %w", failed))
	}
	return score
}

// systemCallFilter returns the filter of system calls. A clone is allowed for threads only; clone3,
// whose flags a filter cannot see, is unknown, so that libraries use clone.
func systemCallFilter(mayExec bool) []unix.SockFilter {
	const (
		number, arch, firstArgument = 0, 4, 16 // offsets in struct seccomp_data
		load                        = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS
		equal                       = unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K
		otherABI                    = 0x40000000 // bit of x32's numbers
	)
	result := func(value uint32) unix.SockFilter { return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: value} }
	deny := func(e syscall.Errno) unix.SockFilter { return result(unix.SECCOMP_RET_ERRNO | uint32(e)) }
	filter := []unix.SockFilter{
		{Code: load, K: arch},
		{Code: equal, Jt: 1, K: auditArch},
		deny(unix.EPERM),
		{Code: load, K: number},
		{Code: unix.BPF_JMP | unix.BPF_JGE | unix.BPF_K, Jf: 1, K: otherABI},
		deny(unix.EPERM),
	}
	calls := forbidden
	if !mayExec {
		calls = append([]uint32{unix.SYS_EXECVE}, forbidden...)
	}
	for _, call := range calls {
		filter = append(filter, unix.SockFilter{Code: equal, Jf: 1, K: call}, deny(unix.EPERM))
	}
	return append(filter,
		unix.SockFilter{Code: equal, Jf: 4, K: unix.SYS_PRLIMIT64}, // of this process only
		unix.SockFilter{Code: load, K: firstArgument},
		unix.SockFilter{Code: equal, Jt: 1},
		deny(unix.EPERM),
		result(unix.SECCOMP_RET_ALLOW),
		unix.SockFilter{Code: equal, Jf: 1, K: unix.SYS_CLONE3}, deny(unix.ENOSYS),
		unix.SockFilter{Code: equal, Jf: 3, K: unix.SYS_CLONE},
		unix.SockFilter{Code: load, K: firstArgument},
		unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K, Jt: 1, K: unix.CLONE_THREAD},
		deny(unix.EPERM),
		result(unix.SECCOMP_RET_ALLOW))
}

// becomeTool restricts this process to the memory and becomes the program. It returns if it cannot.
func becomeTool(memory uint64, path string, arguments []string) error {
	runtime.LockOSThread()
	if err := errors.Join(setLimit(syscall.RLIMIT_CORE, 0, 0), setLimit(syscall.RLIMIT_DATA, memory, memory),
		setLimit(syscall.RLIMIT_CPU, uint64(tesseractTime.Seconds()), uint64(tesseractTime.Seconds())),
		sandbox(true)); err != nil {
		fmt.Fprintln(os.Stderr, "extract: the tool runs with fewer restrictions:", err)
	}
	return syscall.Exec(path, append([]string{path}, arguments...), os.Environ()) //nolint:gosec // the operator's program
}
