package fact_test

import (
	"slices"
	"testing"

	"rostrum/llm/text/fact"
)

// TestMissing checks which facts a text lost.
func TestMissing(t *testing.T) {
	for name, c := range map[string]struct {
		before, after string
		missing       []string
	}{
		"number within another": {"It has 20 rooms.", "It has 2020 rooms.", []string{"20"}},
		"range":                 {"In 2020–2025 it grew.", "From 2020 to 2025 it grew.", []string{"2020–2025"}},
		"date":                  {"On 12 March 2026.", "On 12 May 2026.", []string{"12 March 2026"}},
		"date before a name":    {"On 3 March 2026 Ines Okafor paid.", "On 3 March 2026, Ines Okafor paid.", nil},
		"month":                 {"The works begin in May.", "The works may begin soon.", []string{"May"}},
		"month at the start":    {"En mars, l'usine ouvre.", "L'usine ouvre en mars.", nil},
		"weekday":               {"Das Werk öffnet am Dienstag.", "Das Werk öffnet bald.", []string{"Dienstag"}},
		"weekday at the start":  {"Lunes y martes, cerrado.", "Cerrado: lunes y martes.", nil},
		"verb like a month":     {"It may march on.", "It goes on.", nil},
		"address":               {"See https://a.example/b?c=1.", "See the site.", []string{"https://a.example/b?c=1"}},
		"quotation":             {"“It works”, he said.", "He said it works.", []string{"“It works”"}},
		"name":                  {"We met Ines Okafor.", "We met her.", []string{"Ines Okafor"}},
		"code":                  {"Call `x()` now.", "Call x() now.", []string{"`x()`"}},
		"other order":           {"40,000 homes, said Ines Okafor.", "Ines Okafor said: 40,000 homes.", nil},
		"number in a word":      {"CO2 in Q3, iPhone15 and A00.", "In Q3: CO2, A00.", []string{"iPhone15"}},
		"han":                   {"水門は2026年に開く。", "2026年、水門は開く。", nil},
	} {
		if got := fact.Missing(c.before, c.after); !slices.Equal(got, c.missing) {
			t.Errorf("%s: %q, want %q", name, got, c.missing)
		}
	}
}

// TestClean checks that invisible characters are removed and lookalike characters replaced.
func TestClean(t *testing.T) {
	for _, c := range []struct{ text, source, want string }{
		{"a\u200bb\ufeffc\u00ad", "abc", "abc"},
		{"𝐛𝐨𝐥𝐝 ＡＢ１", "bold", "bold AB1"},
		{"👩\u200d👧 می\u200cخواهم", "👩\u200d👧 می\u200cخواهم", "👩\u200d👧 می\u200cخواهم"},
		{"a\u00a0b\u202fc", "abc", "a b c"},
		{"a\r\nb", "a", "a\nb"},
	} {
		if got := fact.Clean(c.text, c.source); got != c.want {
			t.Errorf("%q becomes %q, want %q", c.text, got, c.want)
		}
	}
	if got := fact.MixedScriptWord("the pаper", "the paper"); got != "pаper" {
		t.Errorf("the word with a Cyrillic letter is %q", got)
	}
	if got := fact.MixedScriptWord("Москва and London", ""); got != "" {
		t.Errorf("two scripts side by side are %q", got)
	}
}
