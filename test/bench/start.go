package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"rostrum/test/kit/process"
)

// The claims for the program's start on an empty SQLite, and for its memory when idle.
const (
	startClaim = 1500 * time.Millisecond
	idleClaim  = 90 << 20
	idleTime   = 3 * time.Second
)

// startResult is the measurement of a start of the built program.
type startResult struct {
	took time.Duration // until its first response
	idle int64         // bytes of memory some seconds later; 0 where the system does not report it
}

// measureStart builds the program, starts it without the demo in an empty folder and stops it
// again.
func measureStart(ctx context.Context, _ settings) (out result, err error) {
	folder, err := os.MkdirTemp("", "rostrum-start-")
	if err != nil {
		return out, fmt.Errorf("create a data folder: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	program, err := process.BuildProgram(ctx, ".", folder)
	if err != nil {
		return out, fmt.Errorf("%w (run from the repository's root)", err)
	}
	address, err := process.FreeAddress()
	if err != nil {
		return out, err
	}
	g := process.NewGateway(address, func() *exec.Cmd {
		return process.ServeCommand(program, folder, address, "ROSTRUM_DATA_DIR="+folder)
	})
	defer g.Stop()
	s, begun := &startResult{}, time.Now()
	if err := g.Start(ctx); err != nil {
		return out, err
	}
	s.took = time.Since(begun)
	time.Sleep(idleTime)
	s.idle = processMemory(g.PID())
	return result{text: s.text()}, nil
}

// processMemory returns the resident memory of a process in bytes.
func processMemory(pid int) int64 {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid)) // other systems have no such file
	for line := range strings.Lines(string(text)) {
		var kilobytes int64
		if _, err := fmt.Sscanf(line, "VmRSS: %d kB", &kilobytes); err == nil {
			return kilobytes << 10
		}
	}
	return 0
}

func (s *startResult) text() string {
	return fmt.Sprintf("Cold start on an empty SQLite to the first answer: %s ms, claim under %d ms: %s; memory %s later: %d MB, claim under %d MB: %s\n",
		formatMilliseconds(s.took), startClaim.Milliseconds(), formatVerdict(s.took < startClaim), idleTime, s.idle>>20,
		idleClaim>>20, formatVerdict(s.idle < idleClaim))
}
