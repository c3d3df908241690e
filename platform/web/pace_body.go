package web

import (
	"time"
)

// A client must send a body, and read a response, at minBytes per window or faster, which is about
// 1 KB per second. Transfers on slow lines pass; a client that stops is disconnected after at most
// two windows.
const (
	minBytes = 10 << 10
	window   = 10 * time.Second
)
