package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"golang.org/x/tools/benchmark/parse"
)

// selectionClaim is the maximum number of allocations for 50 documents of 19 fields.
const selectionClaim = 250

// selectionResult is the cost of 50 documents of 19 fields from memory, by the compiled selection
// and by gqlgen's own code.
type selectionResult struct{ compiled, gqlgen *parse.Benchmark }

const selectionPrefix = "BenchmarkSelection50"

// benchmarkSelection runs the benchmarks of the graph.
func benchmarkSelection(ctx context.Context) (*selectionResult, error) {
	logProgress("the selection alone")
	command := exec.CommandContext(ctx, "go", "test", "-run", "^$", "-bench", "^"+selectionPrefix, "-benchmem",
		"./graph")
	command.Stderr = os.Stderr
	text, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("run the graph's benchmarks (run from the repository's root): %w\n%s", err, text)
	}
	return parseBenchmarks(text)
}

// parseBenchmarks parses the output of go test.
func parseBenchmarks(text []byte) (*selectionResult, error) {
	found, err := parse.ParseSet(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("read the graph's benchmarks: %w", err)
	}
	s := &selectionResult{}
	for name, runs := range found {
		switch name, _, _ = strings.Cut(name, "-"); name {
		case selectionPrefix + "Compiled":
			s.compiled = runs[0]
		case selectionPrefix + "Gqlgen":
			s.gqlgen = runs[0]
		}
	}
	if s.compiled == nil || s.gqlgen == nil {
		return nil, fmt.Errorf("the output lacks a benchmark of the graph:\n%s", text)
	}
	return s, nil
}

func (s *selectionResult) text() string {
	return fmt.Sprintf("50 documents of 19 fields from memory: %.0f µs and %d allocations, claim at most %d: %s; by gqlgen's own code %.0f µs and %d\n",
		s.compiled.NsPerOp/1000, s.compiled.AllocsPerOp, selectionClaim,
		formatVerdict(s.compiled.AllocsPerOp <= selectionClaim),
		s.gqlgen.NsPerOp/1000, s.gqlgen.AllocsPerOp)
}
