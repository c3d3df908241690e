package main

import (
	"testing"

	"rostrum/testkit"
)

// TestScenarios runs the promises of testdata on every database with its Redis.
func TestScenarios(t *testing.T) { testkit.Scenarios(t, "testdata") }
