package cover

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var noNumber = math.NaN()

var numberWords = map[string]float64{
	"zero": 0, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11,
	"twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19,
	"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
	"zwei": 2, "drei": 3, "vier": 4, "fünf": 5, "deux": 2, "trois": 3, "quatre": 4, "cinq": 5, "dos": 2, "tres": 3, "cuatro": 4, "cinco": 5,
}

var scaleWords = map[string]float64{
	"hundred": 100, "thousand": 1e3, "million": 1e6, "millions": 1e6, "billion": 1e9, "billions": 1e9, "dozen": 12, "bn": 1e9, "k": 1e3,
	"tausend": 1e3, "millionen": 1e6, "milliarden": 1e9, "mille": 1e3, "millones": 1e6,
}

// fractionWords are shares that follow an article: "by a quarter".
var fractionWords = map[string]float64{"quarter": 25, "half": 50, "third": 33, "fifth": 20, "tenth": 10}

var (
	groupedDigits = regexp.MustCompile(`^\d{1,3}([,'’]\d{3})+(\.\d+)?$`)
	plainDigits   = regexp.MustCompile(`^\d+([.,]\d+)?(st|nd|rd|th|m|bn|k)?$`)
)

// parseNumber returns the value of a numeral, or NaN for other words.
func parseNumber(w string) float64 {
	if groupedDigits.MatchString(w) {
		w = strings.NewReplacer(",", "", "'", "", "’", "").Replace(w)
	}
	part := plainDigits.FindStringSubmatch(w)
	if part == nil {
		if v, ok := numberWords[w]; ok {
			return v
		}
		return noNumber
	}
	v, err := strconv.ParseFloat(strings.Replace(strings.TrimSuffix(w, part[2]), ",", ".", 1), 64)
	if err != nil {
		return noNumber
	}
	return v * max(1, map[string]float64{"m": 1e6, "bn": 1e9, "k": 1e3}[part[2]])
}

// readNumbers parses the numbers among words and joins numbers of several words: "2.5 million", "40 000", "two hundred".
func readNumbers(words []taggedWord, runes []rune, offset int) []taggedWord {
	for i := 0; i < len(words); i++ {
		w := &words[i]
		if w.number = parseNumber(w.lower); math.IsNaN(w.number) {
			if share, ok := fractionWords[w.lower]; ok && isShare(words, i) {
				w.number, w.percent = share, true
				if i > 0 && words[i-1].lower == "one" {
					words[i-1].stem = ""
				}
			}
			continue
		}
		if at := w.Start - offset - 1; at >= 0 {
			w.currency = runes[at]
		}
		for i+1 < len(words) && w.mergeNumber(&words[i+1], runes, offset) {
			w.End = words[i+1].End
			words = slices.Delete(words, i+1, i+2)
			w = &words[i]
		}
		after := strings.TrimSpace(string(runes[min(len(runes), w.End-offset):min(len(runes), w.End-offset+2)]))
		w.percent = strings.HasPrefix(after, "%") || i+1 < len(words) && strings.HasPrefix(words[i+1].lower, "per") ||
			i+1 < len(words) && (strings.HasPrefix(words[i+1].lower, "prozent") || words[i+1].lower == "pour")
		w.stem = ""
	}
	return words
}

// isShare reports whether a fraction word is a share ("a third", "by a quarter", "half of it") and no ordinal ("the second half", "the
// third plant").
func isShare(words []taggedWord, i int) bool {
	if i > 0 && slices.Contains([]string{"a", "by", "one"}, words[i-1].lower) {
		return true
	}
	return words[i].lower == "half" && i+1 < len(words) && slices.Contains([]string{"of", "the", "its", "their", "our", "his", "her"}, words[i+1].lower)
}

// mergeNumber joins the next word to a number and reports whether it was part of it.
func (w *taggedWord) mergeNumber(next *taggedWord, runes []rune, offset int) bool {
	gap := string(runes[w.End-offset : next.Start-offset])
	if scale, ok := scaleWords[next.lower]; ok {
		w.number *= scale
		return true
	}
	v := parseNumber(next.lower)
	switch {
	case math.IsNaN(v):
		return false
	case len(next.lower) == 3 && v < 1000 && w.number < 1000 && w.number > 0 && (gap == " " || gap == "\u00a0" || gap == "\u202f") && w.End-w.Start <= 3 && next.lower[0] <= '9':
		w.number = w.number*1000 + v
		return true
	case gap == "-" && w.number >= 20 && v < 10:
		w.number += v
		return true
	}
	return false
}

func (w *taggedWord) isNumber() bool { return !math.IsNaN(w.number) }
