package fact

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"rostrum/llm/text"
)

// leadsMonth are the words after which a month without a day or a year is a date, and not another
// word or a name.
const leadsMonth = `in|by|since|until|till|from|during|before|after|of|this|next|last|early|late|mid|im|bis|seit|ab|anfang|mitte|ende|en|de|dès|depuis|fin|début|desde|hasta`

const weekdayNames = `(?:mon|tues|wednes|thurs|fri|satur|sun)day|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag|` +
	`lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|miércoles|jueves|viernes|sábado|domingo`

const monthNames = `january|february|march|april|may|june|july|august|september|october|november|december|` +
	`jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|januar|februar|märz|mai|juni|juli|oktober|dezember|` +
	`janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre|` +
	`enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre`

var (
	addressPattern = regexp.MustCompile(`(?i)(?:https?://|www\.)[^\s<>"“”«»` + "`" + `]+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+`)
	codePattern    = regexp.MustCompile("(?s)```.*?```|`[^`\n]+`")
	quotePattern   = regexp.MustCompile(`"[^"\n]+"|“[^”]+”|„[^“”]+[“”]|«[^»]+»|「[^」]+」|『[^』]+』|‘[^‘\n]+?’`)
	datePattern    = regexp.MustCompile(`(?i)\b\d{1,2}(?:st|nd|rd|th|er)?\.? (?:of |de )?(?:` + monthNames +
		`)\b\.?(?:,? (?:de )?\d{4})?|\b(?:` + monthNames +
		`)\.? \d{1,2}(?:st|nd|rd|th)?\b(?:,? \d{4})?|\b(?:` + monthNames + `)\.? \d{4}`)
	monthPattern   = regexp.MustCompile(`(?i)\b(?:` + leadsMonth + `)[ -](` + monthNames + `)\b`)
	weekdayPattern = regexp.MustCompile(`(?i)\b(` + weekdayNames + `)\b`)
	foldedPattern  = regexp.MustCompile(`^(?:` + monthNames + `|(?i:` + weekdayNames + `))$`)
	numberPattern  = regexp.MustCompile(`[$€£¥]?[A-Za-z]*\p{Nd}[A-Za-z\p{Nd}.,:/]*(?:[–—-]\p{Nd}[\p{Nd}.,:/]*)*%?`)
)

// ExemptRanges returns the byte ranges of quotations, code and addresses, which are not the
// writer's own words. They are sorted and do not overlap.
func ExemptRanges(s string) [][2]int {
	var found [][2]int
	for _, kind := range []*regexp.Regexp{codePattern, addressPattern, quotePattern} {
		for _, at := range kind.FindAllStringIndex(s, -1) {
			if kind == addressPattern {
				at[1] = at[0] + len(trimPunctuation(s[at[0]:at[1]]))
			}
			found = append(found, [2]int{at[0], at[1]})
		}
	}
	slices.SortFunc(found, func(a, b [2]int) int { return a[0] - b[0] })
	apart := found[:0]
	for _, f := range found {
		if n := len(apart); n > 0 && f[0] < apart[n-1][1] {
			apart[n-1][1] = max(apart[n-1][1], f[1])
			continue
		}
		apart = append(apart, f)
	}
	return apart
}

// Quotations returns the quotations of a text with their marks.
func Quotations(s string) []string { return quotePattern.FindAllString(s, -1) }

// trimPunctuation returns an address or number without the punctuation of the sentence at its end.
func trimPunctuation(s string) string { return strings.TrimRight(s, ".,;:!?)]}'’/") }

// Extract returns the distinct facts of a text as written, ordered by kind.
func Extract(s string) []string {
	var facts []string
	whole, known := NewIndex(s), map[string]bool{"": true}
	add := func(f string) {
		if f = strings.TrimSpace(f); !known[f] {
			known[f] = true
			if whole.Contains(f) {
				facts = append(facts, f)
			}
		}
	}
	own := ExemptRanges(s)
	for _, at := range own {
		add(s[at[0]:at[1]])
	}
	s = blankRanges(s, own)
	dates := datePattern.FindAllStringIndex(s, -1)
	for _, at := range dates {
		add(trimPunctuation(s[at[0]:at[1]]))
	}
	for _, kind := range []*regexp.Regexp{monthPattern, weekdayPattern} {
		for _, at := range kind.FindAllStringSubmatchIndex(blankRanges(s, dates), -1) {
			add(s[at[2]:at[3]])
		}
	}
	for _, f := range numberPattern.FindAllString(s, -1) {
		add(trimPunctuation(f))
	}
	// so that no month in "On 3 March 2026 Ines Okafor" becomes a name
	for _, name := range text.Names(blankRanges(s, dates)) {
		add(name.Text)
	}
	return facts
}

// blankRanges returns the text with byte ranges replaced by spaces.
func blankRanges[R ~[]int | [2]int](s string, ranges []R) string {
	out := []byte(s)
	for _, at := range ranges {
		copy(out[at[0]:at[1]], strings.Repeat(" ", at[1]-at[0]))
	}
	return string(out)
}

// Missing returns the facts of one text that another lacks. Weekdays and months in lower case may
// become capitalized at the start of a sentence.
func Missing(before, after string) []string {
	var missing []string
	index, folded := NewIndex(after), NewIndex(strings.ToLower(after))
	for _, f := range Extract(before) {
		if !index.Contains(f) && !(foldedPattern.MatchString(f) && folded.Contains(strings.ToLower(f))) {
			missing = append(missing, f)
		}
	}
	return missing
}

// Added returns the numbers, addresses and quotations of a text that are in none of the others.
func Added(after string, others ...string) []string {
	all := NewIndex(strings.Join(others, "\n"))
	var fresh []string
	for _, at := range ExemptRanges(after) {
		if f := after[at[0]:at[1]]; !all.Contains(strings.Trim(f, "\"“”„«»‘’`")) {
			fresh = append(fresh, f)
		}
	}
	for _, f := range numberPattern.FindAllString(after, -1) {
		if f = trimPunctuation(f); !all.Contains(f) {
			fresh = append(fresh, f)
		}
	}
	return fresh
}

// Contains reports whether a text contains a fact as a whole and not as part of a longer word or number.
func Contains(s, fact string) bool {
	first, _ := utf8.DecodeRuneInString(fact)
	for from := 0; ; {
		at := strings.Index(s[from:], fact)
		if at < 0 {
			return false
		}
		at += from
		if isWhole(s, at, fact) {
			return true
		}
		from = at + max(1, utf8.RuneLen(first))
	}
}

// isWhole reports whether the fact at an offset of a text is no part of a longer word or number.
func isWhole(s string, at int, fact string) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:at])
	first, _ := utf8.DecodeRuneInString(fact)
	last, _ := utf8.DecodeLastRuneInString(fact)
	after, _ := utf8.DecodeRuneInString(s[at+len(fact):])
	return !(isWordRune(before) && isWordRune(first)) && !(isWordRune(last) && isWordRune(after))
}

// isWordRune reports whether a character forms words or numbers with adjacent characters. Scripts without spaces have none.
func isWordRune(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsDigit(r)) &&
		!unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai)
}
