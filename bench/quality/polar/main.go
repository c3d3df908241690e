// Command polar scores the built-in engine's reactions to texts against the expected reactions of opposed personas.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"slices"

	"rostrum/domain/audience"
	"rostrum/domain/persona"
	"rostrum/llm/text"
)

func main() {
	split := flag.String("split", "tune", "which texts to score: tune, spent, hold or all")
	verbose := flag.Bool("v", false, "print every reading, and those of the wrong sign with their reactions")
	flag.Parse()
	all, err := set()
	if err == nil && *split != "all" && !slices.Contains(splits, *split) {
		err = fmt.Errorf("-split is %q, but must be tune, spent, hold or all", *split)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "polar:", err)
		os.Exit(1)
	}
	readings := slices.DeleteFunc(all, func(r reading) bool { return *split != "all" && r.split != *split })
	report(os.Stdout, readings, *verbose)
}

// rater returns the ratings, from 1 to 5, by the persona that likes a text better and by the persona that likes it less.
type rater func(r reading) (more, less float64)

func builtin(r reading) (more, less float64) {
	_, more = audience.Preview(r.title, r.text, persona.Cares(r.more, nil))
	_, less = audience.Preview(r.title, r.text, persona.Cares(r.less, nil))
	return more, less
}

// naive rates by words alone: the sentiment of sentences that contain a word of the persona's concerns.
func naive(r reading) (more, less float64) {
	feel := func(minds string) float64 {
		wanted, sum, n := text.Stems(minds, "en"), 0.0, 0
		for _, sentence := range text.Sentences(r.text) {
			if slices.ContainsFunc(text.Stems(sentence.Text, "en"), func(stem string) bool { return slices.Contains(wanted, stem) }) {
				sum, n = sum+text.Sentiment(sentence.Text), n+1
			}
		}
		return 3 + 2*sum/float64(max(1, n))
	}
	return feel(r.more.Interests + " " + r.more.Concerns), feel(r.less.Interests + " " + r.less.Concerns)
}

// score is a rater's result: right signs, the mean difference in points of the scale, and the number of distinct points of five that its
// ratings use.
type score struct {
	right, of int
	apart     float64
	points    int
}

func measure(readings []reading, by rater) score {
	s := score{of: len(readings)}
	used := map[int]bool{}
	for _, r := range readings {
		more, less := by(r)
		if more > less {
			s.right++
		}
		s.apart += (more - less) / float64(max(1, len(readings)))
		used[int(more+0.5)], used[int(less+0.5)] = true, true
	}
	s.points = len(used)
	return s
}

func report(out io.Writer, readings []reading, verbose bool) {
	for _, one := range []struct {
		name string
		by   rater
	}{{"built in", builtin}, {"by words", naive}} {
		s := measure(readings, one.by)
		fmt.Fprintf(out, "%s: %d of %d signs right, %.2f points apart on average, %d of 5 points used\n", one.name, s.right, s.of, s.apart, s.points)
	}
	for _, r := range readings {
		more, less := builtin(r)
		if verbose {
			fmt.Fprintf(out, "  %.1f %.1f  %s: %s > %s\n", more, less, r.title, r.more.ID, r.less.ID)
		}
		if verbose && more <= less {
			one, _ := audience.Preview(r.title, r.text, persona.Cares(r.more, nil))
			other, _ := audience.Preview(r.title, r.text, persona.Cares(r.less, nil))
			fmt.Fprintf(out, "--- %s\n%s\n--- %s\n%s\n", r.more.ID, one, r.less.ID, other)
		}
	}
}
