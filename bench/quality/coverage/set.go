package main

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"rostrum/model"
)

var (
	//go:embed pairs.txt
	oldPairs string
	//go:embed fresh.txt
	freshPairs string
)

// pair is a point and a passage with their label. The kinds of the older sets have no label for contradictions; want is absent for them.
type pair struct {
	kind, claim, passage, split string
	want                        model.CoverageVerdict
}

var splits = []string{"tune", "hold", "fresh"}

// set returns the labeled pairs; every second pair of each kind of the older set is held back.
func set() ([]pair, error) {
	var all []pair
	seen := map[string]int{}
	for _, file := range []string{oldPairs, freshPairs} {
		for n, line := range strings.Split(file, "\n") {
			if line == "" || strings.HasPrefix(line, "#") {
				continue
			}
			part := strings.Split(line, " | ")
			if len(part) != 3 {
				return nil, fmt.Errorf("line %d has %d parts", n+1, len(part))
			}
			p := pair{kind: part[0], claim: part[1], passage: part[2], split: "fresh", want: model.CoverageVerdict(part[0])}
			if !slices.Contains([]string{"covered", "contradicted", "absent"}, p.kind) {
				p.split, p.want = splits[seen[p.kind]%2], model.CoverageVerdictAbsent
				if slices.Contains([]string{"exact", "near", "far"}, p.kind) {
					p.want = model.CoverageVerdictCovered
				}
			}
			seen[p.kind]++
			all = append(all, p)
		}
	}
	return all, nil
}
