package main

import "testing"

// TestCoverage holds the built-in check to what it is said to reach, on the pairs that it was not made with.
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
		t.Errorf("it agrees on %.2f of the pairs", got)
	}
}
