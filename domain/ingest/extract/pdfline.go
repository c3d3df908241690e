package extract

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// textLine is a line of a PDF page and its position in points from the page's lower left corner.
type textLine struct {
	text   string
	hyphen bool // the line ends inside a word
	placed bool
	left   float64
	right  float64
	base   float64 // of the first character
	foot   float64 // of the last character: the engine joins lines at a hyphen that breaks a word
	size   float64
	note   bool // a form field or a note on the page
}

// brokenWord is the engine's character for a hyphen at the end of a line, where it joins two lines.
const brokenWord = "\x02"

func newTextLine(raw string) textLine {
	raw = strings.TrimRight(raw, " \r\n")
	bare := strings.TrimRight(raw, brokenWord+"\ufffe\u00ad")
	return textLine{text: oneLine(strings.NewReplacer("\ufffe", brokenWord, "\u00ad", "").Replace(bare)),
		hyphen: bare != raw || endsHyphen(raw)}
}

// endsHyphen reports whether the line ends with a letter or digit and a hyphen.
func endsHyphen(raw string) bool {
	bare, cut := strings.CutSuffix(raw, "-")
	if !cut {
		bare, cut = strings.CutSuffix(raw, "‐")
	}
	last, _ := utf8.DecodeLastRuneInString(bare)
	return cut && (unicode.IsLetter(last) || unicode.IsDigit(last))
}

var bulletPattern = regexp.MustCompile(`^([•‣▪◦·–*-]|\(?\d{1,2}[.)]|[a-z]\))\s`)

// joinPages joins the pages' lines to paragraphs, without page numbers and repeated headers and
// footers. Its time is linear in the number of lines.
func joinPages(pages [][]textLine) string {
	dropFurniture(pages)
	spellings := &spellings{pages: pages}
	spellings.joinWords()
	var out []byte
	var previous *textLine
	for _, lines := range pages {
		pitch := medianPitch(lines)
		right := rightEdge(lines)
		for i := range lines {
			line := &lines[i]
			switch {
			case previous == nil:
			case i > 0 && line.continues(previous):
			case i == 0 && !runsOn(previous, line), i > 0 && newParagraph(previous, line, pitch, right):
				out = append(out, "\n\n"...)
			case bulletPattern.MatchString(line.text), previous.note && line.base < previous.base-line.size/2:
				out = append(out, '\n')
			default:
				out = spellings.appendJoint(out, previous, line)
			}
			out = append(out, line.text...)
			previous = line
		}
	}
	return string(out)
}

// appendJoint appends the separator between two lines of a paragraph. It removes a hyphen that
// broke a word and keeps that of a compound, as in "UK-EU" or "24-hour".
func (s *spellings) appendJoint(out []byte, previous, line *textLine) []byte {
	first, _ := utf8.DecodeRuneInString(line.text)
	if !previous.hyphen {
		last, _ := utf8.DecodeLastRuneInString(previous.text)
		if !isUnspaced(last) || !isUnspaced(first) {
			out = append(out, ' ')
		}
		return out
	}
	bare := bytes.TrimRight(out, "-‐")
	if unicode.IsLower(first) && !s.isCompound(bare, line.text) {
		return bare
	}
	if len(bare) == len(out) {
		out = append(out, '-')
	}
	return out
}

// continues reports whether a line goes on where the previous one ends: the engine begins a line
// behind raised text.
func (n *textLine) continues(previous *textLine) bool {
	gap, rise := n.left-previous.right, n.base-previous.base
	return n.placed && previous.placed && !n.note && !previous.note &&
		max(gap, -gap) < n.size/8 && max(rise, -rise) < n.size/4
}

// isUnspaced reports whether a character's script has no spaces between words.
func isUnspaced(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai) || r >= 0x3000 && r <= 0x303f ||
		r >= 0xff00 && r <= 0xff65
}

func runsOn(previous, line *textLine) bool {
	first, _ := utf8.DecodeRuneInString(line.text)
	return previous.hyphen || !endsSentence(previous.text) && (unicode.IsLower(first) || isUnspaced(first)) &&
		!bulletPattern.MatchString(line.text)
}

// newParagraph reports whether a line starts a paragraph, by the gap, the type size, the indent,
// and a short previous line that ends a sentence.
func newParagraph(previous, line *textLine, pitch, right float64) bool {
	if previous.hyphen {
		return false
	}
	if !previous.placed || !line.placed {
		return endsSentence(previous.text) && utf8.RuneCountInString(previous.text) < 60
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
	case early && endsSentence(previous.text):
		return true
	}
	return line.left > previous.left+line.size*0.8 && endsSentence(previous.text) && line.left < previous.left+
		line.size*4
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
		if !line.note {
			edge = max(edge, line.right)
		}
	}
	return edge
}

// titleLines is the maximum number of lines that are searched in the text as continuations of the
// title.
const titleLines = 40

// largestLine returns the text in the largest type on the first page, and the text's first line if
// no line has a known type size.
func largestLine(pages [][]textLine, text string) string {
	best, size, searched := "", 0.0, 0
	if len(pages) > 0 {
		for _, line := range pages[0] {
			if line.placed && !line.note && line.size > size*1.05 && keyOf(line.text) != "" {
				best, size, searched = line.text, line.size, 0
			} else if line.placed && best != "" && line.size == size && searched < titleLines {
				searched++
				for _, gap := range []string{" ", ""} {
					if strings.Contains(text, best+gap+line.text) {
						best += gap + line.text
						break
					}
				}
			}
		}
	}
	if best == "" {
		best = textTitle(text)
	}
	return cutTitle(best)
}
