package integration

import (
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"rostrum/test/kit"
	"rostrum/test/kit/poll"
)

// TestClose starts and closes apps in a separate process, where no other test has goroutines, and
// compares the goroutines.
func TestClose(t *testing.T) {
	if os.Getenv("ROSTRUM_TEST_CLOSE") == "" {
		t.Parallel()
		command := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestClose$", "-test.count=1")
		command.Env = append(os.Environ(), "ROSTRUM_TEST_CLOSE=1")
		if output, err := command.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, output)
		}
		return
	}
	for _, stack := range kit.Stacks(t) {
		startAndClose(t, stack) // the first app starts the goroutines that libraries have once in a process
		before := goroutinesByOrigin()
		startAndClose(t, stack)
		var left []string
		ended := poll.Holds(func() bool {
			left = newGoroutines(before, goroutinesByOrigin())
			return len(left) == 0
		})
		if !ended {
			t.Errorf("%s: goroutines are left after Close:\n%s", stack.Name, strings.Join(left, "\n\n"))
		}
	}
}

// startAndClose uses an app until the end of a subtest, so that it has goroutines of requests, jobs
// and subscriptions.
func startAndClose(t *testing.T, stack kit.Stack) {
	t.Helper()
	t.Run(stack.Name, func(t *testing.T) {
		a := stack.Start(t)
		a.Do(t, "POST", "/api/v1/documents", nil, `{"title": "T", "content": "Some words."}`).Want(t, 200)
		a.Do(t, "POST", "/api/v1/documents/ingest", nil, `{"source_url": "http://127.0.0.1:1/x"}`).Want(t, 200)
		a.Do(t, "GET", "/api/v1/events", nil, "").Want(t, 200)
	})
}

// heldOrigin starts a goroutine for a connection whose server is slow, until the connection ends.
// The test's own connection, which reserves its database, stays open.
const heldOrigin = "github.com/jackc/pgx/v5/pgconn/internal/bgreader.(*BGReader).Start"

var originPattern = regexp.MustCompile(`(?m)^created by (\S+)`)

// goroutinesByOrigin returns the stacks of all goroutines by the function that started them.
func goroutinesByOrigin() map[string][]string {
	text := make([]byte, 8<<20)
	text = text[:runtime.Stack(text, true)]
	stacks := map[string][]string{}
	for stack := range strings.SplitSeq(string(text), "\n\n") {
		origin := ""
		if found := originPattern.FindStringSubmatch(stack); found != nil {
			origin = found[1]
		}
		if origin == heldOrigin {
			continue
		}
		stacks[origin] = append(stacks[origin], stack)
	}
	return stacks
}

// newGoroutines returns the stacks of the functions that have more goroutines than before.
func newGoroutines(before, now map[string][]string) []string {
	var left []string
	for origin, stacks := range now {
		if len(stacks) > len(before[origin]) {
			left = append(left, stacks...)
		}
	}
	return left
}
