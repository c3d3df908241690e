// Command tag scores the offline engine's values of auto-tags on labeled documents.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"rostrum/llm/offline"
	"rostrum/llm/text/value"
	"rostrum/test/bench/quality"
)

func main() {
	split := flag.String("split", "dev", "which documents to score: dev, hold, trap or fresh")
	table := flag.Bool("table", false, "print the rows of make quality")
	verbose := flag.Bool("v", false, "print the values that differ from their label, but for hold")
	flag.Parse()
	sets := map[string]string{"dev": devSet, "hold": holdSet, "trap": trapSet, "fresh": freshSet}
	if sets[*split] == "" {
		fmt.Fprintf(os.Stderr, "tag: -split is %q, but must be dev, hold, trap or fresh\n", *split)
		os.Exit(1)
	}
	pairs, err := parseSet(sets[*split])
	if err != nil {
		fmt.Fprintln(os.Stderr, "tag:", err)
		os.Exit(1)
	}
	results := scorePairs(pairs)
	if *verbose && *split != "hold" {
		printWrong(os.Stdout, results)
	}
	printRows(os.Stdout, results)
	if !*table {
		printKinds(os.Stdout, results)
	}
}

// result is a pair with the engine's value.
type result struct {
	*pair
	got offline.TagClaim // without a value if the engine abstains
}

func scorePairs(pairs []*pair) []result {
	var all []result
	for _, p := range pairs {
		asked := p.document
		asked.Tags = []offline.Tag{p.tag}
		answer, _, _ := asked.Answer(context.Background()) // it has none
		r := result{pair: p}
		for _, claim := range answer.(offline.TaggingAnswer).Values {
			r.got = claim
		}
		all = append(all, r)
	}
	return all
}

// right reports whether the engine's value is the label; the items of lists are in any order.
func (r result) right() bool {
	if value.KindOf(r.tag.Type) == value.List {
		got, want := value.Items(r.got.Value), value.Items(r.want)
		slices.Sort(got)
		slices.Sort(want)
		return slices.Equal(got, want)
	}
	return strings.EqualFold(r.got.Value, r.want)
}

// threshold is the default of AutoTag.minConfidence: values below it await review.
const threshold = 0.5

// printRows writes the rows of make quality.
func printRows(w io.Writer, results []result) {
	var precision, recall, abstained, reviewed quality.Share
	byConfidence := map[float64]*quality.Share{}
	for _, r := range results {
		applied := r.got.Value != "" && r.got.Confidence >= threshold
		if applied {
			add(&precision, r.right())
		} else if r.got.Value != "" {
			add(&reviewed, r.right())
		}
		if r.want == "" {
			add(&abstained, !applied)
		} else {
			add(&recall, applied && r.right())
		}
		if r.got.Value != "" {
			if byConfidence[r.got.Confidence] == nil {
				byConfidence[r.got.Confidence] = &quality.Share{}
			}
			add(byConfidence[r.got.Confidence], r.right())
		}
	}
	quality.PrintRow(w, "tags", "applied values that are right", precision)
	quality.PrintRow(w, "tags", "labeled values that are found and applied", recall)
	quality.PrintRow(w, "tags", "documents without the value left without it", abstained)
	quality.PrintRow(w, "tags", "values for review that are right", reviewed)
	for _, confidence := range sortedKeys(byConfidence) {
		quality.PrintRow(w, "tags", fmt.Sprintf("confidence %.2f, of these right", confidence),
			*byConfidence[confidence])
	}
}

// printKinds writes the share of right values for each kind of values and each language.
func printKinds(w io.Writer, results []result) {
	shares := map[string]*quality.Share{}
	for _, r := range results {
		for _, key := range []string{"kind " + string(value.KindOf(r.tag.Type)), "language " + r.language} {
			if shares[key] == nil {
				shares[key] = &quality.Share{}
			}
			if r.got.Value != "" {
				add(shares[key], r.right())
			}
		}
	}
	for _, key := range sortedKeys(shares) {
		quality.PrintRow(w, "tags", key+": values that are right", *shares[key])
	}
}

func printWrong(w io.Writer, results []result) {
	for _, r := range results {
		if !r.right() {
			fmt.Fprintf(w, "  %s, %s (%s): %q at %.2f, want %q\n", r.document.Title, r.tag.Name, r.tag.Type,
				r.got.Value, r.got.Confidence, r.want)
		}
	}
}

func add(s *quality.Share, right bool) {
	if s.Total++; right {
		s.Right++
	}
}

func sortedKeys[K cmp.Ordered, V any](of map[K]V) []K {
	var keys []K
	for key := range of {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
