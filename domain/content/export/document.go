package export

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/bidi"
)

// untitled is the title of content that has none.
const untitled = "Untitled"

// document is content as every writer sees it.
type document struct {
	title  string // never empty
	meta   Content
	blocks []block
	fonts  *Fonts
	unseen []rune // characters that the file shows as boxes
}

type blockKind uint8

const (
	paragraph blockKind = iota
	heading
	list
	table
	quote
	code
	rule
)

// block is one piece of a document, from top to bottom.
type block struct {
	kind    blockKind
	level   int       // heading: 1 to 6
	runs    []run     // paragraph, heading
	text    string    // code
	blocks  []block   // quote
	items   [][]block // list
	ordered bool      // list
	start   int       // list: the first number
	rows    []row     // table
}

type row struct {
	header bool
	cells  [][]run
}

// run is text of one look. A line break is the text "\n".
type run struct {
	text               string
	bold, italic, code bool
	link               string
}

// plain is the text of runs.
func plain(runs []run) string {
	var out strings.Builder
	for _, r := range runs {
		out.WriteString(r.text)
	}
	return out.String()
}

// columns is the number of cells of a table's widest row.
func (b block) columns() int {
	most := 0
	for _, r := range b.rows {
		most = max(most, len(r.cells))
	}
	return most
}

// allRuns are the runs of all of a table's cells.
func (b block) allRuns() []run {
	var out []run
	for _, r := range b.rows {
		out = append(out, slices.Concat(r.cells...)...)
	}
	return out
}

// emphasised makes runs bold when they stand in a header.
func emphasised(runs []run, yes bool) []run {
	if !yes {
		return runs
	}
	out := make([]run, len(runs))
	for i, r := range runs {
		r.bold = true
		out[i] = r
	}
	return out
}

// rightToLeft tells whether the first letter with a direction runs from right to left (UAX #9, rules P2 and P3).
func rightToLeft(runs []run) bool {
	for _, one := range runs {
		for _, r := range one.text {
			switch class(r) {
			case bidi.L:
				return false
			case bidi.R, bidi.AL:
				return true
			}
		}
	}
	return false
}

func class(r rune) bidi.Class {
	properties, _ := bidi.LookupRune(r)
	return properties.Class()
}

// printable drops what no format can hold: control characters other than tab and line feed, and bytes that are not UTF-8. Unicode's own
// separators of lines and paragraphs become line feeds.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\u2028' || r == '\u2029' {
			return '\n'
		}
		if r != '\n' && r != '\t' && unicode.IsControl(r) || r == 0xFFFE || r == 0xFFFF {
			return -1
		}
		return r
	}, strings.ToValidUTF8(strings.ReplaceAll(text, "\r\n", "\n"), "\uFFFD"))
}

// byDirection cuts text where the direction of its letters changes; what has no direction stays with what stands before it.
func byDirection(text string) []string {
	var parts []string
	begin, now := 0, bidi.ON
	for i, r := range text {
		next := class(r)
		if next == bidi.AL {
			next = bidi.R
		}
		if next != bidi.L && next != bidi.R || next == now {
			continue
		}
		if now != bidi.ON {
			parts = append(parts, text[begin:i])
			begin = i
		}
		now = next
	}
	return append(parts, text[begin:])
}
