// Command score runs the ingestion's text extraction over the labeled set and prints its scores.
package main

import (
	"flag"
	"fmt"
	"os"

	"rostrum/test/bench/quality"
)

func main() {
	split := flag.String("split", quality.Tune, "which pages to score: tune, hold or all")
	table := flag.Bool("table", false, "print the rows of make quality")
	flag.Parse()
	if err := run(*split, *table); err != nil {
		fmt.Fprintln(os.Stderr, "score:", err)
		os.Exit(1)
	}
}

func run(split string, table bool) error {
	if split != quality.Tune && split != quality.Hold && split != "all" {
		return fmt.Errorf("-split is %q, but must be tune, hold or all", split)
	}
	files, err := quality.Set()
	if err != nil {
		return err
	}
	pages, err := quality.Load(files)
	if err != nil {
		return err
	}
	report := quality.Score(quality.Select(pages, split), extraction)
	if table {
		quality.PrintRow(os.Stdout, "extraction", "pages with the right reason, or rightly none", report.Reasons)
		return nil
	}
	return report.Print(os.Stdout)
}
