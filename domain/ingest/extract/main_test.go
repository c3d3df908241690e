package extract

import (
	"os"
	"testing"
)

// TestMain lets the test's binary be the child processes, as the program is.
func TestMain(m *testing.M) {
	ServeIfChild()
	os.Exit(m.Run())
}
