package main

import (
	"fmt"
	"slices"
	"time"

	"golang.org/x/perf/benchmath"
)

// confidence is that of the interval of a median.
const confidence = 0.95

// summarize returns the median of the rounds and its interval; zero without rounds.
func summarize(rounds []float64) benchmath.Summary {
	if len(rounds) == 0 {
		return benchmath.Summary{}
	}
	sample := benchmath.NewSample(slices.Clone(rounds), &benchmath.DefaultThresholds) // it sorts
	return benchmath.AssumeNothing.Summary(sample, confidence)
}

// median returns the median of the rounds.
func median(rounds []float64) float64 { return summarize(rounds).Center }

// ratiosOf divides the values of each round by those of the other in the same round. Rounds without
// a value are left out.
func ratiosOf(values, others []float64) (ratios []float64) {
	for i := range min(len(values), len(others)) {
		if others[i] > 0 {
			ratios = append(ratios, values[i]/others[i])
		}
	}
	return ratios
}

// formatRatio returns the median of ratios with its interval, for example "0.62 ±5%".
func formatRatio(ratios []float64) string {
	s := summarize(ratios)
	return fmt.Sprintf("%.2f ±%s", s.Center, s.PctRangeString())
}

func formatVerdict(met bool) string {
	if met {
		return "met"
	}
	return "MISSED"
}

func formatMilliseconds(d time.Duration) string {
	return fmt.Sprintf("%.2f", float64(d.Microseconds())/1000)
}
