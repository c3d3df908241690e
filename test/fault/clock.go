package main

import (
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// clock moves the clock of Postgres by libfaketime, which reads the difference from a file; nil
// where it is not installed.
type clock struct{ library, file string }

// newClock returns a clock that runs right, or nil without libfaketime (the Debian package
// faketime).
func newClock(folder string) (*clock, error) {
	found, err := filepath.Glob("/usr/lib/*/faketime/libfaketimeMT.so.1")
	if err != nil || len(found) == 0 {
		return nil, err
	}
	c := &clock{library: found[0], file: filepath.Join(folder, "clock")}
	return c, c.move(0)
}

// environment returns the settings of a process whose clock is moved.
func (c *clock) environment() []string {
	if c == nil {
		return nil
	}
	return []string{"LD_PRELOAD=" + c.library, "FAKETIME_TIMESTAMP_FILE=" + c.file, "FAKETIME_CACHE_DURATION=1",
		"FAKETIME_DONT_FAKE_MONOTONIC=1"}
}

// move makes the clock differ from the real time.
func (c *clock) move(by time.Duration) error {
	return os.WriteFile(c.file, fmt.Appendf(nil, "%+d", int(by.Seconds())), 0o644)
}
