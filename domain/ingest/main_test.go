package ingest_test

import (
	"os"
	"testing"

	"rostrum/domain/ingest/extract"
)

// TestMain lets the test's binary be the child processes that read files, as the program is.
func TestMain(m *testing.M) {
	extract.ServeIfChild()
	os.Exit(m.Run())
}
