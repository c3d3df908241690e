package source_test

import (
	"os"
	"testing"

	"rostrum/test/kit/repo"
)

// TestMain runs the tests in the root of the source tree, which they read.
func TestMain(m *testing.M) {
	if err := os.Chdir(repo.Path()); err != nil {
		panic(err)
	}
	m.Run()
}
