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

// selectionClaim is the most allocations for 50 documents of 19 fields.
const selectionClaim = 250

// selection is what answering 50 documents of 19 fields from memory takes, by the compiled selection and by gqlgen's own code.
type selection struct{ compiled, gqlgen *parse.Benchmark }

const selectionPrefix = "BenchmarkSelection50"

// selected runs the benchmarks of the graph.
func selected(ctx context.Context) (*selection, error) {
	progress("the selection alone")
	command := exec.CommandContext(ctx, "go", "test", "-run", "^$", "-bench", "^"+selectionPrefix, "-benchmem", "./graph")
	command.Stderr = os.Stderr
	text, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("run the graph's benchmarks, which is done from the repository's root: %w\n%s", err, text)
	}
	return selectionOf(text)
}

// selectionOf reads what go test prints.
func selectionOf(text []byte) (*selection, error) {
	found, err := parse.ParseSet(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("read the graph's benchmarks: %w", err)
	}
	s := &selection{}
	for name, runs := range found {
		switch name, _, _ = strings.Cut(name, "-"); name {
		case selectionPrefix + "Compiled":
			s.compiled = runs[0]
		case selectionPrefix + "Gqlgen":
			s.gqlgen = runs[0]
		}
	}
	if s.compiled == nil || s.gqlgen == nil {
		return nil, fmt.Errorf("the graph's benchmarks are not all there:\n%s", text)
	}
	return s, nil
}

func (s *selection) text() string {
	return fmt.Sprintf("50 documents of 19 fields from memory: %.0f µs and %d allocations, asked at most %d: %s; by gqlgen's own code %.0f µs and %d\n",
		s.compiled.NsPerOp/1000, s.compiled.AllocsPerOp, selectionClaim, verdict(s.compiled.AllocsPerOp <= selectionClaim),
		s.gqlgen.NsPerOp/1000, s.gqlgen.AllocsPerOp)
}
