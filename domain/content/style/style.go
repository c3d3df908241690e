// Package style finds what makes a text sound as if a machine had written it, and writes it in another way.
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

	"rostrum/domain/content/fact"
	"rostrum/llm/text"
)

//go:embed tell.txt
var tellList string

// tell is one line of the list.
type tell struct {
	weight  float64
	pattern *regexp.Regexp
	instead string // "-" leaves it out, "?" leaves it as it is
	verb    bool   // it is one only where a verb stands
}

var tells = sync.OnceValue(func() []tell { return append(mustParse(tellList), dashes...) })

// dashes are the tell that is no word: clauses set off by dashes. A range such as 2020–2025 has no spaces and is none.
var dashes = []tell{
	{weight: 1, pattern: regexp.MustCompile(`[\pL\pN][”"’)]?( ?— ?| [–-]{1,2} )[“"‘(]?\pL`), instead: ", "},
	{weight: 1, pattern: regexp.MustCompile(`\pL[”"’)]?( — )\pN`), instead: ", "},
}

// mustParse reads the list, which is a part of the program.
func mustParse(list string) []tell {
	var all []tell
	for n, line := range strings.Split(list, "\n") {
		if strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#") {
			continue
		}
		part := strings.SplitN(line, " | ", 2)
		cut := strings.LastIndex(line, " | ")
		weight, err := strconv.ParseFloat(part[0], 64)
		if err != nil || cut <= len(part[0]) {
			panic(fmt.Sprintf("style: line %d is no tell", n+1))
		}
		words := strings.TrimSpace(line[len(part[0])+3 : cut])
		words, verb := strings.CutPrefix(words, "verb ")
		all = append(all, tell{weight, regexp.MustCompile(bordered(words)), strings.TrimSpace(line[cut+3:]), verb})
	}
	return all
}

// bordered holds a pattern to whole words, with either kind of apostrophe.
func bordered(words string) string {
	end := `\b`
	if last, _ := utf8.DecodeLastRuneInString(words); !unicode.IsLetter(last) && last != ')' {
		end = ""
	}
	return `(?i)\b(?:` + strings.ReplaceAll(words, "'", "['’]") + `)` + end
}

// Tell is something that was found in a text, and how often.
type Tell struct {
	Words  string // as they first stand in the text
	Count  int
	Weight float64 // of each
}

// Report is how a text sounds: the weights of its tells to 500 words.
type Report struct {
	Score float64
	Tells []Tell
}

// Judge looks through a text.
func Judge(s string) Report {
	var report Report
	total := 0.0
	skip := newSkip(s)
	for _, t := range tells() {
		count, first := 0, ""
		for _, at := range t.pattern.FindAllStringIndex(s, -1) {
			if !skip.has(s, at, t) {
				count++
				first = cmp.Or(first, strings.TrimSpace(s[at[0]:at[1]]))
			}
		}
		if count > 0 {
			report.Tells = append(report.Tells, Tell{first, count, t.weight})
			total += t.weight * float64(count)
		}
	}
	if words := len(text.Words(s)); words > 0 {
		report.Score = float64(int(total*500/float64(words)*100+0.5)) / 100
	}
	return report
}

// skip knows what of a text is not looked at.
type skip struct {
	exempt [][2]int
	names  map[string]bool
}

func newSkip(s string) skip {
	k := skip{exempt: fact.Exempt(s), names: map[string]bool{}}
	for _, name := range text.Names(s) {
		for word := range strings.FieldsSeq(name.Text) {
			k.names[word] = true
		}
	}
	return k
}

// has reports a match that touches a quotation, code or an address, or has or stands beside a word of a name.
func (k skip) has(s string, at []int, t tell) bool {
	if slices.ContainsFunc(k.exempt, func(e [2]int) bool { return at[0] < e[1] && e[0] < at[1] }) {
		return true
	}
	if t.instead == ", " {
		return false
	}
	if t.verb && noun(s, at) {
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
	return unicode.IsUpper(first) && unicode.IsUpper(next) && len(words) == 1 && !strings.ContainsAny(words[0], ",.!") && !strings.HasPrefix(s[at[1]:], ",")
}

// noun reports a word that is none of a tell's verbs where it stands: "a leverage ratio", "the harness", "foster parents".
func noun(s string, at []int) bool {
	before, behind := strings.Fields(s[max(0, at[0]-30):at[0]]), strings.Fields(s[at[1]:min(len(s), at[1]+30)])
	if len(before) > 0 && nounsFollow[strings.ToLower(before[len(before)-1])] {
		return true
	}
	return len(behind) > 0 && nounsLead[strings.ToLower(strings.Trim(behind[0], ".,;:!?"))]
}

// The words before and behind which a noun stands.
var (
	nounsFollow = words("a an the this that each every no its their our your his her my of in on for with by from at high low financial more less safety")
	nounsLead   = words("ratio ratios effect limit home homes child children parent parents care carer carers family families mother father son daughter")
)

func words(list string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		out[w] = true
	}
	return out
}
