package cover_test

import (
	"strings"
	"testing"

	"rostrum/domain/content/cover"
)

// TestFind checks the points found and that the offsets of the evidence match the text.
func TestFind(t *testing.T) {
	for name, c := range map[string]struct {
		claim, content, evidence string
	}{
		"in another form":      {"The plant cut its water use by 30 percent", "Hello. Water use at the plant was cut by 30 %.", "Water use at the plant was cut by 30 %."},
		"after emoji":          {"Prices stay", "👩‍👩‍👧 é. Prices stay.", "Prices stay."},
		"in German":            {"Die Preise bleiben stabil", "Guten Tag. Die Preise bleiben stabil, sagt die Chefin des Verbands.", "Die Preise bleiben stabil, sagt die Chefin des Verbands."},
		"denied in German":     {"Die Preise steigen weiter", "Die Preise steigen nicht weiter, sagt die Chefin des Verbands am Montag.", ""},
		"unknown name":         {"Tidewall cut its prices", "Northgate cut its prices.", ""},
		"only small words":     {"It is on", "We say: it is on.", "We say: it is on."},
		"expected":             {"Break-even is expected in 2027", "Tidewall expects to break even in 2027.", "Tidewall expects to break even in 2027."},
		"others named later":   {"Tidewall raised 12.5 million euros", "Tidewall is young. The company raised €12.5 million from Coastal Ventures.", "from Coastal Ventures."},
		"others do it":         {"Tidewall raised 12.5 million euros", "Tidewall is young. Coastal Ventures raised €12.5 million.", ""},
		"another share":        {"Customers will save half of their energy costs", "Customers will save a third of their energy costs.", ""},
		"tense of a neighbour": {"Customers will save a third of their energy costs", "It will open. Customers saved a third of their energy costs.", ""},
		"empty text":           {"Prices stay", "", ""},
		"a pronoun for a name": {"Tidewall opened a school in Leeds", "Tidewall is 40 years old. It opened a school in Leeds.", "It opened a school in Leeds."},
	} {
		found := cover.Read(c.content).Find(c.claim)
		if found.Covered != (c.evidence != "") || !strings.HasSuffix(found.Evidence.Text, c.evidence) {
			t.Errorf("%s: %+v", name, found)
		}
		if runes := []rune(c.content); found.Covered && string(runes[found.Evidence.Start:found.Evidence.End]) != found.Evidence.Text {
			t.Errorf("%s: the offsets do not select the evidence: %+v", name, found)
		}
	}
}

// FuzzFind checks that evidence is part of the text, for any input.
func FuzzFind(f *testing.F) {
	f.Add("Prices rise by 2.5 million in May", "Prices rose. By two hundred thousand, in May, they don't.")
	f.Add("", "x")
	f.Fuzz(func(t *testing.T, claim, content string) {
		found := cover.Read(content).Find(claim)
		if runes := []rune(content); string(runes[found.Evidence.Start:found.Evidence.End]) != found.Evidence.Text {
			t.Errorf("%+v", found)
		}
	})
}
