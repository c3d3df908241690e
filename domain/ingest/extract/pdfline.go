package extract

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// textLine is a line of a PDF's page and its place in points, counted from the page's lower left corner.
type textLine struct {
	text   string
	hyphen bool // the line breaks a word
	placed bool
	left   float64
	right  float64
	base   float64 // of the first sign
	foot   float64 // of the last sign: the engine joins lines where a hyphen breaks a word
	size   float64
}

func newLine(raw string) textLine {
	raw = strings.TrimRight(raw, " \r\n")
	bare := strings.TrimRight(raw, "\x02\ufffe\u00ad")
	return textLine{text: oneLine(strings.NewReplacer("\x02", "", "\ufffe", "", "\u00ad", "").Replace(bare)), hyphen: bare != raw || endsHyphen(raw)}
}

// endsHyphen reports a letter and a hyphen at the end, which a number or a dash is not.
func endsHyphen(raw string) bool {
	bare, cut := strings.CutSuffix(raw, "-")
	if !cut {
		bare, cut = strings.CutSuffix(raw, "‐")
	}
	last, _ := utf8.DecodeLastRuneInString(bare)
	return cut && unicode.IsLetter(last)
}

var (
	digits     = regexp.MustCompile(`\d+`)
	pageNumber = regexp.MustCompile(`(?i)^\W*(page|seite|página|pagina|strona|p\.?|s\.?)?\s*(\d{1,4}|[ivxlc]{1,6})(\s*(/|of|von|de|di|van|z|\|)\s*\d{1,4})?\W*$`)
	bullet     = regexp.MustCompile(`^([•‣▪◦·–*-]|\(?\d{1,2}[.)]|[a-z]\))\s`)
)

// joinPages makes paragraphs of the pages' lines, without page numbers and without headers and footers that repeat.
func joinPages(pages [][]textLine) string {
	dropRepeated(pages)
	var out strings.Builder
	var previous *textLine
	for _, lines := range pages {
		pitch := medianPitch(lines)
		right := rightEdge(lines)
		for i := range lines {
			line := &lines[i]
			switch {
			case previous == nil:
			case i == 0 && !runsOn(previous, line), i > 0 && newParagraph(previous, line, pitch, right):
				out.WriteString("\n\n")
			case bullet.MatchString(line.text):
				out.WriteString("\n")
			default:
				glue(&out, previous, line)
			}
			out.WriteString(line.text)
			previous = line
		}
	}
	return out.String()
}

// glue joins two lines of a paragraph; a hyphen goes where it broke a word and stays before a capital, as in "UK-EU".
func glue(out *strings.Builder, previous, line *textLine) {
	first, _ := utf8.DecodeRuneInString(line.text)
	if !previous.hyphen {
		last, _ := utf8.DecodeLastRuneInString(previous.text)
		if !unspaced(last) || !unspaced(first) {
			out.WriteByte(' ')
		}
		return
	}
	text := out.String()
	bare := strings.TrimRight(text, "-‐")
	if unicode.IsLower(first) {
		out.Reset()
		out.WriteString(bare)
	} else if bare == text {
		out.WriteByte('-')
	}
}

// unspaced reports scripts that put no space between words.
func unspaced(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai) || r >= 0x3000 && r <= 0x303f || r >= 0xff00 && r <= 0xff65
}

func runsOn(previous, line *textLine) bool {
	first, _ := utf8.DecodeRuneInString(line.text)
	return previous.hyphen || !ends(previous.text) && (unicode.IsLower(first) || unspaced(first)) && !bullet.MatchString(line.text)
}

// newParagraph goes by the gap, the type size, the indent, and a line that ends early with a sentence.
func newParagraph(previous, line *textLine, pitch, right float64) bool {
	if previous.hyphen {
		return false
	}
	if !previous.placed || !line.placed {
		return ends(previous.text) && utf8.RuneCountInString(previous.text) < 60
	}
	gap := previous.foot - line.base
	if gap < -line.size { // the next column
		return !runsOn(previous, line)
	}
	early := previous.right < right-6*previous.size
	switch {
	case gap > 1.35*pitch && pitch > 0:
		return true
	case line.size > 1.12*previous.size || previous.size > 1.12*line.size:
		return true
	case early && ends(previous.text):
		return true
	}
	return line.left > previous.left+line.size*0.8 && ends(previous.text) && line.left < previous.left+line.size*4
}

func medianPitch(lines []textLine) float64 {
	var gaps []float64
	for i := 1; i < len(lines); i++ {
		if gap := lines[i-1].foot - lines[i].base; lines[i].placed && lines[i-1].placed && gap > 0 {
			gaps = append(gaps, gap)
		}
	}
	if len(gaps) == 0 {
		return 0
	}
	slices.Sort(gaps)
	return gaps[len(gaps)/2]
}

func rightEdge(lines []textLine) float64 {
	edge := 0.0
	for _, line := range lines {
		edge = max(edge, line.right)
	}
	return edge
}

// margin is how many lines at the top and bottom of a page may be its header and footer.
const margin = 2

// dropRepeated takes away page numbers, and lines that stand, their numbers aside, at the edge of most pages.
func dropRepeated(pages [][]textLine) {
	if len(pages) < 2 {
		return
	}
	seen := map[string]int{}
	for _, lines := range pages {
		for key := range edges(lines) {
			seen[key]++
		}
	}
	need := max(2, (len(pages)*6+9)/10)
	for i, lines := range pages {
		kept := lines[:0:0]
		for j, line := range lines {
			edge := j < margin || j >= len(lines)-margin
			outermost := j == 0 || j == len(lines)-1
			if edge && len(pages) > 2 && seen[edgeKey(line)] >= need || outermost && pageNumber.MatchString(line.text) {
				continue
			}
			kept = append(kept, line)
		}
		pages[i] = kept
	}
}

func edges(lines []textLine) map[string]bool {
	keys := map[string]bool{}
	for j, line := range lines {
		if j < margin || j >= len(lines)-margin {
			keys[edgeKey(line)] = true
		}
	}
	return keys
}

func edgeKey(line textLine) string { return digits.ReplaceAllString(line.text, "#") }

// largestLine takes the title from the largest type of the first page, else from the first line.
func largestLine(pages [][]textLine, text string) string {
	best, size := "", 0.0
	if len(pages) > 0 {
		for _, line := range pages[0] {
			if line.placed && line.size > size*1.05 && keyOf(line.text) != "" {
				best, size = line.text, line.size
			} else if line.placed && best != "" && line.size == size && strings.Contains(text, best+" "+line.text) {
				best += " " + line.text
			}
		}
	}
	if best == "" {
		best = textTitle(text)
	}
	return cutTitle(best)
}
