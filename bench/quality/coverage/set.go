package main

import (
	_ "embed"
	"fmt"
	"strings"
)

//go:embed pairs.txt
var pairs string

// pair is a point and a passage with their label.
type pair struct {
	kind, claim, passage string
	covered, hold        bool
}

// set returns the labeled pairs; every second pair of each kind is held back.
func set() ([]pair, error) {
	var all []pair
	seen := map[string]int{}
	for n, line := range strings.Split(pairs, "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		part := strings.Split(line, " | ")
		if len(part) != 3 {
			return nil, fmt.Errorf("line %d has %d parts", n+1, len(part))
		}
		kind := part[0]
		all = append(all, pair{
			kind: kind, claim: part[1], passage: part[2], hold: seen[kind]%2 == 1,
			covered: kind == "exact" || kind == "near" || kind == "far",
		})
		seen[kind]++
	}
	return all, nil
}
