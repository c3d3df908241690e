package extract

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// hyphenatedPage returns a page of n placed lines, each of which ends in a broken word.
func hyphenatedPage(n int) [][]textLine {
	lines := make([]textLine, n)
	for i := range lines {
		lines[i] = newTextLine(fmt.Sprintf("ful line number %d goes on with a won-\r\n", i))
		lines[i].placed, lines[i].right, lines[i].size = true, 500, 11
		lines[i].base, lines[i].foot = float64(-12*i), float64(-12*i)
	}
	return [][]textLine{lines}
}

func TestJoinPages_hyphens(t *testing.T) {
	t.Parallel()
	lines := []textLine{newTextLine("It was won-"), newTextLine("derful in the UK-"), newTextLine("EU talks")}
	if got := joinPages([][]textLine{lines}); got != "It was wonderful in the UK-EU talks" {
		t.Errorf("got %q", got)
	}
}

// TestJoinPages_is_linear compares the memory that pages of 10,000 and of 40,000 hyphenated lines take: 4 times as much for a linear
// algorithm, 16 times for a quadratic one. It does not run in parallel, so that other tests do not count.
func TestJoinPages_is_linear(t *testing.T) {
	allocated := func(n int) uint64 {
		pages := hyphenatedPage(n)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		text := joinPages(pages)
		title := largestLine(pages, text)
		runtime.ReadMemStats(&after)
		if got := strings.Count(text, "wonful line"); got != n-1 || title == "" {
			t.Fatalf("%d lines: %d words joined, title %q", n, got, title)
		}
		return after.TotalAlloc - before.TotalAlloc
	}
	small, large := allocated(10_000), allocated(40_000)
	if large > 8*small {
		t.Errorf("40,000 lines allocate %d bytes, 10,000 lines %d", large, small)
	}
}
