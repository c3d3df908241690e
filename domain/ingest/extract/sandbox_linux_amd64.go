package extract

import "golang.org/x/sys/unix"

const auditArch = unix.AUDIT_ARCH_X86_64

// forkCalls start a process; this system has more than clone.
var forkCalls = []uint32{unix.SYS_FORK, unix.SYS_VFORK}
