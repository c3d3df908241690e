package extract

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"time"

	"rostrum/model"
)

// childProcess is a process that performs one task at a time.
type childProcess struct {
	command *exec.Cmd
	input   *os.File
	output  *os.File
	outputs *bufio.Reader
	log     *logTail
	ended   chan struct{} // closed after the process has ended
	expiry  *time.Timer   // ends the process while it is idle
}

// startChild starts a process with the arguments. It passes on only the variables that name
// folders, because the files that it reads may be hostile.
func startChild(path string, arguments ...string) (*childProcess, error) {
	taskOut, input, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer taskOut.Close()
	output, outputIn, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, input.Close())
	}
	defer outputIn.Close()
	c := &childProcess{
		command: exec.Command(path, arguments...), input: input, output: output,
		outputs: bufio.NewReaderSize(output, 64<<10),
		log:     &logTail{}, ended: make(chan struct{}),
	}
	c.command.Stdin, c.command.Stdout, c.command.Stderr = taskOut, outputIn, c.log
	c.command.Env = append(folderVariables(), "GOTRACEBACK=none", "GOMAXPROCS=2")
	isolateChild(c.command)
	if err := c.command.Start(); err != nil {
		return nil, errors.Join(err, input.Close(), output.Close())
	}
	go func() {
		_ = c.command.Wait() // ProcessState has the outcome
		close(c.ended)
	}()
	return c, nil
}

// folderVariables returns the variables that name the folders of caches and temporary files, and
// those of further names.
func folderVariables(further ...string) []string {
	var list []string
	for _, name := range append(further, "HOME", "XDG_CACHE_HOME", "TMPDIR", "LOCALAPPDATA", "SystemRoot") {
		if value, set := os.LookupEnv(name); set {
			list = append(list, name+"="+value)
		}
	}
	return list
}

// exchange passes a task to the process and returns its output, and whether the process ends after
// it. The end of the context kills the process.
func (c *childProcess) exchange(ctx context.Context, task fileTask, limits taskLimits) (output *taskOutput, last bool,
	err error) {
	stop := context.AfterFunc(ctx, c.kill)
	defer stop()
	if err = writeTask(c.input, task, limits); err != nil {
		return nil, true, err
	}
	return readOutput(c.outputs)
}

func (c *childProcess) kill() { _ = c.command.Process.Kill() } // fails only after its end

// close ends an idle process: it exits at the end of its input.
func (c *childProcess) close() {
	_ = c.input.Close()
	go func() {
		<-c.ended
		_ = c.output.Close()
	}()
}

// endTime is how long a process that broke off may take to end.
const endTime = time.Second

// destroy kills the process, waits for its end and returns the reason for it.
func (c *childProcess) destroy(cause error) *Failure {
	byItself := false
	select {
	case <-c.ended:
		byItself = true // or by the kernel
	case <-time.After(endTime):
	}
	c.kill()
	<-c.ended
	_ = errors.Join(c.input.Close(), c.output.Close())
	log := c.log.String()
	cause = fmt.Errorf("%w: %s: %s", cause, c.command.ProcessState, truncateText(oneLine(log), 500))
	switch {
	case c.command.ProcessState.ExitCode() == exitCPU:
		return limitFailure("time", cause)
	case outOfMemory.MatchString(log), byItself && outOfResources(c.command.ProcessState):
		return limitFailure("memory", cause)
	case strings.Contains(log, "fatal error: "), strings.Contains(log, "panic: "):
		return unsupportedContent("the source could not be read", cause)
	}
	return retryableFailure("the process that read the source ended; try again", cause)
}

// outOfMemory matches the reasons with which the Go runtime and the race detector end without
// memory; a thread also needs some. The garbage collector uses the memory of a queue without a
// check, and accesses address 0 on goroutine 0 if there is none (newSpanSPMC).
var outOfMemory = regexp.MustCompile(`out of memory|cannot allocate memory|pthread_create failed|failed to create new OS thread|failed to allocate|` +
	`SIGSEGV: segmentation violation\s+PC=\S+ m=\d+ sigcode=\d+ addr=0x0\s+goroutine 0 `)

func limitFailure(resource string, cause error) *Failure {
	message := "the source takes more " + resource + " to read than a file may; supply its text to go on"
	return &Failure{Code: model.ProcessingErrorCodeTooLarge, Message: message, Cause: cause}
}

// isEnded reports whether the process has ended.
func (c *childProcess) isEnded() bool {
	select {
	case <-c.ended:
		return true
	default:
		return false
	}
}

// logTail keeps the first part of a process's error output, where the Go runtime writes the reason
// of a crash.
type logTail struct {
	mu   sync.Mutex
	text strings.Builder
}

const maxLog = 8 << 10

func (l *logTail) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text.Write(p[:min(len(p), maxLog-l.text.Len())])
	return len(p), nil
}

func (l *logTail) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

var _ io.Writer = (*logTail)(nil)
