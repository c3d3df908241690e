package extract

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"rostrum/model"
	"rostrum/test/kit/hostile"
	"rostrum/test/kit/poll"
)

// testPool returns a pool of its own, whose limits a test may change, and an extractor that uses
// it.
func testPool(t *testing.T) (*childPool, *Extractor) {
	t.Helper()
	p := newChildPool(childPath, standardLimits)
	t.Cleanup(func() {
		for len(p.idle) > 0 {
			p.expireChild(p.idle[0])
		}
	})
	return p, &Extractor{tasks: p}
}

// idleChild returns the only process of a pool that is idle.
func idleChild(t *testing.T, p *childPool) *childProcess {
	t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.idle) != 1 {
		t.Fatalf("%d processes are idle, want 1", len(p.idle))
	}
	return p.idle[0]
}

var plainSource = Source{Body: []byte("Just a line of text."), MediaType: "text/plain"}

// greedySource is a PDF of 2 KB that takes more memory than a machine has.
var greedySource = Source{Body: hostile.NestedForms(12, 10)}

// longSource is a page that takes seconds.
func longSource() Source { return Source{Body: hostile.LongPage(200_000), MediaType: "text/html"} }

func TestPool_reuses_a_process(t *testing.T) {
	t.Parallel()
	p, x := testPool(t)
	extractText(t, x, plainSource)
	first := idleChild(t, p)
	for range 20 {
		extractText(t, x, plainSource)
	}
	if child := idleChild(t, p); child != first {
		t.Error("a second process was started")
	}
}

func TestPool_has_a_process_for_each_processor(t *testing.T) {
	t.Parallel()
	p, x := testPool(t)
	var files sync.WaitGroup
	for range 8 * runtime.NumCPU() {
		files.Go(func() {
			if _, err := x.Text(t.Context(), plainSource); err != nil {
				t.Error(err)
			}
		})
	}
	files.Wait()
	if len(p.idle) > runtime.NumCPU() {
		t.Errorf("%d processes were started on %d processors", len(p.idle), runtime.NumCPU())
	}
}

func TestPool_replaces_a_process_that_ended(t *testing.T) {
	t.Parallel()
	p, x := testPool(t)
	extractText(t, x, plainSource)
	child := idleChild(t, p)
	child.kill()
	<-child.ended
	extractText(t, x, plainSource)
}

func TestPool_passes_no_settings(t *testing.T) {
	t.Setenv("LLM_API_KEY", "secret-of-the-parent")
	p, x := testPool(t)
	extractText(t, x, plainSource)
	environment, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", idleChild(t, p).command.Process.Pid))
	if err != nil {
		t.Skip("needs /proc")
	}
	if strings.Contains(string(environment), "secret-of-the-parent") {
		t.Error("the process has the parent's variables")
	}
}

// TestPool_limits reads files that need far more memory or time than a file may have.
func TestPool_limits(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		limits taskLimits
		source Source
		want   string
	}{
		"memory": {taskLimits{Memory: 256 << 20, CPU: time.Minute, Wall: time.Minute}, greedySource, "memory"},
		"time":   {taskLimits{Memory: 8 << 30, CPU: time.Second, Wall: time.Minute}, longSource(), "time"},
		"clock":  {taskLimits{Memory: 8 << 30, CPU: time.Minute, Wall: time.Second}, longSource(), "time"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, x := testPool(t)
			extractText(t, x, plainSource)
			p.limits = c.limits
			_, err := x.Text(t.Context(), c.source)
			failure := (*Failure)(nil)
			if !errors.As(err, &failure) || failure.Code != model.ProcessingErrorCodeTooLarge || failure.Retryable ||
				!strings.Contains(failure.Message, c.want) {
				t.Fatalf("got %v", err)
			}
			p.limits = standardLimits
			extractText(t, x, plainSource)
		})
	}
}

