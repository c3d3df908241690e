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
	for _, c := range []struct{ lines, want string }{
		{"It was won-\nderful in the UK-\nEU talks", "It was wonderful in the UK-EU talks"},
		{"the winter time-\ntable", "the winter timetable"},
		{"a well-\nknown dispute", "a well-known dispute"},
		{"their well-\nness", "their wellness"},
		{"a state-of-the-\nart ship", "a state-of-the-art ship"},
		{"an up-to-\ndate list", "an up-to-date list"},
		{"a 24-\nhour crew", "a 24-hour crew"},
		{"the part AB-\n12", "the part AB-12"},
		{"from 10-\n15 pounds", "from 10-15 pounds"},
		{"the Donau-dampf-\nschiff", "the Donau-dampfschiff"},
		{"a wave-\nlength, as each wave-length", "a wave-length, as each wave-length"},
		{"a tea-\npot and two teapots, one teapot", "a teapot and two teapots, one teapot"},
		{"a well\x02known won\x02derful AB\x0212 UK\x02EU", "a well-known wonderful AB-12 UK-EU"},
		{"a range of 5 -\n7 days", "a range of 5 - 7 days"},
	} {
		var lines []textLine
		for line := range strings.SplitSeq(c.lines, "\n") {
			lines = append(lines, newTextLine(line))
		}
		if got := joinPages([][]textLine{lines}); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

// TestDropFurniture removes what repeats or counts the pages and keeps what only looks so.
func TestDropFurniture(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		page string // %d is the number of the page, %w a word of its own; | separates lines, || is a gap
		want string // of the second page
	}{
		"page number":          {"Fares %w rise.|Ships %w sail.|Ports %w open.||%d", "Fares b rise. Ships b sail. Ports b open."},
		"page of pages":        {"Fares %w rise.|Ships %w sail.|Ports %w open.||Page %d of 9", "Fares b rise. Ships b sail. Ports b open."},
		"same header":          {"Alder Ferries plc|Fares %w rise.|Ships %w sail.|Ports %w open.", "Fares b rise. Ships b sail. Ports b open."},
		"header with number":   {"Half-year report, %d||Fares %w rise.|Ships %w sail.|Ports %w open.", "Fares b rise. Ships b sail. Ports b open."},
		"a line that counts":   {"Zone %d costs the same.|Fares %w rise.|Ships %w sail.|Ports %w open.", "Zone 2 costs the same. Fares b rise. Ships b sail. Ports b open."},
		"figures":              {"Quarter %d: 1%d percent.||Fares %w rise.|Ships %w sail.||Debt: 9%d", "Quarter 2: 12 percent. Fares b rise. Ships b sail. Debt: 92"},
		"one line for a page":  {"Fare from zone %d: 14 pounds", "Fare from zone 2: 14 pounds"},
		"the same line always": {"Fare: 14 pounds", "Fare: 14 pounds"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var pages [][]textLine
			for i, word := range []string{"a", "b", "c", "d"} {
				var lines []textLine
				base := 700.0
				text := strings.NewReplacer("%d", fmt.Sprint(i+1), "%w", word).Replace(c.page)
				for part := range strings.SplitSeq(text, "|") {
					if base -= 14; part != "" {
						line := newTextLine(part)
						line.placed, line.right, line.base, line.foot, line.size = true, 300, base, base, 11
						lines = append(lines, line)
					} else {
						base -= 20
					}
				}
				pages = append(pages, lines)
			}
			dropFurniture(pages)
			if got := joinPages([][]textLine{pages[1]}); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
	lonely := func(texts ...string) string {
		var pages [][]textLine
		for i, text := range texts {
			pages = append(pages, []textLine{newTextLine("Fare " + "abc"[i:i+1] + "."), newTextLine(text)})
		}
		return joinPages(pages)
	}
	for _, c := range [][2]string{
		{lonely("i", "ii", "iii"), "Fare a.\n\nFare b.\n\nFare c."},
		{lonely("Civil", "Civic", "mix"), "Fare a.\n\nCivil\n\nFare b.\n\nCivic\n\nFare c.\n\nmix"},
		{lonely("1987", "412"), "Fare a.\n\n1987\n\nFare b.\n\n412"},
		{lonely("7", "8"), "Fare a.\n\nFare b."},
	} {
		if c[0] != c[1] {
			t.Errorf("got %q, want %q", c[0], c[1])
		}
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
