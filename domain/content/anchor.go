package content

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"rostrum/llm/text"
)

// passage is a part of a text, in code points.
type passage struct{ start, end int }

// movedPassage returns where a passage of a text is in a later text, or false if it is gone: if less
// than a quarter of its characters were kept. What was written instead of a part of it belongs to
// it; what was inserted before or after it does not.
func movedPassage(before []rune, edits []textEdit, p passage) (passage, bool) {
	moved, kept := p, count(before[p.start:p.end])
	total := kept
	for _, e := range edits {
		if from, to := max(e.From, p.start), min(e.To, p.end); from < to {
			kept -= count(before[from:to])
		}
		switch {
		case e.To <= p.start || e.From < p.start: // before it, or over its start
			moved.start = max(p.start, e.To) + e.NewTo - e.To
		case e.From == p.start && e.To > e.From:
			moved.start = e.NewFrom
		}
		switch {
		case e.From >= p.end:
		case e.To <= p.end:
			moved.end = p.end + e.NewTo - e.To
		default: // over its end
			moved.end = e.NewFrom
		}
	}
	return moved, kept > 0 && 4*kept >= total && moved.start < moved.end
}

// count returns the number of characters of a passage that are no white space.
func count(runes []rune) (n int) {
	for _, r := range runes {
		if !unicode.IsSpace(r) {
			n++
		}
	}
	return n
}

// minFoundWords is how many words a passage must have to be found again by its words alone.
const minFoundWords = 3

// findPassage returns the only place with the words in a text; false if there is none or another,
// and for fewer than minFoundWords words.
func findPassage(content, quote string) (passage, bool) {
	at := strings.Index(content, quote)
	if at < 0 || strings.Contains(content[at+1:], quote) || len(text.Words(quote)) < minFoundWords {
		return passage{}, false
	}
	start := utf8.RuneCountInString(content[:at])
	return passage{start, start + utf8.RuneCountInString(quote)}, true
}

// passageMover compares two texts of a draft, to move passages from one to the other.
type passageMover struct {
	before, after []rune
	content       string // after, as a text
	edits         []textEdit
}

func newPassageMover(before, after string) *passageMover {
	return &passageMover{[]rune(before), []rune(after), after, textEdits(before, after)}
}

// move returns where a passage is in the later text, or false if it is gone. A passage that was
// moved as a whole, or that was gone and comes back, is found by its words.
func (m *passageMover) move(p *passage, quote string) (passage, bool) {
	if p != nil && p.start < p.end && p.end <= len(m.before) {
		if moved, ok := movedPassage(m.before, m.edits, *p); ok {
			return m.adjusted(*p, moved), true
		}
	}
	return findPassage(m.content, quote)
}

// adjusted returns a moved passage with the same words as before if they begin or end where it does:
// a comparison cannot know which of two equal spaces was deleted. Otherwise it returns the passage
// without white space at its ends that it did not have.
func (m *passageMover) adjusted(old, moved passage) passage {
	words := m.before[old.start:old.end]
	for _, same := range []passage{{moved.start, moved.start + len(words)}, {moved.end - len(words), moved.end}} {
		if same.start >= 0 && same.end <= len(m.after) && slices.Equal(m.after[same.start:same.end], words) {
			return same
		}
	}
	for !unicode.IsSpace(words[0]) && unicode.IsSpace(m.after[moved.start]) && moved.start < moved.end-1 {
		moved.start++
	}
	for !unicode.IsSpace(words[len(words)-1]) && unicode.IsSpace(m.after[moved.end-1]) && moved.start < moved.end-1 {
		moved.end--
	}
	return moved
}
