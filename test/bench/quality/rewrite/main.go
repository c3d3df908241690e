// Command rewrite scores the rewriting of the offline engine: whether it changes parts that have
// something to change, and keeps their facts.
package main

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"strings"

	"rostrum/llm/offline"
	"rostrum/llm/text/fact"
	"rostrum/test/bench/quality"
)

//go:embed parts.txt
var partLines string

// score counts the changed parts, and the parts that keep all of their facts.
type score struct{ changed, kept quality.Share }

func main() {
	s, err := measure()
	if err != nil {
		fmt.Fprintln(os.Stderr, "rewrite:", err)
		os.Exit(1)
	}
	quality.PrintRow(os.Stdout, "rewriting", "parts changed that have something to change", s.changed)
	quality.PrintRow(os.Stdout, "rewriting", "parts that keep every fact", s.kept)
}

func measure() (s score, err error) {
	for line := range strings.Lines(partLines) {
		part := strings.TrimSpace(line)
		if part == "" || strings.HasPrefix(part, "#") {
			continue
		}
		answer, _, err := offline.Restyling{Text: part}.Answer(context.Background())
		if err != nil {
			return s, err
		}
		said, _ := answer.(string)
		s.changed.Total, s.kept.Total = s.changed.Total+1, s.kept.Total+1
		if said != part {
			s.changed.Right++
		}
		if len(fact.Missing(part, said)) == 0 {
			s.kept.Right++
		}
	}
	return s, nil
}
