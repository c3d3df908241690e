package main

import (
	"slices"
	"testing"
)

// TestPolar checks the built-in reactions' documented scores on each split.
func TestPolar(t *testing.T) {
	all, err := set()
	if err != nil {
		t.Fatal(err)
	}
	for split, least := range map[string]struct {
		readings, percent int
		apart             float64
	}{
		"tune":  {93, 95, 1.8},
		"spent": {27, 95, 1.5},
		"hold":  {23, 65, 0.8},
	} {
		t.Run(split, func(t *testing.T) {
			readings := slices.DeleteFunc(slices.Clone(all), func(r reading) bool { return r.split != split })
			if len(readings) < least.readings {
				t.Fatalf("%d readings", len(readings))
			}
			if s := measure(readings, builtin); 100*s.right < least.percent*s.of || s.apart < least.apart || s.points < 5 {
				t.Errorf("%d of %d signs are right, the ratings are %.2f apart and use %d points", s.right, s.of, s.apart, s.points)
			}
		})
	}
}
