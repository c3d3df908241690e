package search

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"rostrum/llm/text"
)

// Version is the version of the analysis. Texts that another version has analyzed are indexed
// again.
const Version = 1

const (
	// maxIndexBytes limits the words of a text with their places: Postgres takes a megabyte. Of
	// usual texts that is a book.
	maxIndexBytes = 900_000
	// maxWordRunes is the longest word that is indexed, from its start. Longer ones are no words.
	maxWordRunes = 60
	// positionBytes and entryBytes are what a place and a word cost; maxPositions are kept.
	positionBytes, entryBytes, maxPositions = 2, 12, 256
)

// Text is an analyzed text.
type Text struct {
	Title, Content []string // the words as the index has them, in order
	Words          []Word   // the distinct words with their stems, in order; without numbers
}

// Word is a word of a text with one of its stems, as the list of words has it.
type Word struct{ Form, Language, Stem string }

// Reversed returns the stem from its end, by which words with the same end are found.
func (w Word) Reversed() string { return reverse(w.Stem) }

// Analyze splits a text into words. Without a language it guesses it.
func Analyze(title, content, language string) Text {
	if language = baseLanguage(language); language == "" {
		language = text.GuessLanguage(title + "\n" + text.FirstRunes(content, guessRunes))
	}
	a := analyzer{language: language, seen: map[string]int{}, raws: map[string]bool{}, words: map[Word]struct{}{}}
	out := Text{Title: a.add(title), Content: a.add(content)}
	out.Words = slices.SortedFunc(maps.Keys(a.words), func(a, b Word) int {
		return cmp.Or(strings.Compare(a.Form, b.Form), strings.Compare(a.Language, b.Language),
			strings.Compare(a.Stem, b.Stem))
	})
	return out
}

// guessRunes is how much of a text is read to guess its language.
const guessRunes = 2000

// analyzer collects the words of a text.
type analyzer struct {
	language string
	seen     map[string]int  // by form
	raws     map[string]bool // words whose stems are known
	words    map[Word]struct{}
	bytes    int
}

// add returns the words of a part of the text, up to the limit of the whole.
func (a *analyzer) add(part string) []string {
	forms := []string{}
	tokenize(part, func(t token) bool {
		form := cutWord(t.form)
		count := a.seen[form]
		switch {
		case count == 0:
			a.bytes += len(form) + entryBytes
		case count < maxPositions:
			a.bytes += positionBytes
		}
		if a.bytes > maxIndexBytes {
			return false
		}
		a.seen[form]++
		forms = append(forms, form)
		if !a.raws[t.raw] && !t.isGram && len(form) == len(t.form) && isName(form) {
			a.raws[t.raw] = true
			for _, stem := range stemsOf(t, a.language) {
				a.words[Word{form, stemLanguage(form, a.language), stem}] = struct{}{}
			}
		}
		return true
	})
	return forms
}

// cutWord returns the start of a word that is too long.
func cutWord(form string) string {
	if len(form) <= maxWordRunes {
		return form
	}
	return text.FirstRunes(form, maxWordRunes)
}

// isName reports whether a word has at least two characters and a letter.
func isName(form string) bool {
	return utf8.RuneCountInString(form) > 1 && strings.ContainsFunc(form, unicode.IsLetter)
}

func baseLanguage(tag string) string {
	base, _, _ := strings.Cut(strings.ToLower(tag), "-")
	return base
}

// otherScripts are the languages with a stemmer that are not written in Latin letters.
var otherScripts = map[string]*unicode.RangeTable{"ar": unicode.Arabic, "ru": unicode.Cyrillic, "ta": unicode.Tamil}

// stemLanguage returns the language whose stemmer a word of a text takes: the text's, English for
// Latin letters in a text of another script, else "".
func stemLanguage(form, language string) string {
	first, _ := utf8.DecodeRuneInString(form)
	isLatin := first <= unicode.MaxASCII || unicode.Is(unicode.Latin, first)
	script, isOther := otherScripts[language]
	switch {
	case isOther && unicode.Is(script, first), !isOther && isLatin && isStemmed[language]:
		return language
	case isLatin:
		return "en"
	}
	return ""
}

// isStemmed has the languages with a stemmer.
var isStemmed = wordSet(strings.Join(text.StemmedLanguages(), " "))

// stemsOf returns the stems of a word in a language: of the word as it is written, without accents,
// and of a German one without digraphs.
func stemsOf(t token, language string) []string {
	language = stemLanguage(t.form, language)
	stems := []string{fold(text.Stem(t.raw, language)), text.Stem(t.form, language)}
	if language == "de" {
		stems = append(stems, text.Stem(digraphs(t.form), language))
	}
	slices.Sort(stems)
	return slices.DeleteFunc(slices.Compact(stems), func(stem string) bool { return stem == "" })
}
