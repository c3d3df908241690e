package extract

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// spellings are the words of a document. They tell whether a hyphen at the end of a line belongs to
// its word: a document that has "wave-length" elsewhere keeps the hyphen.
type spellings struct {
	pages [][]textLine
	words map[string]bool // in lower case; nil until first use
}

// hyphenated are first parts of English words that keep their hyphen before nearly every word, and
// the ends of the words that are written as one. Without a dictionary, other words are taken as
// broken by the end of their line.
var hyphenated = map[string][]string{
	"well": {"ness", "ington", "head", "spring", "ies"}, "self": {"ish", "less", "same", "ie"}, "quasi": nil,
}

// phraseWords are the words within compounds that are phrases, as "up-to-date".
var phraseWords = map[string]bool{"a": true, "and": true, "at": true, "by": true, "for": true, "in": true, "of": true,
	"off": true, "on": true, "or": true, "out": true, "the": true, "to": true, "up": true}

// isCompound reports whether the hyphen between the end of a text and the next line belongs to the
// word.
func (s *spellings) isCompound(text []byte, next string) bool {
	head := strings.ToLower(lastWord(text))
	last, _ := utf8.DecodeLastRuneInString(head)
	parts := strings.Split(head, "-")
	if unicode.IsDigit(last) || len(parts) > 1 && phraseWords[parts[len(parts)-1]] {
		return true // 24-hour, state-of-the-art
	}
	tail := strings.ToLower(firstWord(next))
	switch s.load(); {
	case s.words[head+tail]:
		return false
	case s.words[head+"-"+tail]:
		return true
	}
	ends, known := hyphenated[head]
	for _, end := range ends {
		known = known && !strings.HasPrefix(tail, end)
	}
	return known
}

// joinWords joins the words that the engine found broken within its lines.
func (s *spellings) joinWords() {
	for _, lines := range s.pages {
		for i := range lines {
			parts := strings.Split(lines[i].text, brokenWord)
			if len(parts) == 1 {
				continue
			}
			text := []byte(parts[0])
			for _, part := range parts[1:] {
				first, _ := utf8.DecodeRuneInString(part)
				if !unicode.IsLower(first) || s.isCompound(text, part) {
					text = append(text, '-')
				}
				text = append(text, part...)
			}
			lines[i].text = string(text)
		}
	}
}

func (s *spellings) load() {
	if s.words != nil {
		return
	}
	s.words = map[string]bool{}
	for _, lines := range s.pages {
		for _, line := range lines {
			for word := range strings.FieldsFuncSeq(line.text, notWord) {
				s.words[strings.ToLower(strings.Trim(word, "-"))] = true
			}
		}
	}
}

func notWord(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' }

// maxWord is the maximum length of a word that is compared, in bytes.
const maxWord = 80

func lastWord(text []byte) string {
	text = text[max(0, len(text)-maxWord):]
	return string(text[bytes.LastIndexFunc(text, notWord)+1:])
}

func firstWord(text string) string {
	if end := strings.IndexFunc(text, notWord); end >= 0 {
		return text[:end]
	}
	return text
}
