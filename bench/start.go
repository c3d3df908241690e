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

// What is asked of the program's start on an empty SQLite, and of what it holds when nobody asks it anything.
const (
	startClaim = 1500 * time.Millisecond
	idleClaim  = 120 << 20
	idleTime   = 3 * time.Second
)

// started is what a start of the built program took.
type started struct {
	took time.Duration // to its first answer
	idle int64         // bytes of memory some seconds later; 0 where the system does not tell
}

// start builds the program, starts it without the demo in a folder of its own and ends it again.
func start(ctx context.Context) (s *started, err error) {
	folder, err := os.MkdirTemp("", "rostrum-start-")
	if err != nil {
		return nil, fmt.Errorf("make a data folder: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	binary := filepath.Join(folder, "rostrum")
	if text, err := exec.CommandContext(ctx, "go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("build the program, which is done from the repository's root: %w\n%s", err, text)
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("find a free port: %w", err)
	}
	address := listener.Addr().String()
	listener.Close()
	program := exec.CommandContext(ctx, binary)
	program.Dir = folder
	program.Env = []string{"ROSTRUM_ADDR=" + address, "ROSTRUM_DATA_DIR=" + folder, "ROSTRUM_DEMO=false", "PATH=" + os.Getenv("PATH")}
	s = &started{}
	begun := time.Now()
	if err := program.Start(); err != nil {
		return nil, fmt.Errorf("start the program: %w", err)
	}
	defer func() { _ = errors.Join(program.Process.Kill(), program.Wait()) }()
	for !answers(ctx, "http://"+address+"/readyz") {
		if time.Since(begun) > time.Minute {
			return nil, errors.New("the program did not answer within a minute")
		}
		time.Sleep(5 * time.Millisecond)
	}
	s.took = time.Since(begun)
	time.Sleep(idleTime)
	s.idle = memory(program.Process.Pid)
	return s, nil
}

func answers(ctx context.Context, url string) bool {
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

// memory is what a process holds of the machine's memory.
func memory(pid int) int64 {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid)) //nolint:errcheck // other systems have no such file
	for line := range strings.Lines(string(text)) {
		var kilobytes int64
		if _, err := fmt.Sscanf(line, "VmRSS: %d kB", &kilobytes); err == nil {
			return kilobytes << 10
		}
	}
	return 0
}

func (s *started) text() string {
	return fmt.Sprintf("Cold start on an empty SQLite to the first answer: %s ms, asked under %d ms: %s; memory %s later: %d MB, asked under %d MB: %s\n",
		milliseconds(s.took), startClaim.Milliseconds(), verdict(s.took < startClaim), idleTime, s.idle>>20, idleClaim>>20, verdict(s.idle < idleClaim))
}
