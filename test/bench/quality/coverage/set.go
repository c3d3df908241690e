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
	//go:embed dev.txt
	devPairs string
	//go:embed dev2.txt
	secondDevPairs string
	//go:embed press.txt
	pressPairs string
	//go:embed brief.txt
	briefPairs string
)

// pair is a point and a passage with their label. The kinds of the older sets have no label for
// contradictions; want is absent for them.
type pair struct {
	kind, claim, passage, split string
	want                        model.CoverageVerdict
}

// readSplits are the splits that whoever changes the check may read.
var readSplits = []string{"tune", "dev", "dev2"}

var splits = []string{"tune", "hold", "fresh", "dev", "dev2", "press", "brief"}

// set returns the labeled pairs; every second pair of each kind of the older set is held back.
func set() ([]pair, error) {
	var all []pair
	seen := map[string]int{}
	for _, file := range []struct{ split, pairs string }{{"", oldPairs}, {"fresh", freshPairs}, {"dev", devPairs},
		{"dev2", secondDevPairs}, {"press", pressPairs}, {"brief", briefPairs}} {
		for n, line := range strings.Split(file.pairs, "\n") {
			if line == "" || strings.HasPrefix(line, "#") {
				continue
			}
			part := strings.Split(line, " | ")
			if len(part) != 3 {
				return nil, fmt.Errorf("line %d has %d parts", n+1, len(part))
			}
			p := pair{kind: part[0], claim: part[1], passage: part[2], split: file.split,
				want: model.CoverageVerdict(part[0])}
			if file.split == "" {
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
