package deploy_test

import (
	"os"
	"os/exec"
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

// need skips the test where a program is not installed.
func need(t *testing.T, program, debianPackage string) {
	t.Helper()
	if _, err := exec.LookPath(program); err != nil {
		t.Skipf("needs %s (the Debian package %s)", program, debianPackage)
	}
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
