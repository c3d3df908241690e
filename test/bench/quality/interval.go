package quality

import (
	"fmt"
	"io"
	"math"
)

// Interval returns the 95 % confidence interval of a share (Wilson's score interval).
func (s Share) Interval() (low, high float64) {
	if s.Total == 0 {
		return 0, 1
	}
	const z = 1.96
	n, p := float64(s.Total), s.Ratio()
	middle, width := p+z*z/(2*n), z*math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	return max(0, (middle-width)/(1+z*z/n)), min(1, (middle+width)/(1+z*z/n))
}

// PrintRow writes one line of the table of make quality: the task, what is measured, the share, and
// its interval.
func PrintRow(w io.Writer, task, measured string, s Share) {
	low, high := s.Interval()
	fmt.Fprintf(w, "%-12s %-46s %4d of %4d  %.2f  [%.2f, %.2f]\n", task, measured, s.Right, s.Total, s.Ratio(), low,
		high)
}
