package extract

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"time"
)

// toolCommand is the argument that makes the program a restricted process that becomes another
// program: extract-tool, bytes of memory, path, arguments.
const toolCommand = "extract-tool"

// exitNoTool is the exit code if the other program could not be started.
const exitNoTool = 127

// serveTool becomes the program that the arguments name, and returns an exit code if it cannot.
func serveTool(arguments []string) int {
	memory, err := strconv.ParseUint(arguments[0], 10, 64)
	if err == nil {
		err = becomeTool(memory, arguments[1], arguments[2:])
	}
	fmt.Fprintln(os.Stderr, "extract:", err)
	return exitNoTool
}

// runTool runs a program of the operator on hostile bytes: with the memory, a clean environment, no
// files but its standard ones, no network and no further processes. It returns what the program
// writes, and a limitFailure if the kernel ended it.
func runTool(ctx context.Context, memory uint64, input io.Reader, path string, arguments ...string) ([]byte, error) {
	if childPath != "" {
		arguments = append([]string{toolCommand, strconv.FormatUint(memory, 10), path}, arguments...)
		path = childPath
	}
	command := exec.CommandContext(ctx, path, arguments...)
	command.WaitDelay = time.Second
	var output, complaint bytes.Buffer
	command.Stdin, command.Stdout, command.Stderr = input, &output, &complaint
	command.Env = append(folderVariables("PATH", "TESSDATA_PREFIX"), "OMP_THREAD_LIMIT=1", "LANG=C.UTF-8")
	isolateChild(command)
	err := command.Run()
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil && outOfResources(command.ProcessState):
		return nil, limitFailure("memory", err)
	case err != nil:
		return nil, fmt.Errorf("%w: %s", err, truncateText(oneLine(complaint.String()), 300))
	}
	return output.Bytes(), nil
}

// outOfResources reports whether the kernel ended a process, as it does without memory, or the
// process itself when it got none.
func outOfResources(state *os.ProcessState) bool {
	if state == nil {
		return false
	}
	status, ok := state.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && (status.Signal() == syscall.SIGKILL || status.Signal() == syscall.SIGABRT ||
		status.Signal() == sigCPU)
}

// isLimit reports whether an error is a limitFailure.
func isLimit(err error) bool {
	_, ok := errors.AsType[*Failure](err)
	return ok
}
