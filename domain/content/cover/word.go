package cover

import (
	_ "embed"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"rostrum/llm/text"
)

var (
	//go:embed synonym.txt
	synonymList string
	//go:embed antonym.txt
	antonymList string
	//go:embed word_kind.txt
	wordList string
)

// taggedWord is a word of a sentence with its attributes.
type taggedWord struct {
	text.Span
	lower      string
	stem       string // empty for a stop word
	capital    bool
	first      bool    // first word of its sentence
	number     float64 // NaN for none
	percent    bool
	currency   rune // sign ahead of a number
	afterComma bool // preceded by a comma or similar punctuation
}

// wordDictionary holds the data files, keyed by stem.
type wordDictionary struct {
	groups    map[string][]int    // synonym groups
	opposites map[string][]string // stem to stems
	kinds     map[string]map[string]bool
}

var loadWords = sync.OnceValue(func() *wordDictionary {
	d := &wordDictionary{groups: map[string][]int{}, opposites: map[string][]string{}, kinds: map[string]map[string]bool{}}
	for i, line := range dataLines(synonymList) {
		for w := range strings.FieldsSeq(line) {
			stem := stemOf(w, "en")
			d.groups[stem] = append(d.groups[stem], i)
		}
	}
	for _, line := range dataLines(antonymList) {
		left, right, _ := strings.Cut(line, "|")
		for _, l := range strings.Fields(left) {
			for _, r := range strings.Fields(right) {
				l, r := stemOf(l, "en"), stemOf(r, "en")
				d.opposites[l], d.opposites[r] = append(d.opposites[l], r), append(d.opposites[r], l)
			}
		}
	}
	for _, line := range dataLines(wordList) {
		kind, words, _ := strings.Cut(line, ":")
		d.kinds[kind] = map[string]bool{}
		for w := range strings.FieldsSeq(words) {
			d.kinds[kind][w] = true
		}
	}
	return d
})

// dataLines returns the lines of a data file without comments and empty lines.
func dataLines(data string) []string {
	return slices.DeleteFunc(strings.Split(data, "\n"), func(line string) bool {
		return strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#")
	})
}

func isKind(kind, lower string) bool { return loadWords().kinds[kind][lower] }

// stemOf returns the stem of a word, or a stop word itself.
func stemOf(w, language string) string {
	if stems := text.Stems(w, language); len(stems) > 0 {
		return stems[0]
	}
	return strings.ToLower(w)
}

var possessiveEnding = regexp.MustCompile(`['’]s$`)

func parseWords(s text.Span, language string) []taggedWord {
	if language == "" {
		language = "en"
	}
	runes := []rune(s.Text)
	var words []taggedWord
	last := 0
	for i, span := range text.Words(s.Text) {
		first, _ := utf8.DecodeRuneInString(span.Text)
		lower := strings.ReplaceAll(strings.ToLower(span.Text), "’", "'")
		w := taggedWord{
			Span: text.Span{Text: span.Text, Start: s.Start + span.Start, End: s.Start + span.End}, lower: lower,
			capital: unicode.IsUpper(first), first: i == 0, number: noNumber,
			afterComma: strings.ContainsAny(string(runes[last:span.Start]), ",;:()–—"),
		}
		bare := possessiveEnding.ReplaceAllString(lower, "")
		if stems := text.Stems(bare, language); len(stems) > 0 {
			w.stem = stems[0]
		}
		last = span.End
		words = append(words, w)
	}
	return joinPhrases(readNumbers(words, runes, s.Start))
}

// joinPhrases merges words that have another meaning together.
func joinPhrases(words []taggedWord) []taggedWord {
	for i := 0; i+1 < len(words); i++ {
		if words[i].lower == "no" && words[i+1].lower == "longer" {
			words[i].lower, words[i].stem, words[i].End = "stop", "stop", words[i+1].End
			words = slices.Delete(words, i+1, i+2)
		}
	}
	return words
}

// keysOfWord returns the keys shared by similar words: the stem, its synonym groups, and its first letters.
func keysOfWord(w *taggedWord) []string {
	stem := w.stem
	if stem == "" {
		stem = w.lower
	}
	keys := []string{stem}
	if len(stem) >= 5 {
		keys = append(keys, "="+stem[:5])
	}
	for _, group := range loadWords().groups[stem] {
		keys = append(keys, "#"+strconv.Itoa(group))
	}
	return keys
}

func keysOf(words []taggedWord) map[string]bool {
	keys := map[string]bool{}
	for i := range words {
		for _, key := range keysOfWord(&words[i]) {
			keys[key] = true
		}
	}
	return keys
}

// areAlike reports whether words share a stem, a synonym group, or most of their letters.
func areAlike(a, b *taggedWord) bool {
	if a.stem == "" || b.lower == "" {
		return false
	}
	other := b.stem
	if other == "" {
		other = b.lower
	}
	if a.stem == other {
		return true
	}
	for _, group := range loadWords().groups[a.stem] {
		if slices.Contains(loadWords().groups[other], group) {
			return true
		}
	}
	short, long := a.stem, other
	if len(short) > len(long) {
		short, long = long, short
	}
	shared := 0
	for shared < len(short) && short[shared] == long[shared] {
		shared++
	}
	return shared >= 5 && shared == len(short) || shared >= 6 && 5*shared >= 4*len(short)
}

// currencySigns maps the stems of currencies to their signs.
var currencySigns = map[string]rune{"euro": '€', "dollar": '$', "pound": '£', "yen": '¥'}

// areOpposed reports whether words are antonyms.
func areOpposed(a, b *taggedWord) bool {
	other := b.stem
	if other == "" {
		other = b.lower
	}
	return a.stem != "" && slices.Contains(loadWords().opposites[a.stem], other)
}
