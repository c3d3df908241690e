package main

import (
	"slices"
	"testing"
)

// TestCoverage checks the documented figures on the pairs that no rule was made for.
func TestCoverage(t *testing.T) {
	all, err := set()
	if err != nil {
		t.Fatal(err)
	}
	for split, least := range map[string]struct {
		pairs     int
		agreement float64
	}{"tune": {50, 0.7}, "hold": {50, 0.7}, "fresh": {60, 0.8}} {
		pairs := slices.DeleteFunc(slices.Clone(all), func(p pair) bool { return p.split != split })
		s := measure(pairs)
		if len(pairs) < least.pairs || share(s.agree, s.pairs) < least.agreement {
			t.Errorf("%s: agreement on %d pairs is %.2f", split, len(pairs), share(s.agree, s.pairs))
		}
		if s.denied != s.trueDenial {
			t.Errorf("%s: %d of %d contradictions are right", split, s.trueDenial, s.denied)
		}
		if share(s.right, s.spoken) < 0.95 {
			t.Errorf("%s: %d of %d verdicts are right", split, s.right, s.spoken)
		}
	}
}
