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

// splitParts are words that are written with a hyphen after a verb.
var splitParts = []string{"il", "elle", "on", "ils", "elles", "t", "je", "nous"}

// tokenize splits runes into words and marks. Positions count from offset. A hyphen, an apostrophe
// or a decimal point inside a word is part of it, except an elided article and an inverted pronoun.
func tokenize(runes []rune, offset int) []token {
	var all []token
	for i := 0; i < len(runes); {
		switch end := wordEnd(runes, i); {
		case unicode.IsSpace(runes[i]):
			i++
		case end > i:
			all = append(all, splitWord(runes[i:end], offset+i)...)
			i = end
		default:
			all = append(all, token{lower: string(runes[i]), start: offset + i, end: offset + i + 1})
			i++
		}
	}
	return all
}

// wordEnd returns the end of the word at a position; the position itself if there is none.
func wordEnd(runes []rune, at int) int {
	end := at
	for end < len(runes) {
		r := runes[end]
		inside := end > at && end+1 < len(runes) && isWordRune(runes[end+1])
		switch {
		case isWordRune(r):
		case inside && strings.ContainsRune("-'’‑&", r):
		case inside && strings.ContainsRune(".,", r) && unicode.IsDigit(runes[end-1]) && unicode.IsDigit(runes[end+1]):
		case (inside || end > at && end+1 < len(runes) && runes[end+1] == '-') && r == '.' && isDottedTitle(runes[at:]):
		default:
			return end
		}
		end++
	}
	return end
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
	if at := slices.IndexFunc(word, func(r rune) bool { return r == '\'' || r == '’' }); at > 0 && at+1 < len(word) {
		rest := word[at+1:]
		switch {
		case len(rest) == 1 && unicode.ToLower(rest[0]) == 's':
			t := newToken(word[:at], start)
			t.end, t.possessive = start+len(word), true
			return []token{t}
		case at <= 2 && (unicode.IsLower(word[0]) || strings.ContainsRune("LDJNSCQ", word[0])) && at+1 < len(word) &&
			!(word[0] == 'O' || word[0] == 'D' && unicode.IsUpper(rest[0])):
			return append([]token{newToken(word[:at], start)}, splitWord(rest, start+at+1)...)
		}
	}
	if at := slices.IndexFunc(word, func(r rune) bool { return r == '-' || r == '‑' }); at > 0 {
		rest := strings.FieldsFunc(strings.ToLower(string(word[at+1:])),
			func(r rune) bool { return r == '-' || r == '‑' })
		if len(rest) > 0 && slices.Contains(splitParts, rest[len(rest)-1]) {
			return append([]token{newToken(word[:at], start)}, splitWord(word[at+1:], start+at+1)...)
		}
	}
	return []token{newToken(word, start)}
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

// isStop reports whether the token at i ends a sentence.
func (r *Reading) isStop(i int) bool {
	t := r.tokens[i]
	if !t.is(stopMarks) || t.lower != "." {
		return t.is(stopMarks)
	}
	if i == 0 || !r.tokens[i-1].word || r.tokens[i-1].end != t.start {
		return true
	}
	before := r.tokens[i-1]
	isInitial := before.capital && before.end-before.start < shortestName
	isOrdinal := r.german && unicode.IsDigit(r.runes[before.start]) && before.end-before.start <= longestOrdinal
	if i+1 == len(r.tokens) || r.blockOf[i+1] != r.blockOf[i] {
		return true
	}
	isInside := r.tokens[i+1].word && !r.tokens[i+1].capital && unicode.IsLetter(r.runes[r.tokens[i+1].start])
	isShort := shortForms[before.lower] && (before.lower != "no" || unicode.IsDigit(r.runes[r.tokens[i+1].start]))
	isTitle := r.words[kindTitle][before.lower] && (before.capital || before.end-before.start <= longestTitle)
	return !isInside && !isInitial && !isOrdinal && !isTitle && !isShort
}

// sentenceStart returns the first token of the sentence of a token, in its block.
func (r *Reading) sentenceStart(at int) int {
	for at > r.blocks[r.blockOf[at]].from && !r.isStop(at-1) {
		at--
	}
	return at
}

// quotingStart returns the first token of the sentence in front of a position, in its block, with
// the quotations in that sentence.
func (r *Reading) quotingStart(at int) int {
	for at > r.blocks[r.blockOf[min(at, len(r.tokens)-1)]].from && (r.quoteOf[at-1] > 0 || !r.isStop(at-1)) {
		at--
	}
	return at
}

// shortForms are abbreviations within sentences.
var shortForms = map[string]bool{"no": true, "st": true, "vs": true, "approx": true, "hr": true, "bzw": true,
	"ca": true, "z": true, "b": true, "nr": true, "núm": true, "ee": true, "uu": true, "ph": true}
