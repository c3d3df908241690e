// Command coverage scores the built-in coverage check against labeled pairs of a point and a passage, in comparison with stemmed overlap and
// with a check that always returns no.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"slices"

	"rostrum/domain/content/cover"
	"rostrum/llm/text"
)

func main() {
	split := flag.String("split", "tune", "which pairs to score: tune, hold or all")
	verbose := flag.Bool("v", false, "print the pairs that are judged wrongly")
	flag.Parse()
	all, err := set()
	if err == nil && !slices.Contains([]string{"tune", "hold", "all"}, *split) {
		err = fmt.Errorf("-split is %q, but must be tune, hold or all", *split)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "coverage:", err)
		os.Exit(1)
	}
	pairs := slices.DeleteFunc(all, func(p pair) bool { return *split != "all" && p.hold != (*split == "hold") })
	report(os.Stdout, pairs, *verbose)
}

// judge reports whether a passage covers a point.
type judge func(p pair) bool

func builtin(p pair) bool { return cover.Read(p.passage).Find(p.claim).Covered }

// overlap is a check by words alone: the passage contains three in five of the point's stems.
func overlap(p pair) bool { return text.Covered(p.claim, p.passage) >= 0.6 }

func never(pair) bool { return false }

// agreement returns the share of pairs on which a judge agrees with the label.
func agreement(pairs []pair, j judge) float64 {
	right := 0
	for _, p := range pairs {
		if j(p) == p.covered {
			right++
		}
	}
	return float64(right) / float64(max(1, len(pairs)))
}

func report(out io.Writer, pairs []pair, verbose bool) {
	fmt.Fprintf(out, "%d pairs: built in %.2f, stemmed overlap %.2f, always no %.2f\n",
		len(pairs), agreement(pairs, builtin), agreement(pairs, overlap), agreement(pairs, never))
	for _, kind := range []string{"exact", "near", "far", "number", "negation", "entity", "tense", "part"} {
		of := slices.DeleteFunc(slices.Clone(pairs), func(p pair) bool { return p.kind != kind })
		fmt.Fprintf(out, "  %-8s %2d  %.2f\n", kind, len(of), agreement(of, builtin))
		for _, p := range of {
			if verbose && builtin(p) != p.covered {
				fmt.Fprintf(out, "           wrong: %s | %s\n", p.claim, p.passage)
			}
		}
	}
}
