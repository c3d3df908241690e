package quality

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"rostrum/model"
)

func TestCompare(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		got, want             string
		precision, recall, f1 float64
	}{
		"the same text is perfect":       {"The tram is late.", "The tram is late.", 1, 1, 1},
		"case and punctuation are equal": {"THE tram — is late", "The tram is late.", 1, 1, 1},
		"order is ignored":               {"late is the tram", "the tram is late", 1, 1, 1},
		"nothing found is nought":        {"", "The tram is late.", 0, 0, 0},
		"nothing shared is nought":       {"cats and dogs", "The tram is late.", 0, 0, 0},
		"half too much":                  {"the tram is late share this page now", "the tram is late", 0.5, 1, 2.0 / 3},
		"half missing":                   {"the tram", "the tram is late", 1, 0.5, 2.0 / 3},
		"repetition counts":              {"tram tram", "tram", 0.5, 1, 2.0 / 3},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			overlap := Compare(test.got, test.want)
			near(t, "precision", overlap.Precision, test.precision)
			near(t, "recall", overlap.Recall, test.recall)
			near(t, "F1", overlap.F1, test.f1)
		})
	}
}

func TestTokens(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		text string
		want []string
	}{
		"spaced scripts":        {"Größe: 1,200 m — l'eau", []string{"größe", "1,200", "m", "l'eau"}},
		"one ideograph each":    {"修书人。", []string{"修", "书", "人"}},
		"Hangul by the space":   {"바다로 돌아온", []string{"바다로", "돌아온"}},
		"vowel signs stay put":  {"गाँव में", []string{"गाँव", "में"}},
		"symbols are no tokens": {"★ • 🚋 …", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := Tokens(test.text); !slices.Equal(got, test.want) {
				t.Errorf("Tokens(%q) = %q, want %q", test.text, got, test.want)
			}
		})
	}
}

func TestScore(t *testing.T) {
	t.Parallel()
	pages := []Page{
		{Name: "good", Want: "one two", Label: Label{Kind: "news", Language: "en", Title: "Tram", Author: "Ann",
			Published: "2024-01-02"}},
		{Name: "poor", Want: "one two", Label: Label{Kind: "blog", Language: "de", Title: "Bahn"}},
		{Name: "refused", Want: "one two", Label: Label{Kind: "blog", Language: "de"}},
		{Name: "caught", Label: Label{Kind: "trap", Language: "en", Reason: model.ProcessingErrorCodeCaptcha}},
		{Name: "taken in", Label: Label{Kind: "trap", Language: "en", Reason: model.ProcessingErrorCodePaywall}},
	}
	answers := map[string]Extraction{
		"good":     {Content: "one two", Title: "TRAM", Author: "Ann", Published: "2024-01-02", Language: "en-GB"},
		"poor":     {Content: "one two three four five six", Title: "Zug", Language: "de"},
		"refused":  {Reason: model.ProcessingErrorCodeNoText},
		"caught":   {Reason: model.ProcessingErrorCodeCaptcha},
		"taken in": {Content: "subscribe now"},
	}
	report := Score(pages, func(page Page) Extraction { return answers[page.Name] })

	near(t, "mean F1", report.Text.Mean.F1, (1+0.5+0)/3)
	near(t, "F1 of blogs", report.ByKind[0].Mean.F1, 0.25)
	near(t, "F1 of English", report.ByLanguage[1].Mean.F1, 1)
	shares := []Share{report.Reasons, report.Traps, report.Title, report.Author, report.Published, report.Language}
	if want := []Share{{3, 5}, {1, 2}, {1, 2}, {1, 1}, {1, 1}, {2, 3}}; !slices.Equal(shares, want) {
		t.Errorf("shares of reasons, traps, title, author, published, language = %v, want %v", shares, want)
	}
	if got := names(report.Wrong()); !slices.Equal(got, []string{"refused", "taken in"}) {
		t.Errorf("wrong reasons on %q", got)
	}
	if got := names(report.Worst(2)); !slices.Equal(got, []string{"refused", "poor"}) {
		t.Errorf("worst pages are %q", got)
	}
	var out bytes.Buffer
	if err := report.Print(&out); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"taken in      paywall  text", "reason, all pages  3 of 5  0.600"} {
		if !bytes.Contains(out.Bytes(), []byte(line)) {
			t.Errorf("the printed report lacks %q:\n%s", line, out.String())
		}
	}
}

func TestScore_nothing(t *testing.T) {
	t.Parallel()
	report := Score(nil, nil)
	near(t, "mean F1", report.Text.Mean.F1, 0)
	near(t, "reasons", report.Reasons.Ratio(), 1)
}

func near(t *testing.T, label string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-9 {
		t.Errorf("%s is %v, want %v", label, got, want)
	}
}

func names(outcomes []Outcome) []string {
	list := make([]string, len(outcomes))
	for i, outcome := range outcomes {
		list[i] = outcome.Page.Name
	}
	return list
}
