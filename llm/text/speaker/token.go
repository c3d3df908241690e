package speaker

import (
	"slices"
	"strings"
	"unicode"
)

// token is a word or a mark of a text with its position in runes.
type token struct {
	lower      string
	start, end int
	word       bool
	capital    bool // a word that begins with a capital letter
	upper      bool // a word in capital letters
	possessive bool // a name in the English genitive
	role       bool // a noun in front of a full name, in no list of roles
}

// page is the words and marks of a text, with their language: what the first pass makes.
type page struct {
	source   Source
	runes    []rune
	tokens   []token
	heading  []token // of the title
	words    lexicon
	german   bool
	inverts  bool            // the verb of saying may precede its subject in every sentence
	drops    bool            // a verb may have no subject
	lowered  map[string]bool // the words that the text has in lower case
	surnames map[string]bool // the last names that end like a role
}

// readWords splits a text into words and marks, and detects its language.
func readWords(source Source) page {
	r := page{source: source, runes: []rune(source.Text), lowered: map[string]bool{}}
	r.tokens, r.heading = tokenize(r.runes), tokenize([]rune(source.Title))
	r.words = detectLexicon(r.tokens)
	r.german, r.inverts, r.drops = r.words[kindCommon]["und"], !r.words[kindCommon]["the"], r.words[kindCommon]["los"]
	for _, t := range r.tokens {
		if t.word && !t.capital {
			r.lowered[t.lower] = true
		}
	}
	r.findSurnames()
	return r
}

// splitParts are words that are written with a hyphen after a verb.
var splitParts = []string{"il", "elle", "on", "ils", "elles", "t", "je", "nous"}

// tokenize splits runes into words and marks. A hyphen, an apostrophe or a decimal point inside a
// word is part of it, except an elided article and an inverted pronoun.
func tokenize(runes []rune) []token {
	var all []token
	for i := 0; i < len(runes); {
		switch end := wordEnd(runes, i); {
		case unicode.IsSpace(runes[i]):
			i++
		case end > i:
			all = append(all, splitWord(runes[i:end], i)...)
			i = end
		default:
			all = append(all, token{lower: string(runes[i]), start: i, end: i + 1})
			i++
		}
	}
	return all
}

// wordEnd returns the end of the word at a position; the position itself if there is none.
func wordEnd(runes []rune, at int) int {
	end := at
	for end < len(runes) && (isWordRune(runes[end]) || end > at && isInsideWord(runes, at, end)) {
		end++
	}
	return end
}

// isInsideWord reports whether a mark is part of the word that starts at a position.
func isInsideWord(runes []rune, at, mark int) bool {
	if mark+1 == len(runes) {
		return false
	}
	r, next := runes[mark], runes[mark+1]
	switch {
	case r == '.' && (isWordRune(next) || next == '-') && isDottedTitle(runes[at:]):
		return true
	case strings.ContainsRune(".,", r):
		return unicode.IsDigit(runes[mark-1]) && unicode.IsDigit(next)
	}
	return isWordRune(next) && strings.ContainsRune("-'’‑&", r)
}

// dottedTitles are the German titles with a full stop inside.
var dottedTitles = []string{"Dr.-Ing", "Dipl.-Ing", "Dipl.-Kfm", "Mag.a", "Dr.in", "Prof.in", "Ing.in", "Bgm.in"}

// isDottedTitle reports whether such a title is at the start of the runes.
func isDottedTitle(runes []rune) bool {
	return slices.ContainsFunc(dottedTitles, func(title string) bool {
		n := len(title)
		return len(runes) >= n && string(runes[:n]) == title && (len(runes) == n || !isWordRune(runes[n]))
	})
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }

