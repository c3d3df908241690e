package extract

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
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

// TestJoinPages_is_linear compares the memory that pages of 10,000 and of 40,000 hyphenated lines
// take: 4 times as much for a linear algorithm, 16 times for a quadratic one. It does not run in
// parallel, so that other tests do not count.
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

// FuzzJoinPages checks that the text of any lines is valid UTF-8, and that its letters are letters
// of the lines in their order.
func FuzzJoinPages(f *testing.F) {
	f.Add("It was won-\nderful.\n\fPage 2\n\u2022 an item\n", uint8(3), true)
	f.Add("\u5929\u6c17\n\u304c\u3044\u3044\n\f1 / 2", uint8(0), false)
	f.Add("\x02\ufffe\u00ad-\n-\n\u2010", uint8(255), true)
	f.Fuzz(func(t *testing.T, text string, shape uint8, placed bool) {
		text = strings.ToValidUTF8(text, "?") // as pdfium's text is
		var pages [][]textLine
		for i, page := range strings.Split(text, "\f") {
			var lines []textLine
			for j, raw := range strings.SplitAfter(page, "\n") {
				line := newTextLine(raw)
				if line.text == "" {
					continue
				}
				line.placed, line.size = placed, float64(shape%7)
				line.left, line.right, line.base = float64(shape), float64(int(shape)*j-i), float64(int(shape)*(i-j))
				line.foot = line.base - float64(shape%3)
				lines = append(lines, line)
			}
			pages = append(pages, lines)
		}
		joined := joinPages(pages)
		_ = largestLine(pages, joined)
		if !utf8.ValidString(joined) || !isSubsequence(onlyLetters(joined), onlyLetters(text)) {
			t.Fatalf("%q becomes %q", text, joined)
		}
	})
}

func onlyLetters(text string) []rune {
	var letters []rune
	for _, r := range text {
		if unicode.IsLetter(r) {
			letters = append(letters, r)
		}
	}
	return letters
}

// isSubsequence reports whether all of part occur in whole in their order.
func isSubsequence(part, whole []rune) bool {
	for _, r := range whole {
		if len(part) > 0 && part[0] == r {
			part = part[1:]
		}
	}
	return len(part) == 0
}
