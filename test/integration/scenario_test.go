package integration

import (
	"testing"

	"rostrum/test/kit"
)

// TestScenarios runs the scenarios of testdata on every database with its Redis.
func TestScenarios(t *testing.T) { kit.Scenarios(t, "testdata") }
