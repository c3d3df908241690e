package proof

import (
	"strings"
	"unicode/utf8"

	"rostrum/llm/text"
	"rostrum/llm/text/value"
)

// amount is a number with its unit.
type amount struct {
	value   string
	percent bool
	money   string // the currency, empty if there is none
}

func (a *amount) equals(b *amount) bool {
	return a.value == b.value && a.percent == b.percent && (a.money == b.money || a.money == "")
}

// amounts are the numbers of a text by the positions of their first words, in runes.
type amounts struct {
	starts map[int]*amount
	rest   map[int]bool // the positions of further words
}

// at returns the number that begins with a word, and whether the word continues one.
func (a amounts) at(span text.Span) (*amount, bool) { return a.starts[span.Start], a.rest[span.Start] }

// currencies are the names of currencies by sign.
var currencies = map[string]string{
	"€": "euro", "$": "dollar", "£": "pound", "¥": "yen", "euro": "euro", "euros": "euro", "dollar": "dollar",
	"dollars": "dollar", "dólares": "dollar", "pound": "pound", "pounds": "pound", "pfund": "pound", "libras": "pound",
}

var (
	percents = wordSet("percent prozent pct")
	millions = map[string]string{
		"million": "000000", "millionen": "000000", "millions": "000000", "millones": "000000", "billion": "000000000",
		"milliarden": "000000000", "milliards": "000000000", "hundred": "00", "hundert": "00", "cent": "00",
		"thousand": "000", "tausend": "000", "mille": "000", "mil": "000",
	}
)

// fractions are the words of parts of a whole.
var fractions = map[string]string{
	"third": "1/3", "thirds": "1/3", "quarter": "1/4", "half": "1/2", "drittel": "1/3", "viertel": "1/4", "hälfte": "1/2",
	"tiers": "1/3", "quart": "1/4", "moitié": "1/2", "tercio": "1/3", "cuarto": "1/4", "mitad": "1/2",
}

// readAmounts finds the numbers of a text, in figures or words, with percent signs and currencies.
func readAmounts(said string) amounts {
	found := amounts{map[int]*amount{}, map[int]bool{}}
	words := text.Words(said)
	ends := map[int]int{} // the end of a number in runes by its start
	for _, q := range value.Numbers(said) {
		start, end := utf8.RuneCountInString(said[:q.Start]), utf8.RuneCountInString(said[:q.End])
		sign, _ := utf8.DecodeRuneInString(said[q.Start:])
		one := &amount{value: q.Value, percent: q.Percent, money: currencies[string(sign)]}
		for i, w := range words {
			if w.Start >= start && w.Start < end {
				if len(found.starts) == 0 || ends[start] == 0 {
					found.starts[w.Start], ends[start] = one, i+1
					continue
				}
				found.rest[w.Start] = true
				ends[start] = i + 1
			}
		}
		found.addUnit(one, words, ends[start])
	}
	for i, w := range words {
		lower := strings.ToLower(w.Text)
		digits, ok := numberWords()[lower]
		if fraction := fractions[lower]; fraction != "" {
			digits, ok = fraction, true
		}
		if !ok || found.rest[w.Start] || found.starts[w.Start] != nil {
			continue
		}
		one := &amount{value: digits}
		found.starts[w.Start] = one
		next := i + 1
		for ; next < len(words) && millions[strings.ToLower(words[next].Text)] != ""; next++ {
			one.value += millions[strings.ToLower(words[next].Text)]
			found.rest[words[next].Start] = true
		}
		found.addUnit(one, words, next)
	}
	return found
}

// addUnit reads the words after a number that are its unit.
func (a amounts) addUnit(one *amount, words []text.Span, next int) {
	lower := func(i int) string {
		if i >= len(words) || i <= 0 {
			return ""
		}
		return strings.ToLower(words[i].Text)
	}
	switch {
	case percents[lower(next)]:
		one.percent, a.rest[words[next].Start] = true, true
	case lower(next) == "per" && lower(next+1) == "cent", lower(next) == "pour" && lower(next+1) == "cent",
		lower(next) == "por" && lower(next+1) == "ciento":
		one.percent, a.rest[words[next].Start], a.rest[words[next+1].Start] = true, true, true
	}
	for at := next; at < next+2; at++ {
		if name := currencies[lower(at)]; name != "" {
			one.money, a.rest[words[at].Start] = name, true
		}
	}
}