// splitWord returns the tokens of a word: an elided article is a word of its own, and so is an
// inverted pronoun.
func splitWord(word []rune, start int) []token {
	at := slices.IndexFunc(word, func(r rune) bool { return r == '\'' || r == '’' })
	if at > 0 && at+1 < len(word) {
		rest := word[at+1:]
		switch {
		case len(rest) == 1 && unicode.ToLower(rest[0]) == 's':
			t := newToken(word[:at], start)
			t.end, t.possessive = start+len(word), true
			return []token{t}
		case isElided(word[:at], rest):
			return append([]token{newToken(word[:at], start)}, splitWord(rest, start+at+1)...)
		}
	}
	isHyphen := func(r rune) bool { return r == '-' || r == '‑' }
	if at := slices.IndexFunc(word, isHyphen); at > 0 {
		rest := strings.FieldsFunc(strings.ToLower(string(word[at+1:])), isHyphen)
		if len(rest) > 0 && slices.Contains(splitParts, rest[len(rest)-1]) {
			return append([]token{newToken(word[:at], start)}, splitWord(word[at+1:], start+at+1)...)
		}
	}
	return []token{newToken(word, start)}
}

// isElided reports whether letters in front of an apostrophe are an article, and not the start of a
// name such as "O'Brien" or "D'Angelo".
func isElided(letters, rest []rune) bool {
	first := letters[0]
	return len(letters) <= 2 && (unicode.IsLower(first) || strings.ContainsRune("LDJNSCQ", first)) &&
		(first != 'D' || !unicode.IsUpper(rest[0]))
}

func newToken(word []rune, start int) token {
	lower := strings.ReplaceAll(strings.ToLower(string(word)), "’", "'")
	return token{lower: lower, start: start, end: start + len(word), word: true, capital: unicode.IsUpper(word[0]),
		upper: !slices.ContainsFunc(word, unicode.IsLower)}
}

// is reports whether the token is one of the marks.
func (t token) is(marks string) bool { return !t.word && strings.Contains(marks, t.lower) }

// The marks that structure sentences.
const (
	stopMarks    = ".!?…"
	dashMarks    = "–—-"
	anyQuote     = "\"“”„«»"
	shortestName = 2 // runes of a word before a full stop that is no initial

	longestTitle   = 4 // letters of an abbreviated title in lower case
	longestOrdinal = 2 // digits of a German ordinal: "der 1. Vorsitzende"
)

// isA reports whether the word at a position is an entry of one of the kinds.
func (r *page) isA(at int, kinds ...string) bool {
	return slices.ContainsFunc(kinds, func(kind string) bool { return r.words[kind][r.tokens[at].lower] })
}

// match returns the number of tokens of the longest entry of a kind at a position; 0 without one.
func (r *page) match(kind string, at, to int) int { return r.words.matchLength(kind, r.tokens[at:to]) }

// contains reports whether an entry of a kind is in a range.
func (r *page) contains(kind string, from, to int) bool {
	return r.words.contains(kind, r.tokens[from:to])
}

// wordsIn returns the number of words of a range.
func (r *page) wordsIn(from, to int) int { return countWords(r.tokens[from:to]) }

// nameAt returns the number of tokens of a name at a position; 0 without one.
func (r *page) nameAt(at, to int) int { return r.runLength(r.tokens[at:to]) }

// roleAt returns the number of tokens of a role at a position; 0 without one.
func (r *page) roleAt(at, to int) int { return r.roleLength(r.tokens[at:to]) }

// isAbbreviation reports whether a full stop after a word ends no sentence: an initial, a German
// ordinal, a title or a short form.
func (r *page) isAbbreviation(t token, beforeNumber bool) bool {
	length := t.end - t.start
	isInitial := t.capital && length < shortestName
	isOrdinal := r.german && unicode.IsDigit(r.runes[t.start]) && length <= longestOrdinal
	isTitle := r.words[kindTitle][t.lower] && (t.capital || length <= longestTitle)
	return isInitial || isOrdinal || isTitle || shortForms[t.lower] && (t.lower != "no" || beforeNumber)
}

// shortForms are abbreviations within sentences.
var shortForms = map[string]bool{"no": true, "st": true, "vs": true, "approx": true, "hr": true, "bzw": true,
	"ca": true, "z": true, "b": true, "nr": true, "núm": true, "ee": true, "uu": true, "ph": true}
