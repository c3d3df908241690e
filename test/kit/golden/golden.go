// Package golden compares a test's output with a checked-in file.
package golden

import (
	"bytes"
	"flag"
	"os"
	"testing"
)

var update = flag.Bool("update", false, "rewrite goldens, and fail")

// Updating reports whether the run rewrites goldens.
func Updating() bool { return *update }

// Check compares got with the file. With -update it rewrites the file and fails, so that the change
// is read first.
func Check(t testing.TB, file string, got []byte) {
	t.Helper()
	want, err := os.ReadFile(file)
	if err != nil && !(*update && os.IsNotExist(err)) {
		t.Fatal(err)
	}
	if bytes.Equal(got, want) {
		return
	}
	if !*update {
		t.Fatalf("%s differs (-update rewrites it); got:\n%s", file, got)
	}
	if err := os.WriteFile(file, got, 0o644); err != nil {
		t.Fatal(err)
	}
	t.Errorf("%s was rewritten; read the change and run again without -update", file)
}
