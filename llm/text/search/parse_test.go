package search

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// describe writes a query in one line: | between alternatives, + between words side by side.
func describe(q Query) string {
	clauses := make([]string, len(q))
	for i, clause := range q {
		terms := make([]string, len(clause))
		for j, t := range clause {
			terms[j] = describeTerm(t)
		}
		clauses[i] = strings.Join(terms, "|")
	}
	return strings.Join(clauses, " ")
}

func describeTerm(t Term) string {
	out := ""
	if t.Not {
		out = "-"
	}
	if t.Field != FieldText {
		out += string(t.Field) + ":"
	}
	if !t.IsText() {
		return out + strings.ReplaceAll(t.Value, " ", "_")
	}
	var forms []string
	for _, word := range t.Words {
		forms = append(forms, word.Form)
	}
	text := strings.Join(forms, "+")
	if t.IsExact {
		text = `"` + text + `"`
	}
	if t.Prefix {
		text += "*"
	}
	return out + text
}

func TestParse(t *testing.T) {
	for query, want := range map[string]string{
		`debt crisis`:                    "debt crisis",
		`"Interest Rates" cut*`:          `"interest+rates" cut*`,
		`merger -rumour`:                 "merger -rumour",
		`a1 b1 OR c1 OR d1 e1`:           "a1 b1|c1|d1 e1",
		`title:budget`:                   "title:budget",
		`TITLE:"Annual report"`:          `title:"annual+report"`,
		`-title:rumour`:                  "-title:rumour",
		`company:"Acme Corp" tag:energy`: "company:Acme_Corp tag:energy",
		`is:HIDDEN lang:DE`:              "is:hidden lang:de",
		`after:2026-10-01 before:2027`:   "after:2026-10-01 before:2027",
		`AT&T`:                           "at+t",
		`C++ C# c`:                       "c++ c# c",
		`https://alder.example/a-b?c=d`:  "https+alder+example+a+b+c+d",
		`Re: minutes 12:30`:              "re minutes 12+30",
		`don't`:                          "don",
		`o'brien's l’entreprise d'Orsay`: "o+brien entreprise orsay",
		`"never closed`:                  `"never+closed"`,
		`5" screen`:                      "5 screen",
		`- -- & () * "" ' ok`:            "ok",
		`Zürich ZÜRICH`:                  "zurich zurich",
		`İSTANBUL ıstanbul`:              "istanbul istanbul",
		`Straße ΟΔΟΣ οδός`:               "strasse οδοσ οδοσ",
		`full‑width ｆｕｌｌ`:                "full+width full",
		`東京電力`:                           "東京+京電+電力",
		`債`:                              "債*",
		`คน`:                             "คน",
		`the debt of France`:             "debt france",
		`to be or not`:                   "to be or not",
		`„Große Koalition“ «prix fixe»`:  `"grosse+koalition" "prix+fixe"`,
		`report_final.pdf 3-5 24/7`:      "report+final+pdf 3+5 24+7",
		`x OR "y z"`:                     `x|"y+z"`,
		`rock AND roll`:                  "rock roll",
	} {
		got, err := Parse(query)
		if err != nil || describe(got) != want {
			t.Errorf("%s: got %s, %v, want %s", query, describe(got), err, want)
		}
	}
}

func TestParse_wrong(t *testing.T) {
	for query, want := range map[string]string{
		`-`:                    `at character 1: has nothing to search for: write a word`,
		` 🎉 *`:                 `at character 1: has nothing to search for: write a word`,
		`debt after:yesterday`: `at character 12: "yesterday" is not a day; write after:2026-10-01, after:2026-10 or after:2026`,
		`is:secret`:            `at character 4: is: does not know "secret"; write one of hidden, shown, ready, processing, failed, public, internal, embargoed, undecided`,
		`lang:English!`:        `at character 6: "English!" is not a language; write its code, as in lang:de`,
		`debt title:`:          `at character 6: title: needs a word, as in title:budget`,
		`company: Acme`:        `at character 1: company: needs a value, as in company:Acme or company:"Acme Corp"`,
		`a*`:                   `at character 1: write at least two letters before *, as in mer*`,
		`OR debt`:              `at character 1: OR stands between two words, as in merger OR takeover; to search for the word itself write "or"`,
		`Zürich OR`:            `at character 8: OR needs a word on both sides, as in merger OR takeover; to search for the word itself write "or"`,
	} {
		if _, err := Parse(query); err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", query, err, want)
		}
	}
}