// TestOutOfMemory checks the outputs of processes that ended, of which the first were seen under a
// limit of 512 MB (make abuse).
func TestOutOfMemory(t *testing.T) {
	t.Parallel()
	for log, want := range map[string]bool{
		"SIGSEGV: segmentation violation\nPC=0x439fdd m=4 sigcode=1 addr=0x0\n\ngoroutine 0 gp=0x3":                        true,
		"fatal error: out of memory allocating heap arena metadata\n\nruntime stack:\n":                                    true,
		"fatal error: runtime: out of memory\n":                                                                            true,
		"SIGSEGV: segmentation violation\nPC=0x439fdd m=4 sigcode=1 addr=0x10\n\ngoroutine 0 gp=0x3":                       false,
		"panic: runtime error: invalid memory address or nil pointer dereference\n[signal SIGSEGV: segmentation violation": false,
	} {
		if got := outOfMemory.MatchString(log); got != want {
			t.Errorf("%q: %v", log, got)
		}
	}
}

func TestPool_cancellation_kills_the_process(t *testing.T) {
	t.Parallel()
	p, x := testPool(t)
	extractText(t, x, plainSource)
	child := idleChild(t, p)
	canceled := errors.New("canceled by a user")
	ctx, cancel := context.WithCancelCause(t.Context())
	before := childTime(child)
	go func() {
		poll.Holds(func() bool { return childTime(child) > before+100*time.Millisecond })
		cancel(canceled)
	}()
	if _, err := x.Text(ctx, longSource()); !errors.Is(err, canceled) {
		t.Errorf("got %v", err)
	}
	if !child.isEnded() {
		t.Error("the process is still running")
	}
}

// childTime returns the processor time of a running process, in ticks of 10 ms.
func childTime(c *childProcess) time.Duration {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", c.command.Process.Pid))
	fields := strings.Fields(string(text))
	if len(fields) < 15 {
		return 0
	}
	var ticks int
	_, _ = fmt.Sscan(fields[13], &ticks)
	return time.Duration(ticks) * 10 * time.Millisecond
}

