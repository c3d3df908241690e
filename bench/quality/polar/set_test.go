package main

import (
	"slices"
	"testing"
)

// TestPolar holds the built-in reactions to what they are said to reach, on the texts that they were not made with.
func TestPolar(t *testing.T) {
	all, err := set()
	if err != nil {
		t.Fatal(err)
	}
	hold := slices.DeleteFunc(slices.Clone(all), func(r reading) bool { return !r.hold })
	if tune := len(all) - len(hold); tune < 21 || len(hold) < 21 {
		t.Fatalf("%d readings to tune with, %d held back", tune, len(hold))
	}
	if s := measure(hold, builtin); 100*s.right < 80*s.of || s.apart < 1 || s.points < 5 {
		t.Errorf("%d of %d signs are right, the ratings are %.2f apart and use %d points", s.right, s.of, s.apart, s.points)
	}
}
