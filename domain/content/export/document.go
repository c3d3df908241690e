package export

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/bidi"
)

// untitled is the title of content that has none.
const untitled = "Untitled"

// Document is parsed content, the input of every writer.
type Document struct {
	title     string // never empty
	meta      Content
	blocks    []block
	fonts     *Fonts
	missing   []rune // characters that the file shows as boxes
	pictures  []*picture
	undecoded []string // names of images that the writer could not decode
	format    Format
	limit     int // bytes of the file
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

// block is a paragraph, heading, list, table, quote, code block or rule.
type block struct {
	kind    blockKind
	level   int        // heading: 1 to 6
	runs    []textRun  // paragraph, heading
	text    string     // code
	blocks  []block    // quote
	items   [][]block  // list
	ordered bool       // list
	start   int        // list: the first number
	notes   bool       // list: the footnotes
	rows    []tableRow // table
	columns int        // table: the number of cells of its widest row
	aligns  []string   // table: left, right, center or "" for each column
}

// tableRow is a row of cells. A cell that spans columns is followed by empty ones; spans has its
// width, and 0 for these.
type tableRow struct {
	header bool
	cells  [][]textRun
	spans  []int
}

// tableCell is a cell with its first column and its number of columns.
type tableCell struct {
	runs         []textRun
	column, span int
}

// spanned returns the cells of a row of a table with so many columns; missing cells are empty.
func (r tableRow) spanned(columns int) []tableCell {
	out := make([]tableCell, 0, columns)
	for column := range columns {
		switch {
		case column >= len(r.cells):
			out = append(out, tableCell{nil, column, 1})
		case r.spans[column] > 0:
			out = append(out, tableCell{r.cells[column], column, r.spans[column]})
		}
	}
	return out
}

// textRun is text of one style, or an image. A line break is the text "\n".
type textRun struct {
	text               string
	bold, italic, code bool
	struck, inserted   bool
	script             scriptPosition
	task               taskState
	note               bool // the mark of a footnote
	link               string
	picture            *picture // the text is its alternative text
}

// scriptPosition is the position of text relative to the line.
type scriptPosition int8

const (
	subscript   scriptPosition = -1
	superscript scriptPosition = 1
)

// taskState is the state of an item of a task list. The text of its run shows it.
type taskState int8

const (
	noTask taskState = iota
	openTask
	doneTask
)

const (
	openTaskText = "\u2610"
	doneTaskText = "\u2611"
)

// hasInsertions reports whether the blocks have inserted text, so that struck-out text is a
// deletion.
func hasInsertions(blocks []block) bool {
	for _, b := range blocks {
		for _, r := range append(b.allRuns(), b.runs...) {
			if r.inserted {
				return true
			}
		}
		if hasInsertions(b.blocks) || slices.ContainsFunc(b.items, hasInsertions) {
			return true
		}
	}
	return false
}

// plainText returns the text of runs.
func plainText(runs []textRun) string {
	var out strings.Builder
	for _, r := range runs {
		out.WriteString(r.text)
	}
	return out.String()
}

// allRuns returns the runs of all cells of a table.
func (b block) allRuns() []textRun {
	var out []textRun
	for _, r := range b.rows {
		for _, cell := range r.cells {
			out = append(out, cell...)
		}
	}
	return out
}

// emboldened returns the runs in bold if bold is true.
func emboldened(runs []textRun, bold bool) []textRun {
	if !bold {
		return runs
	}
	out := make([]textRun, len(runs))
	for i, r := range runs {
		r.bold = true
		out[i] = r
	}
	return out
}

// rightToLeft reports whether the first letter with a direction is a right-to-left letter (UAX #9,
// rules P2 and P3).
func rightToLeft(runs []textRun) bool {
	for _, text := range runs {
		for _, r := range text.text {
			switch bidiClass(r) {
			case bidi.L:
				return false
			case bidi.R, bidi.AL:
				return true
			}
		}
	}
	return false
}

func bidiClass(r rune) bidi.Class {
	properties, _ := bidi.LookupRune(r)
	return properties.Class()
}

// printable replaces characters that no format can hold. Separators of lines, paragraphs and pages
// become line feeds, and other control characters spaces, so that the words around them stay apart.
// Invalid UTF-8 becomes U+FFFD; NUL and noncharacters are removed.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r == '\r' || r == '\v' || r == '\f' || r == '\u0085' || r == '\u2028' || r == '\u2029':
			return '\n'
		case r == 0 || r == 0xFFFE || r == 0xFFFF:
			return -1
		case unicode.IsControl(r):
			return ' '
		}
		return r
	}, strings.ToValidUTF8(strings.ReplaceAll(text, "\r\n", "\n"), "\uFFFD"))
}

// splitByDirection splits text where the direction of its letters changes. Characters without
// direction stay with the preceding letters.
func splitByDirection(text string) []string {
	var parts []string
	begin, current := 0, bidi.ON
	for i, r := range text {
		next := bidiClass(r)
		if next == bidi.AL {
			next = bidi.R
		}
		if next != bidi.L && next != bidi.R || next == current {
			continue
		}
		if current != bidi.ON {
			parts = append(parts, text[begin:i])
			begin = i
		}
		current = next
	}
	return append(parts, text[begin:])
}
