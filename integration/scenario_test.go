package integration

import (
	"testing"

	"rostrum/testkit"
)

// TestScenarios runs the scenarios of testdata on every database with its Redis.
func TestScenarios(t *testing.T) { testkit.Scenarios(t, "testdata") }
