package extract

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
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

// TestTesseract_is_limited runs a program in place of tesseract that waits for its limit and prints
// it.
func TestTesseract_is_limited(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "program")
	const script = "#!/bin/sh\nwhile [ \"$(ulimit -d)\" = unlimited ]; do sleep 0.01; done\nulimit -d\n"
	// no other process starts while the file is open for writing, as it could not be run
	syscall.ForkLock.RLock()
	err := os.WriteFile(path, []byte(script), 0o700)
	syscall.ForkLock.RUnlock()
	if err != nil {
		t.Fatal(err)
	}
	text, err := newTesseract(path, []string{"eng"}).Recognize(t.Context(), nil, "")
	if want := fmt.Sprintln(tesseractMemory >> 10); err != nil || text != want {
		t.Errorf("got %q and %v, want %q", text, err, want)
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
