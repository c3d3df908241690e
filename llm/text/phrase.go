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

// Phrase is what a text is about: its first mention, how often it is mentioned, and its weight beside the text's heaviest phrase, 0 to 1.
type Phrase struct {
	Span
	Count  int
	Weight float64
}

// longestPhrase is how many words a phrase has at most.
const longestPhrase = 4

// Keyphrases gives up to n phrases, heaviest first: words that stand together between stop words and punctuation (as in RAKE), weighed by how
// often they and their words stand in the text, how long they are, whether they are a name, and how early they come. None says a
// heavier one again.
func Keyphrases(text string, n int) []Phrase {
	list := tokens(text, orEnglish(Language(text)))
	runes := []rune(text)
	found := map[string]*Phrase{}
	heard := map[string]float64{}
	for _, t := range list {
		heard[t.stem]++
	}
	for at := range list {
		for _, run := range candidates(list[at:]) {
			key := keyOf(run)
			if known := found[key]; known != nil {
				known.Count++
				continue
			}
			start, end := run[0].Start, run[len(run)-1].End
			if possessive := string(runes[start:end]); strings.HasSuffix(possessive, "'s") || strings.HasSuffix(possessive, "’s") {
				end -= 2
			}
			weight := familiar(run, heard) * proper(run) * early(start, len(runes))
			found[key] = &Phrase{Span: Span{string(runes[start:end]), start, end}, Count: 1, Weight: weight}
		}
	}
	return heaviest(found, n)
}

// candidates lists the phrases that begin with the first word.
func candidates(list []token) [][]token {
	var all [][]token
	for i, t := range list[:min(len(list), longestPhrase)] {
		if t.stop || i > 0 && t.apart {
			break
		}
		if run := list[:i+1]; !numbers(run) {
			all = append(all, run)
		}
	}
	return all
}

// numbers reports a run that names nothing.
func numbers(run []token) bool {
	return !slices.ContainsFunc(run, func(t token) bool { return strings.ContainsFunc(t.Text, unicode.IsLetter) })
}

func keyOf(run []token) string {
	stems := make([]string, len(run))
	for i, t := range run {
		stems[i] = t.stem
	}
	return strings.Join(stems, " ")
}

// familiar is the mean of how often the phrase's words are heard; a short single word counts half.
func familiar(run []token, heard map[string]float64) float64 {
	sum := 0.0
	for _, t := range run {
		sum += heard[t.stem]
	}
	if len(run) == 1 && len([]rune(run[0].Text)) < 4 && !unspaced(run[0].Text) {
		sum /= 2
	}
	return sum / float64(len(run))
}

// proper is 1.3 for what is written as a name.
func proper(run []token) float64 {
	for _, t := range run {
		if first, _ := utf8.DecodeRuneInString(t.Text); !unicode.IsUpper(first) {
			return 1
		}
	}
	if len(run) == 1 && run[0].apart {
		return 1
	}
	return 1.3
}

// often weighs how many times a phrase stands in the text, and its length: long ones must come back to count for more.
func often(key string, count int) float64 {
	words := min(strings.Count(key, " ")+1, 3)
	switch {
	case count > 1:
		return (1 + math.Log(float64(count))) * (1 + 0.4*float64(words-1))
	case words == 2:
		return 1.2
	}
	return 1
}

// early is 1.3 for what begins a text and falls to 1 at its end.
func early(start, length int) float64 { return 1.3 - 0.3*float64(start)/float64(length) }

// repeatsPhrase reports a phrase that says a heavier one again: a part of it, more than it, or a chance neighbour of one of its words.
func repeatsPhrase(key, heavier string, count int) bool {
	if strings.Contains(" "+heavier+" ", " "+key+" ") || strings.Contains(" "+key+" ", " "+heavier+" ") {
		return true
	}
	words := strings.Fields(heavier)
	return count == 1 && slices.ContainsFunc(strings.Fields(key), func(word string) bool { return slices.Contains(words, word) })
}

func heaviest(found map[string]*Phrase, n int) []Phrase {
	for key, p := range found {
		p.Weight *= often(key, p.Count)
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
		if slices.ContainsFunc(taken, func(heavier string) bool { return repeatsPhrase(key, heavier, found[key].Count) }) {
			continue
		}
		taken = append(taken, key)
		phrase := *found[key]
		phrase.Weight /= found[keys[0]].Weight
		phrases = append(phrases, phrase)
	}
	return phrases
}
