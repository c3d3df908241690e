package main

import (
	"slices"
	"testing"
)

// TestCoverage checks the documented figures. The pairs of press and brief are mostly free
// rewordings, of which the check finds few.
func TestCoverage(t *testing.T) {
	all, err := set()
	if err != nil {
		t.Fatal(err)
	}
	for split, least := range map[string]struct {
		pairs     int
		agreement float64
		wrong     int
	}{"tune": {50, 0.66, 0}, "hold": {50, 0.64, 0}, "fresh": {60, 0.82, 0}, "dev": {40, 0.8, 0}, "dev2": {150, 0.52, 1},
		"press": {150, 0.58, 0}, "brief": {150, 0.52, 0}} {
		pairs := slices.DeleteFunc(slices.Clone(all), func(p pair) bool { return p.split != split })
		s := measure(pairs)
		if len(pairs) < least.pairs || share(s.agree, s.pairs) < least.agreement {
			t.Errorf("%s: agreement on %d pairs is %.2f", split, len(pairs), share(s.agree, s.pairs))
		}
		if s.denied != s.trueDenial {
			t.Errorf("%s: %d of %d contradictions are right", split, s.trueDenial, s.denied)
		}
		if wrong := s.spoken - s.right; wrong > least.wrong {
			t.Errorf("%s: %d of %d verdicts are wrong", split, wrong, s.spoken)
		}
	}
}
