package extract

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
)

// restrictedCommand makes the test's binary a child process that tries what it may not do.
const restrictedCommand = "try-restrictions"

// TestMain lets the test's binary be the child processes, as the program is.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == restrictedCommand {
		tryRestrictions()
		return
	}
	ServeIfChild()
	os.Exit(m.Run())
}

func tryRestrictions() {
	if err := sandbox(false); err != nil {
		fmt.Println(err)
	}
	verdict := func(err error) string {
		if errors.Is(err, syscall.EPERM) {
			return "EPERM"
		}
		return fmt.Sprint(err)
	}
	_, socket := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
	_, fork := os.StartProcess("/bin/true", []string{"true"}, &os.ProcAttr{})
	exec := syscall.Exec("/bin/true", []string{"true"}, nil)
	signal := syscall.Kill(os.Getppid(), 0)
	thread := make(chan string)
	for range 50 { // more than idle threads
		go func() {
			_, _ = os.ReadFile("/proc/self/status")
			thread <- "ok"
		}()
	}
	state := ""
	for range 50 {
		state = <-thread
	}
	score, _ := os.ReadFile("/proc/self/oom_score_adj")
	fmt.Printf("socket %s, fork %s, exec %s, signal %s, thread %s, score %s\n", verdict(socket), verdict(fork), verdict(exec),
		verdict(signal), state, strings.TrimSpace(string(score)))
}
