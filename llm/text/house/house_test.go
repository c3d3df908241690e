package house_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"rostrum/llm/text/house"
)

// found returns the findings of rules in a text as lines: the passage, the message, and what may
// take its place.
func found(t *testing.T, rules, content string) string {
	t.Helper()
	parsed, err := house.ParseAll(rules)
	if err != nil {
		t.Fatal(err)
	}
	report, err := house.Check(t.Context(), parsed, content, "en")
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, one := range report.Findings {
		passage := "whole text"
		if one.Passage != nil {
			points := []rune(content)
			if passage = one.Passage.Text; string(points[one.Passage.Start:one.Passage.End]) != passage {
				t.Errorf("%q is not at %d to %d", passage, one.Passage.Start, one.Passage.End)
			}
		}
		line := passage + ": " + one.Message
		if one.Replacements != nil {
			line += fmt.Sprintf(" %q", one.Replacements)
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// head is what every rule of a test begins with.
func head(extends string) string { return "name: A\nextends: " + extends + "\nmessage: \"%s!\"\n" }

func TestCheck(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ rule, content, want string }{
		"words": {head("existence") + "tokens: [synergy, art]\nignorecase: true",
			"Synergy, ﬁne art. Artful synergy synergy.", "Synergy: Synergy!\nart: art!\nsynergy: synergy!\nsynergy: synergy!"},
		"borders of all letters": {head("existence") + "tokens: [Öl, 'Maß']", "Öl, Ölpreis und Maß. Maße", "Öl: Öl!\nMaß: Maß!"},
		"longer word of a list":  {head("existence") + "tokens: ['art', 'artist']", "an artist", "artist: artist!"},
		"parts of words":         {head("existence") + "tokens: ['[.!?]$']\nnonword: true\nscope: heading", "# Done.\n\nText.", ".: .!"},
		"raw":                    {head("existence") + "raw: ['(?:very|quite) ', 'good']", "a very good day", "very good: very good!"},
		"exceptions":             {head("existence") + "tokens: ['[A-Z]{3,}']\nexceptions: [NATO, 'E.']", "NATO and ABC", "ABC: ABC!"},
		"left out":               {head("existence") + "tokens: [very]\naction:\n  name: remove", "very", `very: very! [""]`},
		"no code, no addresses": {head("existence") + "tokens: [utilize]", "`utilize` <https://utilize.example> " +
			"[word](https://utilize.example)\n\n    utilize\n\n~~utilize~~ ![utilize](a.png)", ""},
		"markup inside": {"name: A\nextends: substitution\nmessage: '%s, not %s'\nswap:\n  Acme corp: Acme Corp",
			"**Acme** corp", "Acme** corp: Acme Corp, not Acme corp"},
		"escapes": {head("existence") + "tokens: ['a\\*b']", "x a\\*b", "a\\*b: a*b!"},
		"swap": {"name: A\nextends: substitution\nmessage: '%s, not %s'\nignorecase: true\nswap:\n  acme: ACME\n" +
			"  'cell ?phone(s?)': 'phone$1|mobile$1'\n  phone: telephone", "Acme ACME cellphones phone",
			"Acme: ACME, not Acme [\"ACME\"]\ncellphones: phones, mobiles, not cellphones [\"phones\" \"mobiles\"]\n" +
				"phone: telephone, not phone [\"telephone\"]"},
		"capitalized swap": {head("substitution") + "ignorecase: true\ncapitalize: true\nswap: {utilize: use}", "Utilize it",
			`Utilize: Use! ["Use"]`},
		"required phrase": {head("occurrence") + "token: forward-looking statements\nignorecase: true\nmin: 1", "Nothing.",
			"whole text: 0!"},
		"required phrase is there": {head("occurrence") + "token: forward-looking statements\nignorecase: true\nmin: 1",
			"# Forward-looking\n\n*Forward-looking* statements\n", ""},
		"too often":      {head("occurrence") + "token: very\nmax: 1", "very\n\nvery very", "very: 3!"},
		"long sentences": {head("occurrence") + "token: '\\w+'\nmax: 3\nscope: sentence", "One two. Ü two three four.", "Ü two three four.: 4!"},
		"sentence case": {"name: A\nextends: capitalization\nmessage: '%s: %s'\nmatch: $sentence\nscope: heading\nexceptions: [Acme Corp]\n" +
			"threshold: 1", "# Results Of Acme Corp in EMEA\n\nSome Other Text",
			`Results Of Acme Corp in EMEA: Results Of Acme Corp in EMEA: Results of Acme Corp in EMEA ["Results of Acme Corp in EMEA"]`},
		"title case": {head("capitalization") + "match: $title\nscope: heading.h2\nthreshold: 1", "# one of two\n\n## the end of it",
			`the end of it: the end of it! ["The End of It"]`},
		"lower":                   {head("capitalization") + "match: $lower\nthreshold: 1\nscope: list", "- ok\n- Not\n", `Not: Not! ["not"]`},
		"expression of a heading": {head("capitalization") + "match: '^\\d'\nscope: heading", "# 1 One\n# Two", "Two: Two!"},
		"twice": {head("repetition") + "tokens: ['[^\\s]+']\nalpha: true\nignorecase: true", "The the end. No 1 1 no",
			`The the: the! ["The"]`},
		"abbreviation": {head("conditional") + "first: '\\b([A-Z]{3,5})\\b'\nsecond: '\\(([A-Z]{3,5})\\)'\nexceptions: [NASA]",
			"WHO and NASA: the World Health Organization (WHO) and the CIA", "CIA: CIA!"},
		"hard to read": {head("readability") + "metrics: [Flesch-Kincaid]\ngrade: 8",
			"Institutional responsibilities necessitate comprehensive organizational communication.", "whole text: 45.75!"},
		"easy to read":   {head("readability") + "metrics: [Flesch-Kincaid]\ngrade: 8", "The cat sat. It ran.", ""},
		"other language": {head("existence") + "tokens: [die]\nlanguage: de-AT", "die", ""},
		"table":          {head("existence") + "tokens: [bad]\nscope: [table, list]", "| a |\n|---|\n| bad |\n\nbad\n", "bad: bad!"},
		"none":           {head("existence") + "tokens: [a]", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := found(t, c.rule, c.content); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// TestParse checks that whatever a rule cannot mean is refused, with its line and field.
func TestParse(t *testing.T) {
	t.Parallel()
	for rule, want := range map[string]string{
		"":     "no rule",
		"- a":  "line 1: the rule must have keys, such as extends and message",
		"a: [": "line 1: the rule is no YAML",
		"name: A\nextends: existence\nmessage: a":                                                                            "tokens must have a value, or raw, but not both",
		"name: A\nextends: spelling\nmessage: a":                                                                             "line 2: extends must be existence",
		"extends: existence\nmessage: a\ntokens: [a]":                                                                        "name is required",
		"name: A\nextends: existence\ntokens: [a]":                                                                           "message is required",
		head("existence") + "tokens: [a]\nvocab: true":                                                                       "line 5: vocab is not supported in rules that extend existence",
		head("existence") + "tokens: [a]\nlevel: bad":                                                                        "line 5: level must be suggestion, warning or error",
		head("existence") + "tokens: [a]\nscope: raw":                                                                        `line 5: scope "raw" is not supported`,
		head("existence") + "tokens: ['a(?=b)']":                                                                             "look-ahead and look-behind are not supported",
		head("existence") + "tokens: ['(?<!a)b']":                                                                            "look-ahead and look-behind are not supported",
		head("existence") + "tokens: ['a(']":                                                                                 "tokens has the expression \"a(\", which Go does not read",
		head("existence") + "tokens: ['(a{1,100}){1,10}','(\\w{100}){10}','x(\\w{100}){10}','y(\\w{100}){10}']":              "tokens is too large",
		head("existence") + "tokens: {a: b}":                                                                                 "tokens must be a list of at most 1000 texts",
		head("existence") + "tokens: [a]\nignorecase: maybe":                                                                 "ignorecase must be true or false",
		head("existence") + "tokens: [a]\naction:\n  name: edit":                                                             "action is not supported here",
		head("existence") + "tokens: [a]\naction:\n  name: remove\n  params: [x]":                                            "action is not supported here",
		head("existence") + "tokens: &x [a]\nexceptions: *x":                                                                 "exceptions must be a list",
		head("existence") + "tokens: [a]\ntokens: [b]":                                                                       "tokens is there twice",
		head("existence") + "tokens: [a]\nlanguage: klingonisch":                                                             "language must be the tag of a language",
		head("existence") + "tokens: [a]\nlink: javascript:alert(1)":                                                         "link must be an address of the web",
		"name: A\nextends: existence\nmessage: '%s %s'\ntokens: [a]":                                                         "message must have at most 1 times %s",
		head("occurrence") + "token: a":                                                                                      "max is required, or min",
		head("occurrence") + "token: a\nmax: 0":                                                                              "max must be a number from 1 on",
		head("occurrence") + "token: a\nmax: 1.5":                                                                            "max must be a whole number",
		head("occurrence") + "token: a\nmax: 1\nmin: 2":                                                                      "min must not be greater than max",
		head("capitalization") + "match: $camel":                                                                             "match must be $title",
		head("conditional") + "first: a\nsecond: b":                                                                          "second must have a group",
		head("readability") + "metrics: [SMOG]\ngrade: 8":                                                                    "metrics must be Flesch-Kincaid alone",
		head("existence") + "tokens: [a, \"b\\0\"]":                                                                          "line 4: tokens has a value that is no text, is blank, or has control characters",
		"name: \"A\\0\"\nextends: existence\nmessage: a\ntokens: [a]":                                                        "line 1: name must be a text without control characters",
		"name: A\nextends: existence\nmessage: \"\\u202E\"\ntokens: [a]":                                                     "line 3: message must be a text without control characters",
		head("substitution") + "swap: {foo: \"$1\"}":                                                                         "has no such group",
		head("substitution") + "swap: {foo: \"a\\0\"}":                                                                       "has control characters",
		head("capitalization") + "match: $title\nthreshold: 7":                                                               "threshold must be a share of the words",
		head("substitution") + "swap: {}":                                                                                    "swap must have from 1 to 1000 pairs",
		head("existence") + "tokens: [" + strings.Repeat("a,", 10_000) + "]":                                                 "more than 20000 characters",
		head("existence") + "tokens: [a]\n---\n" + head("existence") + "tokens: [a]":                                         "line 6: name is that of an earlier rule",
		head("existence") + "tokens: [a]\n---\n\n" + strings.Replace(head("existence"), "A", "B", 1) + "tokens: [a]\npos: x": "line 11: pos is not supported",
	} {
		rules, err := house.ParseAll(rule)
		if err == nil && len(rules) == 0 {
			err = fmt.Errorf("no rule")
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.80q: %v, want %s", rule, err, want)
		}
	}
}

// TestCheck_letters checks that words are found whatever their case, also where a letter has several
// forms, such as the long s and the sigma at the end of a word.
func TestCheck_letters(t *testing.T) {
	t.Parallel()
	rule := head("existence") + "tokens: [maſs, Σίσυφος, kelvin]\nignorecase: true"
	for _, word := range []string{"mass", "MASS", "maſs", "ΣΊΣΥΦΟΣ", "σίσυφος", "KELVIN", "\u212aelvin"} {
		if got, want := found(t, rule, "The "+word+" is here."), word+": "+word+"!"; got != want {
			t.Errorf("%q: %q", word, got)
		}
	}
}

// TestCheck_deadline checks that a check ends before the context that it has to answer in.
func TestCheck_deadline(t *testing.T) {
	t.Parallel()
	one, err := house.Parse(head("existence") + "tokens: ['(a|b|ab)*c']\nnonword: true")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	_, err = house.Check(ctx, slices.Repeat([]*house.Rule{one}, 10_000), strings.Repeat("ab ", 30_000), "en")
	if !errors.Is(err, house.ErrSlow) {
		t.Errorf("a check that takes longer returns %v", err)
	}
}

// TestScore checks that a score goes by the length of the text.
func TestScore(t *testing.T) {
	t.Parallel()
	rules, err := house.ParseAll("name: E\nextends: existence\nmessage: a\nlevel: error\ntokens: [err]\n---\n" +
		"name: W\nextends: existence\nmessage: a\ntokens: [warn]\n---\n" +
		"name: S\nextends: existence\nmessage: a\nlevel: suggestion\ntokens: [suggest]\n")
	if err != nil {
		t.Fatal(err)
	}
	for content, want := range map[string]int{
		"": 100, "fine": 100, "err": 90, "warn": 97, "suggest": 99, strings.Repeat("err ", 11): 0,
		"err" + strings.Repeat(" word", 199): 95, "suggest" + strings.Repeat(" word", 4999): 99,
	} {
		report, err := house.Check(t.Context(), rules, content, "")
		if err != nil || report.Score() != want {
			t.Errorf("%.20q has %d, %v, want %d", content, report.Score(), err, want)
		}
	}
}

// TestReadability checks the reading ease of texts with known counts.
func TestReadability(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		content, language, want string
	}{
		{"The cat sat on the mat.", "en", "flesch 116.1"},
		{"# The heading\n\nSie lesen den Bericht. Das Haus ist neu.", "de", "amstad 102.9"},
		{"Le chat dort.", "fr", "none"}, {"", "en", "none"},
	} {
		report, err := house.Check(t.Context(), nil, c.content, c.language)
		if err != nil {
			t.Fatal(err)
		}
		got := "none"
		if report.Readability != nil {
			got = fmt.Sprintf("%s %.1f", report.Readability.Measure, report.Readability.Value)
		}
		if got != c.want {
			t.Errorf("%q: %s, want %s", c.content, got, c.want)
		}
	}
}

// FuzzParse checks that no rule panics, and that findings are parts of the text.
func FuzzParse(f *testing.F) {
	content := "# A Heading of it\n\nThe the **Öl** price, `code` and [a link](https://example.com) \\* end.\n\n- item one\n"
	f.Add(head("existence")+"tokens: [a, '\\w+']\nscope: [heading, sentence]", content)
	f.Add(head("substitution")+"swap: {a: b, '(x)y': '$1|$2'}", content)
	f.Add(head("occurrence")+"token: '[^\\s]'\nmax: 3\nmin: 1\n---\n", content)
	f.Add(head("capitalization")+"match: $title\nexceptions: [of]", content)
	f.Add(head("repetition")+"tokens: ['[^\\s]*']\nmax: 2", content)
	f.Add(head("conditional")+"first: '(a)'\nsecond: '(b)?'", content)
	f.Add(head("readability")+"metrics: [Flesch-Kincaid]\ngrade: 1", content)
	f.Fuzz(func(t *testing.T, source, content string) {
		rules, err := house.ParseAll(source)
		if err != nil {
			return
		}
		for _, one := range rules {
			if _, err := house.Parse(one.Source); err != nil {
				t.Errorf("the source of a rule is refused: %v", err)
			}
		}
		report, err := house.Check(t.Context(), rules, content, "")
		if err != nil {
			return
		}
		points := []rune(content)
		for _, one := range report.Findings {
			if p := one.Passage; p != nil && strings.ToValidUTF8(string(points[p.Start:p.End]), "") != strings.ToValidUTF8(p.Text, "") {
				t.Errorf("%q is not at %d to %d", p.Text, p.Start, p.End)
			}
		}
	})
}
