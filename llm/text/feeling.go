package text

import (
	_ "embed"
	"math"
	"strings"
	"sync"
)

//go:embed feeling.txt
var feelingList string

// sentimentWords holds the words of a language by their effect on a sentence: stems of good and bad
// words, and negations.
type sentimentWords struct {
	worth map[string]float64
	not   map[string]bool
}

// A word's score and the bound of sums are those of VADER, so that all languages share a scale.
const (
	feelingWorth = 2.0
	feelingBound = 15.0
	negation     = -0.74
	negationSpan = 3 // number of words after a negation that it inverts
)

// foreignSentiments returns the words of the languages that VADER does not support. A line of the
// list begins with the language and + (good),
// - (bad) or ! (negation).
var foreignSentiments = sync.OnceValue(func() map[string]*sentimentWords {
	lists := map[string]*sentimentWords{}
	for line := range strings.Lines(feelingList) {
		head, words, _ := strings.Cut(line, ":")
		language, kind := head[:len(head)-1], head[len(head)-1]
		if lists[language] == nil {
			lists[language] = &sentimentWords{worth: map[string]float64{}, not: map[string]bool{}}
		}
		lists[language].addWords(language, kind, words)
	}
	return lists
})

func (f *sentimentWords) addWords(language string, kind byte, words string) {
	stem := newStemmer(language)
	for word := range strings.FieldsSeq(words) {
		root, _ := stem.stemOf(word)
		switch kind {
		case '+':
			f.worth[root] = feelingWorth
		case '-':
			f.worth[root] = -feelingWorth
		case '!':
			f.not[word] = true
		}
	}
}

// scoreSentence returns the sentiment of a sentence, from -1 to 1.
func (f *sentimentWords) scoreSentence(sentence, language string) float64 {
	stem := newStemmer(language)
	sum, turned := 0.0, 0 // turned is the number of words that the current negation still inverts
	for _, word := range Words(sentence) {
		bare := strings.ToLower(word.Text)
		root, _ := stem.stemOf(bare)
		worth := f.worth[root]
		if turned > 0 {
			worth *= negation
		}
		sum += worth
		turned--
		if f.not[bare] || strings.HasPrefix(bare, "n'") || strings.HasPrefix(bare, "n’") {
			turned = negationSpan
		}
	}
	return sum / math.Sqrt(sum*sum+feelingBound)
}
