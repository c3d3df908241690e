// Command coverage scores the coverage check of the offline engine against labeled pairs of a point
// and a passage.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"rostrum/llm/offline"
	"rostrum/llm/text"
	"rostrum/model"
	"rostrum/test/bench/quality"
)

func main() {
	split := flag.String("split", "tune", "which pairs to score: "+strings.Join(splits, ", ")+" or all")
	table := flag.Bool("table", false, "print the rows of make quality")
	verbose := flag.Bool("v", false, "print the pairs that are judged wrongly")
	similarity := flag.Bool("similarity", false, "score the similarity of the embedding model LLM_EMBEDDING_MODEL of LLM_BASE_URL in place of the check")
	language := flag.String("language", "", "with -similarity only the passages in a language, such as en")
	flag.Parse()
	all, err := set()
	if err == nil && *split != "all" && !slices.Contains(splits, *split) {
		err = fmt.Errorf("-split is %q, but must be %s or all", *split, strings.Join(splits, ", "))
	}
	if err == nil && *similarity {
		err = reportSimilarity(context.Background(), os.Stdout, all, *language)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "coverage:", err)
		os.Exit(1)
	}
	switch {
	case *similarity:
		return
	case *table:
		printRows(os.Stdout, all)
		return
	}
	report(os.Stdout, slices.DeleteFunc(all, func(p pair) bool { return *split != "all" && p.split != *split }),
		*verbose)
}

// judge returns the engine's verdict on a pair.
func judge(p pair) model.CoverageVerdict { return offline.ReadText(p.passage).Find(p.claim).Verdict }

// score is the number of pairs with each result.
type score struct {
	pairs, agree       int // agree counts whether the point is covered; unknown is not
	spoken, right      int // verdicts other than unknown
	denied, trueDenial int // contradicted
}

func measure(pairs []pair) score {
	s := score{pairs: len(pairs)}
	for _, p := range pairs {
		got := judge(p)
		covered := got == model.CoverageVerdictCovered
		same := covered == (p.want == model.CoverageVerdictCovered)
		if same {
			s.agree++
		}
		if got == model.CoverageVerdictUnknown {
			continue
		}
		if s.spoken++; same {
			s.right++
		}
		if got == model.CoverageVerdictContradicted {
			if s.denied++; p.want == model.CoverageVerdictContradicted || p.want == model.CoverageVerdictAbsent &&
				(p.kind == "number" || p.kind == "negation") {
				s.trueDenial++
			}
		}
	}
	return s
}

// printRows prints the rows of make quality for the pairs that no rule was made for.
func printRows(out io.Writer, all []pair) {
	s := measure(slices.DeleteFunc(all, func(p pair) bool { return slices.Contains(readSplits, p.split) }))
	quality.PrintRow(out, "coverage", "pairs on which covered agrees", quality.Share{Right: s.agree, Total: s.pairs})
	quality.PrintRow(out, "coverage", "pairs with a verdict other than unknown",
		quality.Share{Right: s.spoken, Total: s.pairs})
	quality.PrintRow(out, "coverage", "right verdicts of these", quality.Share{Right: s.right, Total: s.spoken})
	quality.PrintRow(out, "coverage", "right contradictions", quality.Share{Right: s.trueDenial, Total: s.denied})
}

func share(n, of int) float64 { return float64(n) / float64(max(1, of)) }

func report(out io.Writer, pairs []pair, verbose bool) {
	s := measure(pairs)
	always := slices.DeleteFunc(slices.Clone(pairs),
		func(p pair) bool { return p.want == model.CoverageVerdictCovered })
	overlap := slices.DeleteFunc(slices.Clone(pairs), func(p pair) bool {
		return (text.Covered(p.claim, p.passage) >= 0.6) != (p.want == model.CoverageVerdictCovered)
	})
	fmt.Fprintf(out, "%d pairs: agreement %.2f (stemmed overlap %.2f, always no %.2f); speaks on %d, %d right; contradicted %d, %d right\n",
		s.pairs, share(s.agree, s.pairs), share(len(overlap), s.pairs), share(len(always), s.pairs), s.spoken, s.right,
		s.denied, s.trueDenial)
	var kinds []string
	for _, p := range pairs {
		if !slices.Contains(kinds, p.kind) {
			kinds = append(kinds, p.kind)
		}
	}
	for _, kind := range kinds {
		of := slices.DeleteFunc(slices.Clone(pairs), func(p pair) bool { return p.kind != kind })
		k := measure(of)
		fmt.Fprintf(out, "  %-12s %2d  agreement %.2f, speaks on %d\n", kind, len(of), share(k.agree, k.pairs),
			k.spoken)
		for _, p := range of {
			if got := judge(p); verbose && got != p.want {
				fmt.Fprintf(out, "    %s: %s | %s\n", got, p.claim, p.passage)
			}
		}
	}
}
