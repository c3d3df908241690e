package house

import (
	"fmt"
	"math"
	"strings"
	"unicode"

	"rostrum/llm/text"
	"rostrum/model"
)

// Readability is how easy a text is to read. Higher is easier.
type Readability struct {
	Measure model.ReadabilityMeasure
	Value   float64
}

// prose counts what readability goes by, in the paragraphs of a text.
type prose struct {
	language                    string
	sentences, words, syllables int
}

// readProse counts the paragraphs of a text, if a measure of its language is known.
func readProse(blocks []block, language string) prose {
	counted := prose{language: language}
	if language != "en" && language != "de" {
		return counted
	}
	for i := range blocks {
		if blocks[i].scope != "paragraph" {
			continue
		}
		counted.sentences += len(blocks[i].sentences())
		for _, word := range text.Words(blocks[i].text) {
			counted.words++
			counted.syllables += countSyllables(word.Text, language)
		}
	}
	return counted
}

func (p prose) wordsPerSentence() float64 { return float64(p.words) / float64(p.sentences) }

func (p prose) syllablesPerWord() float64 { return float64(p.syllables) / float64(p.words) }

// readability returns Flesch's reading ease of an English text, or Amstad's of a German one; nil for
// others and without words.
func (p prose) readability() *Readability {
	switch {
	case p.words == 0:
		return nil
	case p.language == "de":
		return &Readability{model.ReadabilityMeasureAmstad, tenths(180 - p.wordsPerSentence() - 58.5*p.syllablesPerWord())}
	}
	return &Readability{model.ReadabilityMeasureFlesch,
		tenths(206.835 - 1.015*p.wordsPerSentence() - 84.6*p.syllablesPerWord())}
}

func tenths(value float64) float64 { return math.Round(10*value) / 10 }

// grade returns the school grade by Flesch and Kincaid that an English text needs.
func (p prose) grade() float64 { return 0.39*p.wordsPerSentence() + 11.8*p.syllablesPerWord() - 15.59 }

func readReadability(f *fields, rule *Rule) func(*search) {
	f.checkMessage(rule, 1)
	metrics, grade := f.list("metrics"), f.number("grade", 0, -1)
	if len(metrics) != 1 || metrics[0] != "Flesch-Kincaid" {
		f.fail("metrics", "must be Flesch-Kincaid alone; others are not supported")
	}
	if grade < 0 {
		f.fail("grade", "is required")
	}
	return func(s *search) {
		if s.prose.language == "en" && s.prose.words > 0 && s.prose.grade() > grade {
			s.addWhole(fmt.Sprintf("%.2f", s.prose.grade()))
		}
	}
}

// diphthongs are the pairs of vowels that German speaks as one syllable.
var diphthongs = map[string]bool{"aa": true, "ai": true, "au": true, "ay": true, "ee": true, "ei": true, "eu": true,
	"ey": true, "ie": true, "oo": true, "äu": true}

// countSyllables estimates the syllables of a word by its vowels; a word without any has one.
func countSyllables(word, language string) int {
	letters := []rune(strings.ToLower(word))
	count := 0
	for i := 0; i < len(letters); i++ {
		if !isVowel(letters[i]) {
			continue
		}
		count++
		for i+1 < len(letters) && isVowel(letters[i+1]) {
			if language == "de" && !diphthongs[string(letters[i:i+2])] {
				break
			}
			i++
			if language == "de" {
				break
			}
		}
	}
	if language == "en" && count > 1 && hasSilentEnd(string(letters)) {
		count--
	}
	return max(count, 1)
}

func isVowel(r rune) bool {
	return unicode.IsLetter(r) && strings.ContainsRune("aeiouyäöüáàâéèêëíìîóòôúùû", r)
}

// hasSilentEnd reports whether the last e of an English word is not spoken, as in make and named.
func hasSilentEnd(word string) bool {
	for _, end := range []string{"e", "es", "ed"} {
		stem, found := strings.CutSuffix(word, end)
		if !found || stem == "" {
			continue
		}
		last := stem[len(stem)-1]
		switch {
		case isVowel(rune(last)):
			return false // see, agreed: their vowels are one already
		case end == "e":
			return last != 'l' || len(stem) > 1 && isVowel(rune(stem[len(stem)-2]))
		case end == "ed":
			return last != 't' && last != 'd'
		default:
			return !strings.ContainsRune("sxzcg", rune(last)) && !strings.HasSuffix(stem, "sh") && !strings.HasSuffix(stem, "ch")
		}
	}
	return false
}
