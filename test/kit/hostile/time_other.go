//go:build !linux

package hostile

import "time"

var started = time.Now()

// threadTime returns the time since the program's start, in place of the processor time.
func threadTime() time.Duration { return time.Since(started) }
