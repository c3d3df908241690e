package style

import (
	"cmp"
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"rostrum/llm/text"
	"rostrum/llm/text/fact"
)

//go:embed marker.txt
var markerList string

// markerRule is one line of the list of markers.
type markerRule struct {
	weight      float64
	pattern     *regexp.Regexp
	replacement string // "-" deletes the match, "?" keeps it
	verbOnly    bool   // applies only to verbs
}

var markerRules = sync.OnceValue(func() []markerRule { return append(mustParseRules(markerList), dashRules...) })

// dashRules match clauses set off by dashes. A range such as 2020–2025 has no spaces and does not
// match.
var dashRules = []markerRule{
	{weight: 1, pattern: regexp.MustCompile(`[\pL\pN][”"’)]?( ?— ?| [–-]{1,2} )[“"‘(]?\pL`), replacement: ", "},
	{weight: 1, pattern: regexp.MustCompile(`\pL[”"’)]?( — )\pN`), replacement: ", "},
}

// mustParseRules parses the embedded list of markers. It panics on an error.
func mustParseRules(list string) []markerRule {
	var all []markerRule
	for n, line := range strings.Split(list, "\n") {
		if strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#") {
			continue
		}
		part := strings.SplitN(line, " | ", 2)
		cut := strings.LastIndex(line, " | ")
		weight, err := strconv.ParseFloat(part[0], 64)
		if err != nil || cut <= len(part[0]) {
			panic(fmt.Sprintf("style: line %d of marker.txt is invalid", n+1))
		}
		words := strings.TrimSpace(line[len(part[0])+3 : cut])
		words, verb := strings.CutPrefix(words, "verb ")
		all = append(all, markerRule{weight, regexp.MustCompile(wordPattern(words)), strings.TrimSpace(line[cut+3:]),
			verb})
	}
	return all
}

// wordPattern returns a pattern that matches whole words with either kind of apostrophe.
func wordPattern(words string) string {
	end := `\b`
	if last, _ := utf8.DecodeLastRuneInString(words); !unicode.IsLetter(last) && last != ')' {
		end = ""
	}
	return `(?i)\b(?:` + strings.ReplaceAll(words, "'", "['’]") + `)` + end
}

// Marker is a marker found in a text.
type Marker struct {
	Words  string // its first occurrence
	Count  int
	Weight float64 // weight of one occurrence
}

// Occurrence is one match of a marker.
type Occurrence struct {
	text.Span
	Weight float64
}

// MarkerReport holds the markers of a text and their total weight per 500 words. The score is nil for
// a text without words, and in a language of which no markers are known.
type MarkerReport struct {
	Score       *float64
	Markers     []Marker
	Occurrences []Occurrence // in the order of the text
}

// isKnownLanguage reports whether the list has markers of a text's language.
func isKnownLanguage(s string) bool { return text.GuessLanguage(s) == "en" }

// Analyze returns the markers of machine style in a text. The markers of an English text are known.
func Analyze(s string) MarkerReport {
	var report MarkerReport
	words := len(text.Words(s))
	if words == 0 || !isKnownLanguage(s) {
		return report
	}
	total := 0.0
	skip := newSkipRules(s)
	var places []markerPlace
	for _, t := range markerRules() {
		count, first := 0, ""
		for _, at := range t.pattern.FindAllStringSubmatchIndex(s, -1) {
			if !skip.skipsMatch(s, at[:2], t) {
				count++
				first = cmp.Or(first, strings.TrimSpace(s[at[0]:at[1]]))
				places = append(places, t.placeOf(s, at))
			}
		}
		if count > 0 {
			report.Markers = append(report.Markers, Marker{first, count, t.weight})
			total += t.weight * float64(count)
		}
	}
	report.Score = new(float64(int(total*500/float64(words)*100+0.5)) / 100)
	report.Occurrences = occurrencesAt(s, places)
	return report
}

