package text

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Phrase is a key phrase of a text: its first mention, the number of mentions, and its weight
// relative to the heaviest phrase, 0 to 1.
type Phrase struct {
	Span
	Count  int
	Weight float64
}

// longestPhrase is the maximum number of words of a phrase.
const longestPhrase = 4

// Keyphrases returns up to n phrases, heaviest first: words between stop words and punctuation (as
// in RAKE), weighted by frequency, length, capitalization and position. No phrase repeats a heavier
// one.
func Keyphrases(text string, n int) []Phrase {
	list := Tokens(text, orEnglish(Language(text)))
	runes := []rune(text)
	found := map[string]*Phrase{}
	heard := map[string]float64{}
	for _, t := range list {
		heard[t.Stem]++
	}
	for at := range list {
		for _, run := range candidatePhrases(list[at:]) {
			key := phraseKey(run)
			if known := found[key]; known != nil {
				known.Count++
				continue
			}
			start, end := run[0].Start, run[len(run)-1].End
			if possessive := string(runes[start:end]); strings.HasSuffix(possessive, "'s") ||
				strings.HasSuffix(possessive, "’s") {
				end -= 2
			}
			weight := meanFrequency(run, heard) * nameFactor(run) * positionFactor(start, len(runes))
			found[key] = &Phrase{Span: Span{string(runes[start:end]), start, end}, Count: 1, Weight: weight}
		}
	}
	return topPhrases(found, n)
}

// candidatePhrases returns the phrases that begin with the first word.
func candidatePhrases(list []Token) [][]Token {
	var all [][]Token
	for i, t := range list[:min(len(list), longestPhrase)] {
		if t.Stop || i > 0 && t.AfterBreak {
			break
		}
		if run := list[:i+1]; !isNumeric(run) {
			all = append(all, run)
		}
	}
	return all
}

// isNumeric reports whether a run has only numbers.
func isNumeric(run []Token) bool {
	return !slices.ContainsFunc(run, func(t Token) bool { return strings.ContainsFunc(t.Text, unicode.IsLetter) })
}

func phraseKey(run []Token) string {
	stems := make([]string, len(run))
	for i, t := range run {
		stems[i] = t.Stem
	}
	return strings.Join(stems, " ")
}

// meanFrequency returns the mean frequency of a phrase's words; a short single word counts half.
func meanFrequency(run []Token, heard map[string]float64) float64 {
	sum := 0.0
	for _, t := range run {
		sum += heard[t.Stem]
	}
	if len(run) == 1 && len([]rune(run[0].Text)) < 4 && !isUnspacedScript(run[0].Text) {
		sum /= 2
	}
	return sum / float64(len(run))
}

// nameFactor returns 1.3 for capitalized phrases, else 1.
func nameFactor(run []Token) float64 {
	for _, t := range run {
		if first, _ := utf8.DecodeRuneInString(t.Text); !unicode.IsUpper(first) {
			return 1
		}
	}
	if len(run) == 1 && run[0].AfterBreak {
		return 1
	}
	return 1.3
}

// countWeight returns the weight of a phrase's frequency and length. Long phrases must recur to
// count for more.
func countWeight(key string, count int) float64 {
	words := min(strings.Count(key, " ")+1, 3)
	switch {
	case count > 1:
		return (1 + math.Log(float64(count))) * (1 + 0.4*float64(words-1))
	case words == 2:
		return 1.2
	}
	return 1
}

// positionFactor returns 1.3 at the start of a text, falling to 1 at its end.
func positionFactor(start, length int) float64 { return 1.3 - 0.3*float64(start)/float64(length) }

// repeatsPhrase reports whether a phrase repeats a heavier one: a part of it, an extension of it,
// or a coincidental neighbor of one of its words.
func repeatsPhrase(key, heavier string, count int) bool {
	if strings.Contains(" "+heavier+" ", " "+key+" ") || strings.Contains(" "+key+" ", " "+heavier+" ") {
		return true
	}
	words := strings.Fields(heavier)
	return count == 1 && slices.ContainsFunc(strings.Fields(key),
		func(word string) bool { return slices.Contains(words, word) })
}

func topPhrases(found map[string]*Phrase, n int) []Phrase {
	for key, p := range found {
		p.Weight *= countWeight(key, p.Count)
	}
	keys := slices.SortedFunc(maps.Keys(found), func(a, b string) int {
		return cmp.Or(cmp.Compare(found[b].Weight, found[a].Weight), cmp.Compare(found[a].Start, found[b].Start))
	})
	var taken []string
	var phrases []Phrase
	for _, key := range keys {
		if len(phrases) >= n {
			break
		}
		if slices.ContainsFunc(taken, func(heavier string) bool {
			return repeatsPhrase(key, heavier, found[key].Count)
		}) {
			continue
		}
		taken = append(taken, key)
		phrase := *found[key]
		phrase.Weight /= found[keys[0]].Weight
		phrases = append(phrases, phrase)
	}
	return phrases
}
