package extract

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
)

// childCommand is the argument that makes the program a child process.
const childCommand = "extract"

// childPath is the path of this program if it can be a child process, and "" otherwise.
var childPath string

// ServeIfChild makes the program a child process if its only argument is "extract": it performs
// tasks from standard input until its end and exits. With "extract-tool" it becomes a restricted
// program of the operator. In other processes it returns, and their
// extractors start such children. A program calls it first in main.
func ServeIfChild() {
	if len(os.Args) == 2 && os.Args[1] == childCommand {
		os.Exit(serveTasks(os.Stdin, os.Stdout))
	}
	if len(os.Args) > 3 && os.Args[1] == toolCommand {
		os.Exit(serveTool(os.Args[2:]))
	}
	keepFiles()
	childPath = selfPath()
}

// Exit codes of a child process.
const (
	exitDone     = 0
	exitProtocol = 3
	exitCPU      = 4
)

// taskServer performs tasks in a child process.
type taskServer struct {
	base   uint64 // bytes of data before the first task
	engine bool   // whether the PDF engine was started
	failed bool   // whether it did not start
}

// serveTasks performs tasks until the end of the input and returns the exit code. The parent
// decides when the process ends, so signals to a whole group of processes are ignored.
func serveTasks(in io.Reader, out io.Writer) int {
	signal.Ignore(os.Interrupt, syscall.SIGTERM)
	exitOnCPULimit()
	if err := sandbox(false); err != nil {
		fmt.Fprintln(os.Stderr, "extract: the process runs with fewer restrictions:", err)
	}
	s := &taskServer{base: dataSize()}
	tasks, outputs := bufio.NewReaderSize(in, 64<<10), bufio.NewWriterSize(out, 64<<10)
	for {
		task, limits, err := readTask(tasks)
		if errors.Is(err, io.EOF) {
			return exitDone
		}
		if err == nil {
			err = s.prepareTask(task, limits)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "extract:", err)
			return exitProtocol
		}
		output := performTask(context.Background(), task)
		last := s.failed || dataSize() > s.base+limits.Memory/2 || usedCPU() > maxChildCPU
		if err := errors.Join(writeOutput(outputs, output, last), outputs.Flush()); err != nil {
			return exitProtocol
		}
		if last {
			return exitDone
		}
	}
}

// prepareTask sets the task's limits. Before that it starts the engine that the task needs, which
// compiles for seconds if it is not cached.
func (s *taskServer) prepareTask(task fileTask, limits taskLimits) error {
	if !s.engine && (task.Draw > 0 || detectFormat(task.Source).kind == "pdf") {
		_, err := pdfEngine() // the task reports its error, and another process may have the memory to start it
		s.engine, s.failed, s.base = true, err != nil, dataSize()
	}
	debug.SetMemoryLimit(int64(dataSize() + limits.Memory*3/4)) // far below the maximum
	return applyLimits(limits)
}
