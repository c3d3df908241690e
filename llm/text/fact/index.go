package fact

import "index/suffixarray"

// Index is a text in which many facts are looked up. Making it takes time in proportion to the
// text, and a look-up next to none, however long the text is.
type Index struct {
	text     string
	suffixes *suffixarray.Index
}

// minIndexed is the length of a text from which its suffixes are sorted.
const minIndexed = 512

// maxOccurrences is how many occurrences of a fact are tried before the text is searched for it.
const maxOccurrences = 32

// NewIndex returns the index of a text.
func NewIndex(text string) *Index {
	x := &Index{text: text}
	if len(text) >= minIndexed {
		x.suffixes = suffixarray.New([]byte(text))
	}
	return x
}

// Contains reports whether the text contains a fact as [Contains] does.
func (x *Index) Contains(fact string) bool {
	if x.suffixes == nil || fact == "" {
		return Contains(x.text, fact)
	}
	found := x.suffixes.Lookup([]byte(fact), maxOccurrences)
	for _, at := range found {
		if isWhole(x.text, at, fact) {
			return true
		}
	}
	return len(found) == maxOccurrences && Contains(x.text, fact)
}
