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
	//go:embed word.txt
	wordList string
)

// word is one of a sentence with what is known of it by itself.
type word struct {
	text.Span
	lower   string
	stem    string // empty for a word that says little by itself
	capital bool
	first   bool    // of its sentence
	number  float64 // NaN for none
	percent bool
	sign    rune // of a currency, before a number
	apart   bool // a comma or the like stands before it
}

// dictionary is what the data files say, by stems.
type dictionary struct {
	groups    map[string][]int    // of words that say the same
	opposites map[string][]string // stem to stems
	kinds     map[string]map[string]bool
}

var known = sync.OnceValue(func() *dictionary {
	d := &dictionary{groups: map[string][]int{}, opposites: map[string][]string{}, kinds: map[string]map[string]bool{}}
	for i, line := range lines(synonymList) {
		for w := range strings.FieldsSeq(line) {
			stem := stemOf(w, "en")
			d.groups[stem] = append(d.groups[stem], i)
		}
	}
	for _, line := range lines(antonymList) {
		left, right, _ := strings.Cut(line, "|")
		for _, l := range strings.Fields(left) {
			for _, r := range strings.Fields(right) {
				l, r := stemOf(l, "en"), stemOf(r, "en")
				d.opposites[l], d.opposites[r] = append(d.opposites[l], r), append(d.opposites[r], l)
			}
		}
	}
	for _, line := range lines(wordList) {
		kind, words, _ := strings.Cut(line, ":")
		d.kinds[kind] = map[string]bool{}
		for w := range strings.FieldsSeq(words) {
			d.kinds[kind][w] = true
		}
	}
	return d
})

// lines are those of a data file that are no comments.
func lines(data string) []string {
	return slices.DeleteFunc(strings.Split(data, "\n"), func(line string) bool {
		return strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#")
	})
}

func is(kind, lower string) bool { return known().kinds[kind][lower] }

// stemOf is a word's stem; a stop word is its own.
func stemOf(w, language string) string {
	if stems := text.Stems(w, language); len(stems) > 0 {
		return stems[0]
	}
	return strings.ToLower(w)
}

var possessive = regexp.MustCompile(`['’]s$`)

func wordsOf(s text.Span, language string) []word {
	if language == "" {
		language = "en"
	}
	runes := []rune(s.Text)
	var words []word
	last := 0
	for i, span := range text.Words(s.Text) {
		first, _ := utf8.DecodeRuneInString(span.Text)
		lower := strings.ReplaceAll(strings.ToLower(span.Text), "’", "'")
		w := word{
			Span: text.Span{Text: span.Text, Start: s.Start + span.Start, End: s.Start + span.End}, lower: lower,
			capital: unicode.IsUpper(first), first: i == 0, number: none,
			apart: strings.ContainsAny(string(runes[last:span.Start]), ",;:()–—"),
		}
		bare := possessive.ReplaceAllString(lower, "")
		if stems := text.Stems(bare, language); len(stems) > 0 {
			w.stem = stems[0]
		}
		last = span.End
		words = append(words, w)
	}
	return joinPhrases(readNumbers(words, runes, s.Start))
}

// joinPhrases makes one word of several that say something else together.
func joinPhrases(words []word) []word {
	for i := 0; i+1 < len(words); i++ {
		if words[i].lower == "no" && words[i+1].lower == "longer" {
			words[i].lower, words[i].stem, words[i].End = "stop", "stop", words[i+1].End
			words = slices.Delete(words, i+1, i+2)
		}
	}
	return words
}

// keysOfWord are what words that are alike have in common: their stem, their group, or their first letters.
func keysOfWord(w *word) []string {
	stem := w.stem
	if stem == "" {
		stem = w.lower
	}
	keys := []string{stem}
	if len(stem) >= 5 {
		keys = append(keys, "="+stem[:5])
	}
	for _, group := range known().groups[stem] {
		keys = append(keys, "#"+strconv.Itoa(group))
	}
	return keys
}

func keysOf(words []word) map[string]bool {
	keys := map[string]bool{}
	for i := range words {
		for _, key := range keysOfWord(&words[i]) {
			keys[key] = true
		}
	}
	return keys
}

// alike reports words of one stem, of one group, or of one beginning that is most of both.
func alike(a, b *word) bool {
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
	for _, group := range known().groups[a.stem] {
		if slices.Contains(known().groups[other], group) {
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

// signs are the currencies that stand before numbers, by their stems.
var signs = map[string]rune{"euro": '€', "dollar": '$', "pound": '£', "yen": '¥'}

// opposed reports words that say the opposite.
func opposed(a, b *word) bool {
	other := b.stem
	if other == "" {
		other = b.lower
	}
	return a.stem != "" && slices.Contains(known().opposites[a.stem], other)
}
