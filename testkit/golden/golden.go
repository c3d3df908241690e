// Package golden compares what a test made with a checked-in file.
package golden

import (
	"bytes"
	"flag"
	"os"
	"testing"
)

var update = flag.Bool("update", false, "rewrite goldens, and fail")

// Updating reports whether goldens are to be rewritten in this run.
func Updating() bool { return *update }

// Check compares got with the file. With -update it rewrites the file and fails, so that nobody updates by accident.
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
		t.Fatalf("%s is not what was made (-update rewrites it); made:\n%s", file, got)
	}
	if err := os.WriteFile(file, got, 0o644); err != nil {
		t.Fatal(err)
	}
	t.Errorf("%s was rewritten; read the change and run again without -update", file)
}
