package tag

import "testing"

func TestSameValue_equal(t *testing.T) {
	for _, c := range []struct{ kind, a, b string }{
		{"company", "Tidewall PLC", "tidewall  plc."},
		{"company", "Tidewall", "Tidewall Inc."},
		{"company", "Tidewall Inc.", "Tidewall, Incorporated"},
		{"company", "Danone", "Danone SA"},
		{"topic", "Tidewall", "Tidewall GmbH"},
		{"company", "The Tide Group", "Tide Group"},
		{"company", "Société Générale", "Societe Generale"},
		{"executive", "José Núñez", "JOSE NUNEZ"},
		{"topic", "Tidal array", "Tidal Arrays"},
		{"topic", "Energy subsidies", "energy subsidy"},
		{"topic", "Internationalisation", "Internationalization"},
		{"topic", "ｆｅｒｒｉｅｓ", "Ferries"},
		{"topic", "#Growth", "growth"},
	} {
		if !sameValue(c.kind, c.a, c.b) || !sameValue(c.kind, c.b, c.a) {
			t.Errorf("%q and %q differ as %s", c.a, c.b, c.kind)
		}
	}
}

func TestSameValue_different(t *testing.T) {
	for _, c := range []struct{ a, b string }{
		{"Growth", "No growth"}, {"Not for profit", "For profit"}, {"Team B", "Team A"}, {"Bank Two", "Bank One"},
		{"Nord A", "Nord B"}, {"Model S", "Model X"}, {"Tidewall US", "Tidewall IT"}, {"Mercer Group", "Mercor Group"},
		{"Anglo American", "Angle American"}, {"Capital One", "Capital On"}, {"John Smith", "Joan Smith"},
		{"Mario Lopez", "Maria Lopez"}, {"Paul Martin", "Paula Martin"}, {"Marian Jones", "Marion Jones"},
		{"Hans Meyer", "Hans Mayer"},
		{"Hans Meyer", "Han Meyer"}, {"Elizabeth Vogt", "Elisabeth Vogt"}, {"Macroeconomics", "Microeconomics"},
		{"Employers", "Employees"}, {"Marketing", "Markets"}, {"News", "New"}, {"Offshore wind", "Wind, offshore"},
		{"Tidewall Inc", "Tidewall Ltd"}, {"Results of 2025", "Results of 2026"}, {"1990s", "1990"},
		{"Solar power", "Polar power"},
		{"C++", "C"}, {"C#", "C"}, {"…", "?"}, {"き", "ぎ"},
	} {
		for _, kind := range []string{"topic", "company", "executive"} {
			if sameValue(kind, c.a, c.b) || sameValue(kind, c.b, c.a) {
				t.Errorf("%q and %q are equal as %s", c.a, c.b, kind)
			}
		}
	}
	if sameValue("executive", "John William", "John Williams") || sameValue("topic", "Vitamin", "Vitamin AB") {
		t.Error("the plural of a name or a word like a legal form is equal")
	}
}

func TestOffline_keeps_words_unchanged(t *testing.T) {
	for _, c := range []struct {
		text, want string
		allowed    []string
	}{
		{"Team B won the cup.", "Team B", []string{"Team A", "Team B"}},
		{"The team won the cup.", "", []string{"Team A", "Team B"}},
		{"It pays to go non-solar.", "Non-solar", []string{"Solar", "Non-solar"}},
		{"It is written in C++, mostly.", "C++", []string{"C", "C#", "C++"}},
		{"We see no  growth this year.", "No growth", []string{"Growth", "No growth"}},
		{"It is a not for profit body.", "Not for profit", []string{"For profit", "Not for profit"}},
		{"The tidal arrays pay.", "Tidal array", []string{"Harbour", "Tidal array"}},
		{"There is no doubt that it pays.", "", []string{"Yes", "No"}},
		{"It needs a partisan art.", "", []string{"Party", "Artisan"}},
		{"风力发电增长。", "风力", []string{"太阳能", "风力"}},
	} {
		got := offlineAnswer(t, newDocument("News", c.text), newDefinition(newAutoTag("X", "topic", c.allowed...), nil))
		if got != nil && got.Value != c.want || got == nil && c.want != "" {
			t.Errorf("%q of %q: %+v", c.text, c.allowed, got)
		}
	}
}
