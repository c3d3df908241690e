package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
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
func measureStart(ctx context.Context) (s *startResult, err error) {
	folder, err := os.MkdirTemp("", "rostrum-start-")
	if err != nil {
		return nil, fmt.Errorf("create a data folder: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	binary := filepath.Join(folder, "rostrum")
	if text, err := exec.CommandContext(ctx, "go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("build the program (run from the repository's root): %w\n%s", err, text)
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("find a free port: %w", err)
	}
	address := listener.Addr().String()
	listener.Close()
	program := exec.CommandContext(ctx, binary)
	program.Dir = folder
	program.Env = []string{"ROSTRUM_ADDR=" + address, "ROSTRUM_DATA_DIR=" + folder, "ROSTRUM_DEMO=false",
		"ROSTRUM_SHUTDOWN_DELAY=0s", "PATH=" + os.Getenv("PATH")}
	s = &startResult{}
	begun := time.Now()
	if err := program.Start(); err != nil {
		return nil, fmt.Errorf("start the program: %w", err)
	}
	defer func() { _ = errors.Join(program.Process.Kill(), program.Wait()) }()
	for !awaitAnswer(ctx, "http://"+address+"/readyz") {
		if time.Since(begun) > time.Minute {
			return nil, errors.New("the program did not answer within a minute")
		}
		time.Sleep(5 * time.Millisecond)
	}
	s.took = time.Since(begun)
	time.Sleep(idleTime)
	s.idle = processMemory(program.Process.Pid)
	return s, nil
}

func awaitAnswer(ctx context.Context, url string) bool {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return false
	}
	answer, err := http.DefaultClient.Do(req)
	if err != nil {
		return false
	}
	answer.Body.Close()
	return answer.StatusCode == http.StatusOK
}

// processMemory returns the resident memory of a process in bytes.
func processMemory(pid int) int64 {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid)) //nolint:errcheck // other systems have no such file
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
