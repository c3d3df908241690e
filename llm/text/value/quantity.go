package value

import (
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// Quantity is a number or date in a text.
type Quantity struct {
	Value      string // canonical form
	Start, End int    // bytes, with the currency and the unit
	Percent    bool
}

var (
	numberPattern = regexp.MustCompile(`(?i)[$€£¥]?\d+(?:[.,'’\x{a0}\x{202f} ]\d{3})*(?:[.,]\d+)?(?:\s?(%|per\s?cent\b|prozent\b|pour cent\b|por ciento\b)|\s?(thousand|tsd\b|million(?:en|s)?\b|mill[oó]n(?:es)?\b|mio\b|mn\b|m\b|billions?\b|bn\b|milliarden?\b|milliards?\b|mrd\b))?`)
	groupPattern  = regexp.MustCompile(`^[1-9]\d{0,2}(?:[.,'’\x{a0}\x{202f} ]\d{3})+$`)
)

// magnitudes are the first letters of the words that multiply a number by a power of ten.
var magnitudes = []struct {
	prefix string
	power  int64
}{
	{"thousand", 3}, {"tsd", 3}, {"milliard", 9}, {"mill", 6}, {"mio", 6}, {"mn", 6}, {"mrd", 9}, {"bn", 9},
	{"billion", 9}, {"m", 6},
}

// Numbers returns the numbers of a text that are not parts of words.
func Numbers(said string) []Quantity {
	var found []Quantity
	for _, at := range numberPattern.FindAllStringSubmatchIndex(said, -1) {
		if isInsideWord(said, at[0], at[1]) {
			continue
		}
		q := Quantity{Start: at[0], End: at[1], Percent: at[2] >= 0}
		digits, power := said[at[0]:at[1]], int64(0)
		switch {
		case at[2] >= 0:
			digits = said[at[0]:at[2]]
		case at[4] >= 0:
			digits, power = said[at[0]:at[4]], powerOf(said[at[4]:at[5]])
		}
		if q.Value = decimalOf(strings.TrimSpace(strings.TrimLeft(digits, "$€£¥")), power); q.Value != "" {
			found = append(found, q)
		}
	}
	return found
}

func powerOf(word string) int64 {
	for _, m := range magnitudes {
		if strings.HasPrefix(strings.ToLower(word), m.prefix) {
			return m.power
		}
	}
	return 0
}

// decimalOf returns digits with separators as a plain decimal, times a power of ten; empty if they
// are no number. A single separator ahead of three digits groups them, except ahead of a magnitude:
// "1.875 million".
func decimalOf(digits string, power int64) string {
	mark := strings.LastIndexAny(digits, ".,")
	whole, fraction := digits, ""
	switch {
	case mark < 0:
	case groupPattern.MatchString(digits) && (power == 0 || strings.Count(digits, digits[mark:mark+1]) > 1):
	default:
		whole, fraction = digits[:mark], digits[mark+1:]
	}
	keep := func(r rune) rune {
		if unicode.IsDigit(r) {
			return r
		}
		return -1
	}
	number, ok := new(big.Rat).SetString(strings.Map(keep, whole) + "." + fraction + "0")
	if !ok {
		return ""
	}
	number.Mul(number, new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(power), nil)))
	return strings.TrimRight(strings.TrimRight(number.FloatString(len(fraction)+1), "0"), ".")
}

// isInsideWord reports whether a part of a text continues letters or digits, as the digits of "B12"
// and "12th".
func isInsideWord(said string, from, to int) bool {
	before, after := []rune(said[:from]), []rune(said[to:])
	isWord := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	return len(before) > 0 && isWord(before[len(before)-1]) || len(after) > 0 && isWord(after[0])
}

const months = `january|february|march|april|may|june|july|august|september|october|november|december|` +
	`januar|februar|märz|mai|juni|juli|oktober|dezember|` +
	`janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre|` +
	`enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre`

// monthNumbers are the months by their names.
var monthNumbers = map[string]time.Month{}

func init() {
	for i, list := range []string{
		"january januar janvier enero", "february februar février febrero", "march märz mars marzo",
		"april avril abril", "may mai mayo",
		"june juni juin junio", "july juli juillet julio", "august août agosto", "september septembre septiembre",
		"october oktober octobre octubre",
		"november novembre noviembre", "december dezember décembre diciembre",
	} {
		for name := range strings.FieldsSeq(list) {
			monthNumbers[name] = time.Month(i + 1)
		}
	}
}

// datePatterns match dates with their year; the groups are named by their parts.
var datePatterns = []*regexp.Regexp{
	regexp.MustCompile(`(?P<year>\d{4})-(?P<month>\d{2})-(?P<day>\d{2})`),
	regexp.MustCompile(`(?P<day>\d{1,2})\.(?P<month>\d{1,2})\.(?P<year>\d{4})`),
	regexp.MustCompile(`(?i)(?P<day>\d{1,2})(?:st|nd|rd|th|er)?\.?\s(?:of\s|de\s)?(?P<month>` + months +
		`),?\s(?:de\s)?(?P<year>\d{4})`),
	regexp.MustCompile(`(?i)(?P<month>` + months + `)\s(?P<day>\d{1,2})(?:st|nd|rd|th)?,?\s(?P<year>\d{4})`),
	regexp.MustCompile(`(?i)(?P<month>` + months + `),?\s(?:de\s)?(?P<year>\d{4})`),
	regexp.MustCompile(`(?P<year>\d{4})-(?P<month>\d{2})`),
}

// Dates returns the dates of a text that have a year, in the order of their forms. Dates without a
// day are YYYY-MM.
func Dates(said string) []Quantity {
	var found []Quantity
	for _, pattern := range datePatterns {
		for _, at := range pattern.FindAllStringSubmatchIndex(said, -1) {
			part := func(name string) string {
				i := pattern.SubexpIndex(name)
				if i < 0 {
					return ""
				}
				return said[at[2*i]:at[2*i+1]]
			}
			if !isInsideWord(said, at[0], at[1]) && !overlaps(found, at[0], at[1]) {
				found = append(found, Quantity{Value: dateOf(part("year"), part("month"), part("day")), Start: at[0],
					End: at[1]})
			}
		}
	}
	// of "31 June 2026" no part is a date
	return slices.DeleteFunc(found, func(q Quantity) bool { return q.Value == "" })
}

func overlaps(found []Quantity, from, to int) bool {
	for _, q := range found {
		if from < q.End && to > q.Start {
			return true
		}
	}
	return false
}

// dateOf returns a date of the calendar, or an empty text.
func dateOf(year, month, day string) string {
	number, known := monthNumbers[strings.ToLower(month)]
	if n, err := strconv.Atoi(month); err == nil {
		number, known = time.Month(n), n >= 1 && n <= 12
	}
	y, _ := strconv.Atoi(year) // digits
	if !known || y == 0 {
		return ""
	}
	first := time.Date(y, number, 1, 0, 0, 0, 0, time.UTC)
	if day == "" {
		return first.Format("2006-01")
	}
	d, _ := strconv.Atoi(day) // digits
	at := first.AddDate(0, 0, d-1)
	if d == 0 || at.Month() != number {
		return ""
	}
	return at.Format(time.DateOnly)
}
