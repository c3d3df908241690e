package app

import (
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"testing"
)

// probedFolder is the setting with the folder that the child process of TestCheckWritable checks.
const probedFolder = "ROSTRUM_TEST_PROBED_FOLDER"

// TestCheckWritable checks a folder in a child process that may write 4 KB per file. As on a full
// disk, a file is created but a write fails.
func TestCheckWritable(t *testing.T) {
	if folder := os.Getenv(probedFolder); folder != "" {
		signal.Ignore(syscall.SIGXFSZ)
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 4 << 10, Max: 4 << 10}); err != nil {
			t.Fatal(err)
		}
		if checkWritable(folder) == nil {
			t.Error("a disk without space is reported as writable")
		}
		return
	}
	t.Parallel()
	folder := t.TempDir()
	if err := checkWritable(folder); err != nil {
		t.Error(err)
	}
	child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestCheckWritable$")
	child.Env = append(os.Environ(), probedFolder+"="+folder)
	if out, err := child.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	left, err := os.ReadDir(folder)
	if err != nil || len(left) > 0 {
		t.Errorf("files are left: %v, %v", left, err)
	}
}
