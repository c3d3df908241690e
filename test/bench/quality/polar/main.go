// Command polar scores the ratings of the offline engine's extracts on texts that please one
// persona and displease another.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"slices"

	"rostrum/domain/persona"
	"rostrum/llm/offline"
	"rostrum/model"
	"rostrum/test/bench/quality"
)

func main() {
	split := flag.String("split", "tune", "which texts to score: tune, spent, hold or all")
	table := flag.Bool("table", false, "print the rows of make quality")
	verbose := flag.Bool("v", false, "print the passages that decide a rating wrongly")
	flag.Parse()
	all, err := set()
	if err == nil && *split != "all" && !slices.Contains(splits, *split) {
		err = fmt.Errorf("-split is %q, but must be tune, spent, hold or all", *split)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "polar:", err)
		os.Exit(1)
	}
	if *table {
		s := measure(all, io.Discard)
		quality.PrintRow(os.Stdout, "reactions", "ratings that words decide",
			quality.Share{Right: s.spoken, Total: s.all})
		quality.PrintRow(os.Stdout, "reactions", "ratings on the right side of these",
			quality.Share{Right: s.right, Total: s.spoken})
		return
	}
	report(os.Stdout, slices.DeleteFunc(all, func(r reading) bool { return *split != "all" && r.split != *split }),
		*verbose)
}

// score counts the ratings: all, those that words decide, and those on the right side of the
// middle.
type score struct{ all, spoken, right int }

// measure rates each text once for each persona; a text is good for the personas that like it
// better, and bad for the others.
func measure(readings []reading, out io.Writer) score {
	s := score{}
	seen := map[string]bool{}
	for _, r := range readings {
		s.add(r, r.more, 1, seen, out)
		s.add(r, r.less, -1, seen, out)
	}
	return s
}

func (s *score) add(r reading, p *model.Persona, side float64, seen map[string]bool, out io.Writer) {
	if key := r.title + r.text + p.ID; seen[key] {
		return
	} else {
		seen[key] = true
	}
	found := offline.NewStudy(r.title, r.text).Read(persona.Cares(p, nil))
	rating, _ := found.Rating()
	if s.all++; rating == 3 {
		return
	}
	if s.spoken++; (rating-3)*side > 0 {
		s.right++
		return
	}
	for _, passage := range found.Passages {
		if passage.Value != 0 {
			fmt.Fprintf(out, "  %.0f  %s, %s: %s (%d)\n", rating, p.ID, passage.About, passage.Text, passage.Value)
		}
	}
}

func report(out io.Writer, readings []reading, verbose bool) {
	wrong := io.Discard
	if verbose {
		wrong = out
	}
	s := measure(readings, wrong)
	fmt.Fprintf(out, "%d ratings: words decide %d, %d of them right\n", s.all, s.spoken, s.right)
}
