//go:build !linux

package web

import "net"

// queuedBytes returns 0: the length of the send queue is known on Linux only.
func queuedBytes(net.Conn) int { return 0 }

// unreadBytes returns 0: the length of the receive queue is known on Linux only.
func unreadBytes(net.Conn) int { return 0 }
