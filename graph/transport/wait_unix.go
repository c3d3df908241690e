//go:build unix

package transport

import (
	"net"
	"syscall"

	"golang.org/x/sys/unix"
)

// awaitReadable blocks until a TCP connection has bytes to read, has ended or has failed. It
// returns at once for other connections. Waiting here needs a smaller stack than the nested calls
// that read a frame.
func awaitReadable(conn net.Conn) {
	socket, ok := conn.(syscall.Conn)
	if !ok {
		return
	}
	if raw, err := socket.SyscallConn(); err == nil {
		_ = raw.Read(isReadable) // reading reports the error
	}
}

// isReadable reports whether reading the file would not block.
func isReadable(fd uintptr) bool {
	files := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}} // a file has a small number
	n, err := unix.Poll(files, 0)
	return n > 0 || err != nil
}
