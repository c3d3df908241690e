package offline

import "rostrum/llm/text"

// Nearest is the sentence with most words of a point, and the words that it lacks.
type Nearest struct {
	Evidence text.Span
	Missing  []string
}

// FindNearest returns the first sentence with most words of a point, if it has more than half of
// them. Stop words and negations do not count.
func (t *Text) FindNearest(point string) (near Nearest, found bool) {
	p := t.parsePoint(point)
	fewest := len(p.tokens)
	for _, s := range t.sentences {
		missing := t.findPassage(p, s).missing
		if len(missing) >= fewest || 2*len(missing) >= len(p.tokens) {
			continue
		}
		fewest, found = len(missing), true
		near = Nearest{Evidence: s.Span, Missing: []string{}}
		for _, n := range missing {
			near.Missing = append(near.Missing, p.tokens[n].Text)
		}
	}
	return near, found
}
