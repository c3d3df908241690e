package main

import (
	"testing"

	"rostrum/test/bench/quality"
)

// TestTags checks the documented figures of each split: of dev and hold nearly every applied value
// is right, and traps are mostly left or doubtful.
func TestTags(t *testing.T) {
	for name, least := range map[string]struct {
		set               string
		pairs, none       int
		precision, recall float64
		abstained         float64
	}{
		"dev":   {devSet, 80, 30, 0.95, 0.75, 0.95},
		"hold":  {holdSet, 80, 30, 0.9, 0.7, 0.95},
		"trap":  {trapSet, 35, 15, 0.7, 0.1, 0.9},
		"fresh": {freshSet, 40, 14, 0.9, 0.6, 0.95},
	} {
		pairs, err := parseSet(least.set)
		if err != nil {
			t.Fatal(err)
		}
		var precision, recall, abstained quality.Share
		for _, r := range scorePairs(pairs) {
			applied := r.got.Value != "" && r.got.Confidence >= threshold
			if applied {
				add(&precision, r.right())
			}
			if r.want == "" {
				add(&abstained, !applied)
			} else {
				add(&recall, applied && r.right())
			}
		}
		if len(pairs) < least.pairs || abstained.Total < least.none {
			t.Errorf("%s has %d pairs, %d of them without a value", name, len(pairs), abstained.Total)
		}
		if precision.Ratio() < least.precision || recall.Ratio() < least.recall || abstained.Ratio() < least.abstained {
			t.Errorf("%s: precision %+v, recall %+v, abstained %+v", name, precision, recall, abstained)
		}
	}
}
