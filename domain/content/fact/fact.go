// Package fact knows what a rewritten text must still have: its numbers, dates, names, addresses, quotations and code.
package fact

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"rostrum/llm/text"
)

const months = `january|february|march|april|may|june|july|august|september|october|november|december|` +
	`jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|januar|februar|märz|mai|juni|juli|oktober|dezember|` +
	`janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre|` +
	`enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre`

var (
	address = regexp.MustCompile(`(?i)(?:https?://|www\.)[^\s<>"“”«»` + "`" + `]+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+`)
	code    = regexp.MustCompile("(?s)```.*?```|`[^`\n]+`")
	quoted  = regexp.MustCompile(`"[^"\n]+"|“[^”]+”|„[^“”]+[“”]|«[^»]+»|「[^」]+」|『[^』]+』|‘[^‘\n]+?’`)
	date    = regexp.MustCompile(`(?i)\b\d{1,2}(?:st|nd|rd|th|er)?\.? (?:of |de )?(?:` + months + `)\b\.?(?:,? (?:de )?\d{4})?|\b(?:` + months +
		`)\.? \d{1,2}(?:st|nd|rd|th)?\b(?:,? \d{4})?|\b(?:` + months + `)\.? \d{4}`)
	number = regexp.MustCompile(`[$€£¥]?[A-Za-z]*\p{Nd}[A-Za-z\p{Nd}.,:/]*(?:[–—-]\p{Nd}[\p{Nd}.,:/]*)*%?`)
)

// Exempt lists the byte ranges of a text that are not its writer's own words: quotations, code and addresses. They are in order and apart.
func Exempt(s string) [][2]int {
	var found [][2]int
	for _, kind := range []*regexp.Regexp{code, address, quoted} {
		for _, at := range kind.FindAllStringIndex(s, -1) {
			if kind == address {
				at[1] = at[0] + len(ended(s[at[0]:at[1]]))
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

// ended takes the punctuation of the sentence off the end of an address or a number.
func ended(s string) string { return strings.TrimRight(s, ".,;:!?)]}'’/") }

// Of lists the facts of a text as they are written, each once, in order of their kinds.
func Of(s string) []string {
	var facts []string
	whole := s
	add := func(f string) {
		if f = strings.TrimSpace(f); f != "" && !slices.Contains(facts, f) && Has(whole, f) {
			facts = append(facts, f)
		}
	}
	own := Exempt(s)
	for _, at := range own {
		add(s[at[0]:at[1]])
	}
	s = without(s, own)
	dates := date.FindAllStringIndex(s, -1)
	for _, at := range dates {
		add(ended(s[at[0]:at[1]]))
	}
	for _, f := range number.FindAllString(s, -1) {
		add(ended(f))
	}
	for _, name := range text.Names(without(s, dates)) { // "On 3 March 2026 Ines Okafor" has the name of no month
		add(name.Text)
	}
	return facts
}

// without blanks byte ranges of a text.
func without[R ~[]int | [2]int](s string, ranges []R) string {
	out := []byte(s)
	for _, at := range ranges {
		copy(out[at[0]:at[1]], strings.Repeat(" ", at[1]-at[0]))
	}
	return string(out)
}

// Missing lists the facts of one text that another does not have.
func Missing(before, after string) []string {
	var missing []string
	for _, f := range Of(before) {
		if !Has(after, f) {
			missing = append(missing, f)
		}
	}
	return missing
}

// New lists the numbers, addresses and quotations that a text has and no other one.
func New(after string, others ...string) []string {
	all := strings.Join(others, "\n")
	var fresh []string
	for _, at := range Exempt(after) {
		if f := after[at[0]:at[1]]; !Has(all, strings.Trim(f, "\"“”„«»‘’`")) {
			fresh = append(fresh, f)
		}
	}
	for _, f := range number.FindAllString(after, -1) {
		if f = ended(f); !Has(all, f) {
			fresh = append(fresh, f)
		}
	}
	return fresh
}

// Has reports that a text has a fact as a whole, not as a part of a longer word or number.
func Has(s, fact string) bool {
	for from := 0; ; {
		at := strings.Index(s[from:], fact)
		if at < 0 {
			return false
		}
		at += from
		before, _ := utf8.DecodeLastRuneInString(s[:at])
		first, _ := utf8.DecodeRuneInString(fact)
		last, _ := utf8.DecodeLastRuneInString(fact)
		after, _ := utf8.DecodeRuneInString(s[at+len(fact):])
		if !(joined(before) && joined(first)) && !(joined(last) && joined(after)) {
			return true
		}
		from = at + max(1, utf8.RuneLen(first))
	}
}

// joined reports a sign that is one word or number with those beside it; scripts without spaces have none.
func joined(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsDigit(r)) && !unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai)
}
