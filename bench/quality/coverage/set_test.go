package main

import "testing"

// TestCoverage checks the built-in check's documented agreement, on the pairs that were not used to develop it.
func TestCoverage(t *testing.T) {
	all, err := set()
	if err != nil {
		t.Fatal(err)
	}
	var hold []pair
	for _, p := range all {
		if p.hold {
			hold = append(hold, p)
		}
	}
	if len(all) < 60 || len(hold) < len(all)/3 {
		t.Fatalf("%d pairs, %d held back", len(all), len(hold))
	}
	if got := agreement(hold, builtin); got < 0.8 {
		t.Errorf("agreement on the pairs is %.2f", got)
	}
}