// TestAnalyze_stems checks that the words of a text and of a query meet in a stem.
func TestAnalyze_stems(t *testing.T) {
	for _, c := range []struct{ language, text, query string }{
		{"en", "debts", "debt"}, {"de", "Häuser", "Haus"}, {"de", "Mueller", "Müller"}, {"en", "Müller", "Mueller"},
		{"fr", "licenciements", "licenciement"}, {"es", "acciones", "accion"}, {"de", "Straßen", "strasse"},
		{"ja", "investors", "investor"}, {"tr", "İşçiler", "işçi"}, {"ru", "долги", "долг"},
	} {
		word := AllOf(c.query)[0][0].Words[0]
		keys, isFound := word.Keys(), false
		for _, stored := range Analyze(c.text, "", c.language).Words {
			isFound = isFound || slices.Contains(keys, Key{stored.Language, stored.Stem})
		}
		if !isFound {
			t.Errorf("%s does not find %s in %s", c.query, c.text, c.language)
		}
	}
}

// TestAnalyze_bounds indexes a text of many words up to the limit of a server.
func TestAnalyze_bounds(t *testing.T) {
	var long strings.Builder
	for i := range 200_000 {
		fmt.Fprintf(&long, "word%d ", i)
	}
	found := Analyze("Title", long.String(), "en")
	if n := len(found.Content); n == 0 || n == 200_000 {
		t.Errorf("%d words of a text are indexed", n)
	}
	if found := Analyze("", strings.Repeat("x", 100_000), "en"); len(found.Content) != 1 || len(found.Content[0]) > 60 {
		t.Errorf("a long word is indexed as %d words", len(found.Content))
	}
}

func TestExcerpt(t *testing.T) {
	text := strings.Repeat("Nothing here. ", 50) + "The Zürich\nairport pays its debts 東京電力 today. " + strings.Repeat("More. ", 50)
	m := Marker{Forms: map[string]bool{"zurich": true, "debts": true, "東京": true, "京電": true}, Prefixes: []string{"toda"}}
	excerpt, marks := m.Excerpt(text)
	var words []string
	for _, mark := range marks {
		words = append(words, string([]rune(excerpt)[mark.Start:mark.End]))
	}
	if got := strings.Join(words, " "); got != "Zürich debts 東京電 today" || strings.Contains(excerpt, "\n") {
		t.Errorf("got %q in %q", got, excerpt)
	}
}

func TestTypos(t *testing.T) {
	for _, c := range []struct {
		word, other string
		want        int
	}{{"siemens", "simens", 1}, {"zurihc", "zurich", 1}, {"ban", "bar", -1}, {"volkswagon", "volkswagen", 1}, {"debt", "dept", 1}, {"alpha", "omega", -1}} {
		if got := Typos(c.word, c.other); got != c.want {
			t.Errorf("%s, %s: got %d, want %d", c.word, c.other, got, c.want)
		}
	}
}

// FuzzParse parses any query: it never panics, and what it says of places is true.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{`a "b c" -d e* OR title:f after:2026 is:hidden`, "東京 İı ß", `OR OR`, `title:"`, "-\x00\xff", "C++#'’s"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, query string) {
		length := len([]rune(query))
		q, err := Parse(query)
		if wrong, ok := errors.AsType[*Error](err); err != nil && (!ok || wrong.At < 0 || wrong.At >= max(1, length)) {
			t.Fatalf("%q: %v at %d of %d", query, err, wrong.At, length)
		}
		for _, term := range slices.Concat(q...) {
			if term.At < 0 || term.End > length || term.At >= term.End || term.IsText() == (len(term.Words) == 0) {
				t.Fatalf("%q: %+v", query, term)
			}
			for _, word := range term.Words {
				if word.Form == "" || strings.ContainsAny(word.Form, " \t\n\"'") || word.at < term.At || word.end > term.End {
					t.Fatalf("%q: word %+v of %+v", query, word, term)
				}
				word.Keys()
			}
		}
		Analyze(query, query, "")
		Marker{Prefixes: []string{"a"}}.Excerpt(query)
	})
}
