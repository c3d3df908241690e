package extract

import (
	"index/suffixarray"
	"strings"
)

// keySearch searches a text for keys. The first searches scan the text from the position after the
// last key, where the next one usually is. When the scans have cost more than a suffix array, one
// is built, so that the time of all searches is linear in the text and the keys.
type keySearch struct {
	text     string
	cursor   int
	scanned  int
	suffixes *suffixarray.Index
}

// maxScans is how often a text is scanned before its suffix array is built, which takes about as
// long.
const maxScans = 200

func (s *keySearch) contains(key string) bool {
	if s.suffixes == nil && s.scanned > maxScans*len(s.text) {
		s.suffixes = suffixarray.New([]byte(s.text))
	}
	if s.suffixes != nil {
		return len(s.suffixes.Lookup([]byte(key), 1)) > 0
	}
	return s.scan(s.cursor, key) || s.scan(0, key)
}

// scan searches from a position and moves the cursor after the key.
func (s *keySearch) scan(from int, key string) bool {
	at := strings.Index(s.text[from:], key)
	if at < 0 {
		s.scanned += len(s.text) - from
		return false
	}
	s.scanned += at
	s.cursor = from + at + len(key)
	return true
}