func TestPool_waiting_task_ends_with_its_context(t *testing.T) {
	t.Parallel()
	p, x := testPool(t)
	for range cap(p.slots) {
		p.slots <- struct{}{}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := x.Text(ctx, plainSource); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestPool_program_that_cannot_start(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/nonexistent", "/bin/true"} {
		x := &Extractor{tasks: newChildPool(path, standardLimits)}
		failure := (*Failure)(nil)
		if _, err := x.Text(t.Context(), plainSource); !errors.As(err, &failure) ||
			failure.Code != model.ProcessingErrorCodeInternal || !failure.Retryable {
			t.Errorf("%s: got %v", path, err)
		}
	}
}

// runScript runs a shell script as a tool.
func runScript(t *testing.T, script string) (string, error) {
	t.Helper()
	out, err := runTool(t.Context(), 1<<30, strings.NewReader("input"), "/bin/sh", "-c", script)
	return string(out), err
}

// TestTool_is_restricted runs scripts in place of tesseract. Each must show one restriction, and the
// same script without it shows that the script itself works.
func TestTool_is_restricted(t *testing.T) {
	t.Setenv("DATABASE_URL", "postgres://secret-of-the-parent")
	for name, c := range map[string]struct{ script, want string }{
		"reads its input":     {`read line; echo "$line"`, "input\n"},
		"memory":              {`ulimit -d`, "1048576\n"},
		"no core":             {`ulimit -c`, "0\n"},
		"no settings":         {`echo "${DATABASE_URL:-none}"`, "none\n"},
		"no files":            {`for f in 3 4 5 6 7 8 9 250 251 252; do [ -e /proc/self/fd/$f ] && echo $f; done; echo end`, "end\n"},
		"ends before server":  {`read score < /proc/self/oom_score_adj; echo $score`, killedFirst + "\n"},
		"no other process":    {`(sleep 0) 2>/dev/null && echo forked; echo end`, "end\n"},
		"no signal to others": {`kill -0 ` + strconv.Itoa(os.Getpid()) + ` 2>/dev/null && echo sent; echo end`, "end\n"},
	} {
		t.Run(name, func(t *testing.T) {
			out, err := runScript(t, c.script)
			if name == "no other process" && err != nil && out == "" {
				return // this shell ends when it cannot fork
			}
			if err != nil || out != c.want {
				t.Errorf("got %q and %v, want %q", out, err, c.want)
			}
		})
	}
	plain, err := exec.CommandContext(t.Context(), "/bin/sh", "-c", "(sleep 0) && echo forked").Output()
	if err != nil || string(plain) != "forked\n" {
		t.Errorf("without restrictions the script writes %q, %v", plain, err)
	}
}

// TestChild_is_restricted tries in a child process what it may not do.
func TestChild_is_restricted(t *testing.T) {
	t.Parallel()
	command := exec.CommandContext(t.Context(), childPath, restrictedCommand)
	out, err := command.CombinedOutput()
	if err != nil || string(out) != "socket EPERM, fork EPERM, exec EPERM, signal EPERM, thread ok, score "+killedFirst+"\n" {
		t.Errorf("%v: %s", err, out)
	}
}

// TestPool_killed_is_too_large ends the process of a task as the kernel does without memory.
func TestPool_killed_is_too_large(t *testing.T) {
	t.Parallel()
	p, x := testPool(t)
	extractText(t, x, plainSource)
	child := idleChild(t, p)
	before := childTime(child)
	go func() {
		poll.Holds(func() bool { return childTime(child) > before+50*time.Millisecond })
		child.kill()
	}()
	_, err := x.Text(t.Context(), longSource())
	if failure := (*Failure)(nil); !errors.As(err, &failure) || failure.Code != model.ProcessingErrorCodeTooLarge ||
		failure.Retryable {
		t.Errorf("got %v", err)
	}
	if _, err := runScript(t, "kill -KILL $$; ulimit -v 1; exec /bin/sh -c :"); err == nil {
		t.Error("a script that cannot go on succeeds")
	}
}

// TestContainerMemory reads files of both kinds of cgroups.
func TestContainerMemory(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		files   map[string]string
		left    uint64
		limited bool
	}{
		"v2": {map[string]string{"memory.max": "1000\n", "memory.current": "700\n",
			"memory.stat": "anon 400\ninactive_file 200\n"}, 500, true},
		"v2 without a limit": {map[string]string{"memory.max": "max\n", "memory.current": "700\n"}, 0, false},
		"v1": {map[string]string{"memory/memory.limit_in_bytes": "1000\n", "memory/memory.usage_in_bytes": "1100\n"},
			0, true},
		"v1 without a limit": {map[string]string{"memory/memory.limit_in_bytes": "9223372036854771712\n",
			"memory/memory.usage_in_bytes": "1100\n"}, 0, false},
		"none": {nil, 0, false},
	} {
		root := t.TempDir() + "/"
		for file, text := range c.files {
			path := root + "sys/fs/cgroup/" + file
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
				t.Fatal(err)
			}
		}
		if left, limited := containerMemory(root); left != c.left || limited != c.limited {
			t.Errorf("%s: %d, %t", name, left, limited)
		}
	}
}

func TestText_image_sizes(t *testing.T) {
	t.Parallel()
	x := New(Config{Recognizer: fixedRecognizer("what the image says")})
	for _, kind := range hostile.ImageKinds {
		_, err := x.Text(t.Context(), Source{Body: hostile.Image(kind, 15000, 15000)})
		if failure := (*Failure)(nil); !errors.As(err, &failure) || failure.Code != model.ProcessingErrorCodeTooLarge {
			t.Errorf("a large %s: %v", kind, err)
		}
		if got := extractText(t, x, Source{Body: hostile.Image(kind, 150, 150)}); got.Content != "what the image says" {
			t.Errorf("a small %s: %+v", kind, got)
		}
	}
	_, err := x.Text(t.Context(), Source{Body: []byte(
		"\x00\x00\x00\x0cjP  \r\n\x87\n\x00\x00\x00\x14ftypjp2 \x00\x00\x00\x00jp2 ")})
	if failure := (*Failure)(nil); !errors.As(err, &failure) ||
		failure.Code != model.ProcessingErrorCodeUnsupportedContent {
		t.Errorf("an image of unknown size: %v", err)
	}
}
