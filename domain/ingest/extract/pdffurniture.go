package extract

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// edgeLines is the number of lines at the top and bottom of a page that may be its header and
// footer.
const edgeLines = 2

// pageLine matches a line that is only a page's number, with the number in Roman or in other digits
// as its second group.
var pageLine = regexp.MustCompile(`(?i)^\W*(page|seite|página|pagina|strona|p\.?|s\.?)?\s*(\d{1,4}|[ivxlc]{1,8})(\s*(?:/|of|von|de|di|van|z|\|)\s*\d{1,4})?\W*$`)

var digitRuns = regexp.MustCompile(`\d+`)

// furniture counts the lines at the edges of a document's pages.
type furniture struct {
	pages [][]textLine
	seen  map[string]int // the number of pages with a key
}

// dropFurniture removes headers, footers and page numbers: lines whose text is at the edge of most
// pages, and lines whose number counts the pages. If nothing else remains, as of slides with one
// title, nothing is removed.
func dropFurniture(pages [][]textLine) {
	if len(pages) < 2 {
		return
	}
	f := &furniture{pages, map[string]int{}}
	for i, lines := range pages {
		keys := map[string]bool{}
		for j, line := range lines {
			if isEdge(lines, j) {
				for _, key := range append(countedKeys(line.text, i), line.text) {
					keys[key] = true
				}
			}
		}
		for key := range keys {
			f.seen[key]++
		}
	}
	kept, isKept := make([][]textLine, len(pages)), false
	for i, lines := range pages {
		for j, line := range lines {
			if !isEdge(lines, j) || !f.has(i, j) {
				kept[i] = append(kept[i], line)
				isKept = true
			}
		}
	}
	if isKept {
		copy(pages, kept)
	}
}

func isEdge(lines []textLine, at int) bool {
	return !lines[at].note && (at < edgeLines || at >= len(lines)-edgeLines)
}

// maxCounted is the number of numbers of a line that may count the pages.
const maxCounted = 6

// countedKeys returns a line's text for each of its numbers, with the difference between the number
// and the page in its place. Lines whose number counts the pages have the same key.
func countedKeys(text string, page int) []string {
	if m := pageLine.FindStringSubmatchIndex(text); m != nil {
		if number, ok := parsePage(text[m[4]:m[5]]); ok {
			return []string{fmt.Sprintf("%s\x00%d\x00%s", text[:m[4]], number-page, text[m[5]:])}
		}
		return nil
	}
	var keys []string
	for _, span := range digitRuns.FindAllStringIndex(text, maxCounted) {
		if number, err := strconv.Atoi(text[span[0]:span[1]]); err == nil {
			keys = append(keys, fmt.Sprintf("%s\x00%d\x00%s", text[:span[0]], number-page, text[span[1]:]))
		}
	}
	return keys
}

// parsePage returns a page number in digits or in Roman numerals.
func parsePage(text string) (int, bool) {
	if number, err := strconv.Atoi(text); err == nil {
		return number, true
	}
	values := map[rune]int{'I': 1, 'V': 5, 'X': 10, 'L': 50, 'C': 100}
	number, last := 0, 0
	for _, r := range strings.ToUpper(text) {
		value := values[r]
		if number += value; last < value {
			number -= 2 * last
		}
		last = value
	}
	return number, number > 0 && strings.EqualFold(romanNumber(number), text)
}

// has reports whether a line at the edge of a page is furniture.
func (f *furniture) has(page, at int) bool {
	lines := f.pages[page]
	line := lines[at]
	most := max(2, (len(f.pages)*6+9)/10)
	if len(f.pages) > 2 && f.seen[line.text] >= most {
		return true
	}
	only := pageLine.MatchString(line.text)
	return slices.ContainsFunc(countedKeys(line.text, page), func(key string) bool {
		if only {
			return f.seen[key] >= min(3, max(2, len(f.pages)/2)) // parts of a document count anew
		}
		return len(f.pages) > 2 && f.seen[key] >= most && standsApart(lines, at)
	})
}

// marginGap is the distance of furniture from the text, in lines. A title with an empty line below
// it has two.
const marginGap = 2.2

// standsApart reports whether a line has a gap to the text, and no larger type.
func standsApart(lines []textLine, at int) bool {
	inner := at + 1
	if at >= len(lines)-edgeLines && at > 0 {
		inner = at - 1
	}
	if inner >= len(lines) || !lines[at].placed || !lines[inner].placed {
		return false
	}
	gap := lines[at].base - lines[inner].base
	pitch := max(medianPitch(lines), lines[inner].size)
	return max(gap, -gap) > marginGap*pitch && lines[at].size <= lines[inner].size*1.05
}
