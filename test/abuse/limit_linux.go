package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// limitMemory sets the hard limit of the gateway's data, and that of each of its child processes as
// soon as it starts.
func (t *target) limitMemory(ctx context.Context) error {
	pid := t.PID()
	if err := limitData(pid, gatewayMemory); err != nil {
		return fmt.Errorf("limit the gateway's memory: %w", err)
	}
	ctx, t.stopLimits = context.WithCancel(ctx)
	t.limiters.Go(func() {
		limited := map[int]bool{}
		for ctx.Err() == nil {
			for _, child := range childrenOf(pid) {
				if !limited[child] && limitData(child, workerMemory) == nil {
					limited[child] = true
				}
			}
			t.workers.Store(int64(len(limited)))
			time.Sleep(5 * time.Millisecond)
		}
	})
	return nil
}

func limitData(pid int, size uint64) error {
	return unix.Prlimit(pid, unix.RLIMIT_DATA, &unix.Rlimit{Cur: size, Max: size}, nil)
}

// childrenOf returns the ids of the child processes of all threads of a process.
func childrenOf(pid int) []int {
	var children []int
	files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, file := range files {
		text, _ := os.ReadFile(file) // a thread may have ended
		for _, field := range strings.Fields(string(text)) {
			if child, err := strconv.Atoi(field); err == nil {
				children = append(children, child)
			}
		}
	}
	return children
}

// memory returns the bytes of memory that the gateway occupies without pages of files, such as its
// program, and 0 if it has ended.
func (t *target) memory() int { return statusBytes(t.PID(), "RssAnon:") }

// peakMemory returns the most bytes that the gateway has occupied.
func (t *target) peakMemory() int { return statusBytes(t.PID(), "VmHWM:") }

func statusBytes(pid int, name string) int {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	for line := range strings.Lines(string(text)) {
		if fields := strings.Fields(line); len(fields) == 3 && fields[0] == name {
			kilobytes, _ := strconv.Atoi(fields[1])
			return kilobytes << 10
		}
	}
	return 0
}
