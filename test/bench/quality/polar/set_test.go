package main

import (
	"io"
	"slices"
	"testing"
)

// TestPolar checks that ratings which words decide are on the right side, and that some are
// decided.
func TestPolar(t *testing.T) {
	all, err := set()
	if err != nil {
		t.Fatal(err)
	}
	for split, least := range map[string]struct{ readings, spoken int }{"tune": {93, 8}, "spent": {27, 0},
		"hold": {23, 0}} {
		readings := slices.DeleteFunc(slices.Clone(all), func(r reading) bool { return r.split != split })
		if s := measure(readings, io.Discard); len(readings) < least.readings || s.spoken < least.spoken ||
			100*s.right < 95*s.spoken {
			t.Errorf("%s: %+v of %d readings", split, s, len(readings))
		}
	}
}
