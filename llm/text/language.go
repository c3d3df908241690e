package text

import (
	_ "embed"
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/RadhiFadlillah/whatlanggo"
	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/arabic"
	"github.com/blevesearch/snowballstem/danish"
	"github.com/blevesearch/snowballstem/dutch"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/finnish"
	"github.com/blevesearch/snowballstem/french"
	"github.com/blevesearch/snowballstem/german"
	"github.com/blevesearch/snowballstem/hungarian"
	"github.com/blevesearch/snowballstem/italian"
	"github.com/blevesearch/snowballstem/norwegian"
	"github.com/blevesearch/snowballstem/portuguese"
	"github.com/blevesearch/snowballstem/romanian"
	"github.com/blevesearch/snowballstem/russian"
	"github.com/blevesearch/snowballstem/spanish"
	"github.com/blevesearch/snowballstem/swedish"
	"github.com/blevesearch/snowballstem/tamil"
	"github.com/blevesearch/snowballstem/turkish"
)

// The number of bytes used to detect a language: fewer suffice for a reliable guess or for a script
// of few languages.
const (
	sampleBytes  = 4000
	lettersSure  = 40
	lettersGuess = 300
)

// Language returns the ISO 639-1 code of the text's language; empty if the text is too short.
func Language(text string) string {
	sample := text
	if len(sample) > sampleBytes {
		sample = strings.ToValidUTF8(sample[:sampleBytes], "")
	}
	letters := 0
	for _, r := range sample {
		if unicode.IsLetter(r) {
			letters++
		}
	}
	if letters < lettersSure {
		return ""
	}
	found := whatlanggo.Detect(sample)
	if found.Confidence < 0.5 && letters < lettersGuess && found.Script == unicode.Latin {
		return ""
	}
	return found.Lang.Iso6391()
}

// GuessLanguage returns the language of a text that may be too short to detect it: English, German,
// French or Spanish by the number of its stop words. It returns English for a text without any.
func GuessLanguage(text string) string {
	best, most := "en", 0
	if found := Language(text); found != "" {
		return found
	}
	for _, language := range []string{"en", "de", "fr", "es"} {
		stops := 0
		for _, token := range Tokens(text, language) {
			if token.Stop {
				stops++
			}
		}
		if stops > most {
			best, most = language, stops
		}
	}
	return best
}

var stemmers = map[string]func(*snowballstem.Env) bool{
	"ar": arabic.Stem, "da": danish.Stem, "de": german.Stem, "en": english.Stem, "es": spanish.Stem, "fi": finnish.Stem,
	"fr": french.Stem, "hu": hungarian.Stem, "it": italian.Stem, "nb": norwegian.Stem, "nl": dutch.Stem,
	"nn": norwegian.Stem,
	"no": norwegian.Stem, "pt": portuguese.Stem, "ro": romanian.Stem, "ru": russian.Stem, "sv": swedish.Stem,
	"ta": tamil.Stem, "tr": turkish.Stem,
}

//go:embed stop.txt
var stopList string

// stopWords returns the stop words by language; a line of the list begins with the language's code.
var stopWords = sync.OnceValue(func() map[string]map[string]bool {
	lists := map[string]map[string]bool{}
	for line := range strings.Lines(stopList) {
		language, words, _ := strings.Cut(line, ":")
		lists[language] = wordSet(words)
	}
	return lists
})

// wordStemmer stems the words of one language.
type wordStemmer struct {
	stem func(*snowballstem.Env) bool
	stop map[string]bool
	env  *snowballstem.Env
}

// newStemmer returns the stemmer of a language. Unknown languages use the English stemmer, which
// leaves most foreign words unchanged.
func newStemmer(language string) *wordStemmer {
	if language == "" {
		language = "en"
	}
	stop := stopWords()[language]
	if language == "nb" || language == "nn" {
		stop = stopWords()["no"]
	}
	return &wordStemmer{stem: stemmers[language], stop: stop, env: snowballstem.NewEnv("")}
}

// stemOf returns the stem of a word, and whether it is a stop word: a listed word, or a single
// letter other than a digit or symbol.
func (s *wordStemmer) stemOf(word string) (stem string, stop bool) {
	word = strings.ReplaceAll(strings.ToLower(word), "’", "'")
	first, _ := utf8.DecodeRuneInString(word)
	if s.stop[word] || utf8.RuneCountInString(word) < 2 && !isUnspacedScript(word) && !unicode.IsNumber(first) {
		return word, true
	}
	if s.stem == nil || !utf8.ValidString(word) {
		return word, false
	}
	s.env.SetCurrent(word)
	s.stem(s.env)
	if stem = s.env.Current(); stem == "" {
		return word, false
	}
	return stem, false
}

// Stem returns the stem of a word in lower case, in a language with a stemmer; other words remain
// as they are.
func Stem(word, language string) string {
	stem := stemmers[language]
	if stem == nil || !utf8.ValidString(word) {
		return word
	}
	env := snowballstem.NewEnv(word)
	if stem(env); env.Current() == "" {
		return word
	}
	return env.Current()
}

// StemmedLanguages returns the languages with a stemmer.
func StemmedLanguages() []string { return slices.Sorted(maps.Keys(stemmers)) }

// IsStop reports whether a word in lower case is one of a language's stop words.
func IsStop(word, language string) bool { return stopWords()[language][word] }
