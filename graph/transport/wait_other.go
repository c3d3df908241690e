//go:build !unix

package transport

import "net"

// awaitReadable returns at once: reading blocks.
func awaitReadable(net.Conn) {}
