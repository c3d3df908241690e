//go:build !linux || (!amd64 && !arm64)

package extract

import (
	"os"
	"os/exec"
)

// Beyond Linux on these processors a child process has its own environment and files only.

func sandbox(bool) error { return nil }

// becomeTool runs the program and exits with its result.
func becomeTool(_ uint64, path string, arguments []string) error {
	command := exec.Command(path, arguments...)
	command.Stdin, command.Stdout, command.Stderr = os.Stdin, os.Stdout, os.Stderr
	err := command.Run()
	if command.ProcessState != nil {
		os.Exit(command.ProcessState.ExitCode())
	}
	return err
}