// markerPlace is a match with its byte offsets.
type markerPlace struct {
	start, end int
	weight     float64
}

// placeOf returns the place of a match without surrounding space, and without the letters next to a
// dash.
func (t markerRule) placeOf(s string, match []int) markerPlace {
	start, end := match[0], match[1]
	if t.replacement == ", " {
		start, end = match[2], match[3]
	}
	start += len(s[start:end]) - len(strings.TrimLeft(s[start:end], " "))
	end -= len(s[start:end]) - len(strings.TrimRight(s[start:end], " "))
	return markerPlace{start, end, t.weight}
}

// occurrencesAt returns the matches at the places, with offsets in code points, in the order of the
// text.
func occurrencesAt(s string, places []markerPlace) []Occurrence {
	slices.SortStableFunc(places, func(a, b markerPlace) int { return cmp.Or(a.start-b.start, a.end-b.end) })
	out := make([]Occurrence, len(places))
	bytes, points := 0, 0
	for i, p := range places {
		points += utf8.RuneCountInString(s[bytes:p.start])
		bytes = p.start
		words := s[p.start:p.end]
		out[i] = Occurrence{text.Span{Text: words, Start: points, End: points + utf8.RuneCountInString(words)},
			p.weight}
	}
	return out
}

// skipRules holds the parts of a text that are not checked.
type skipRules struct {
	exempt [][2]int
	names  map[string]bool
}

func newSkipRules(s string) skipRules {
	k := skipRules{exempt: fact.ExemptRanges(s), names: map[string]bool{}}
	for _, name := range text.Names(s) {
		for word := range strings.FieldsSeq(name.Text) {
			k.names[word] = true
		}
	}
	return k
}

// skipsMatch reports whether a match is skipped: it touches a quotation, code or an address, or is
// part of a name.
func (k skipRules) skipsMatch(s string, at []int, t markerRule) bool {
	// the first exempt part that ends behind the start of the match
	i, _ := slices.BinarySearchFunc(k.exempt, at[0], func(e [2]int, start int) int { return cmp.Compare(e[1], start+1) })
	if i < len(k.exempt) && k.exempt[i][0] < at[1] {
		return true
	}
	if t.replacement == ", " {
		return false
	}
	if t.verbOnly && isNoun(s, at) {
		return true
	}
	words := strings.Fields(s[at[0]:at[1]])
	for i, w := range words {
		w = strings.Trim(w, ".,;:!?")
		first, _ := utf8.DecodeRuneInString(w)
		if unicode.IsUpper(first) && (i > 0 && w != "I" && w != "AI" || k.names[w]) {
			return true
		}
	}
	first, _ := utf8.DecodeRuneInString(s[at[0]:])
	next, _ := utf8.DecodeRuneInString(strings.TrimLeft(s[at[1]:], " "))
	return unicode.IsUpper(first) && unicode.IsUpper(next) && len(words) == 1 &&
		!strings.ContainsAny(words[0], ",.!") && !strings.HasPrefix(s[at[1]:], ",")
}

// isNoun reports whether the match is a noun and not the verb of a rule: "a leverage ratio", "the
// harness", "foster parents".
func isNoun(s string, at []int) bool {
	before, behind := strings.Fields(s[max(0, at[0]-30):at[0]]), strings.Fields(s[at[1]:min(len(s), at[1]+30)])
	if len(before) > 0 && nounPredecessors[strings.ToLower(before[len(before)-1])] {
		return true
	}
	return len(behind) > 0 && nounSuccessors[strings.ToLower(strings.Trim(behind[0], ".,;:!?"))]
}

// The words that precede a noun, and the words that follow it.
var (
	nounPredecessors = wordSet("a an the this that each every no its their our your his her my of in on for with by from at high low financial more less safety")
	nounSuccessors   = wordSet("ratio ratios effect limit home homes child children parent parents care carer carers family families mother father son daughter")
)

func wordSet(list string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		out[w] = true
	}
	return out
}
