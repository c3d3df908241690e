package main

import (
	"strings"
	"testing"
)

func TestSelection(t *testing.T) {
	t.Parallel()
	const compiled, gqlgen = "BenchmarkSelection50Compiled-2   20000   61000 ns/op   50000 B/op   251 allocs/op\n",
		"BenchmarkSelection50Gqlgen-2   1500   783000 ns/op   900000 B/op   10201 allocs/op\n"
	t.Run("allocations_over_the_claim_are_reported", func(t *testing.T) {
		t.Parallel()
		s, err := parseBenchmarks([]byte("goos: linux\npkg: rostrum/graph\n" + compiled + gqlgen + "PASS\n"))
		if err != nil {
			t.Fatal(err)
		}
		const want = "61 µs and 251 allocations, claim at most 250: MISSED; by gqlgen's own code 783 µs and 10201\n"
		if !strings.HasSuffix(s.text(), want) {
			t.Errorf("the text is %q, want %q at its end", s.text(), want)
		}
	})
	t.Run("a_missing_benchmark_is_an_error", func(t *testing.T) {
		t.Parallel()
		if _, err := parseBenchmarks([]byte(gqlgen)); err == nil {
			t.Error("parseBenchmarks accepts one of two benchmarks")
		}
	})
}
