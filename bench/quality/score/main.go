// Command score runs the ingestion's text extraction over the labeled set and prints its scores.
package main

import (
	"flag"
	"fmt"
	"os"

	"rostrum/bench/quality"
)

func main() {
	split := flag.String("split", quality.Tune, "which pages to score: tune, hold or all")
	flag.Parse()
	if err := run(*split); err != nil {
		fmt.Fprintln(os.Stderr, "score:", err)
		os.Exit(1)
	}
}

func run(split string) error {
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
	return quality.Score(quality.Select(pages, split), extraction).Print(os.Stdout)
}
