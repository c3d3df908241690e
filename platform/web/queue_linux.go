package web

import (
	"net"
	"syscall"

	"golang.org/x/sys/unix"
)

// queuedBytes returns the number of bytes in the send queue of a TCP connection that the client has
// not acknowledged. It returns 0 for other connections.
func queuedBytes(conn net.Conn) int { return queueLength(conn, unix.SIOCOUTQ) }

// unreadBytes returns the number of bytes in the receive queue of a TCP connection. It returns 0
// for other connections.
func unreadBytes(conn net.Conn) int { return queueLength(conn, unix.SIOCINQ) }

func queueLength(conn net.Conn, queue uint) (n int) {
	socket, ok := conn.(syscall.Conn)
	if !ok {
		return 0
	}
	raw, err := socket.SyscallConn()
	if err != nil {
		return 0
	}
	err = raw.Control(func(fd uintptr) { n, _ = unix.IoctlGetInt(int(fd), queue) })
	if err != nil {
		return 0
	}
	return n
}
