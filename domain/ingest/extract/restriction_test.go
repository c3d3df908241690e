package extract_test

import (
	"testing"
	"time"

	"rostrum/domain/ingest/extract"
)

// TestRestrictionOf reads heads of texts that say who may know them, and heads that only sound so.
func TestRestrictionOf(t *testing.T) {
	t.Parallel()
	at := func(text string) *time.Time {
		end, err := time.Parse(time.RFC3339, text)
		if err != nil {
			t.Fatal(err)
		}
		end = end.UTC()
		return &end
	}
	for _, c := range []struct {
		title, text string
		want        extract.Restriction
	}{
		{"Board minutes", "CONFIDENTIAL\n\nThe board met on Monday.", extract.Restriction{IsMarked: true}},
		{"Board minutes", "# **Strictly confidential – not for onward distribution**\n\nThe board met.", extract.Restriction{IsMarked: true}},
		{"[CONFIDENTIAL] Board minutes", "The board met.", extract.Restriction{IsMarked: true}},
		{"Plan", "Private & Confidential\nTo: the board", extract.Restriction{IsMarked: true}},
		{"Notes", "For internal use only\nThe depot closes.", extract.Restriction{IsMarked: true}},
		{"Notes", "(Not for publication)\nThe depot closes.", extract.Restriction{IsMarked: true}},
		{"Vermerk", "Streng vertraulich!\nDas Depot schließt.", extract.Restriction{IsMarked: true}},
		{"Vermerk", "Nur für den internen Gebrauch\nDas Depot schließt.", extract.Restriction{IsMarked: true}},
		{"Note", "Confidentiel : ne pas diffuser\nLe dépôt ferme.", extract.Restriction{IsMarked: true}},
		{"Nota", "Uso interno\nEl depósito cierra.", extract.Restriction{IsMarked: true}},
		{"通知", "社外秘\n工場を閉鎖します。", extract.Restriction{IsMarked: true}},
		{"通知", "内部资料：不得外传\n工厂将关闭。", extract.Restriction{IsMarked: true}},

		{"Embargo: half-year results", "Embargoed until 07:00 GMT, 3 December 2026\n\nRevenue rose.",
			extract.Restriction{IsMarked: true, Until: at("2026-12-03T07:00:00Z")}},
		{"Results", "EMBARGOED UNTIL 07:00 GMT, 3 December 2026\n\nRevenue rose.",
			extract.Restriction{IsMarked: true, Until: at("2026-12-03T07:00:00Z")}},
		{"Results", "Under strict embargo until Thursday, December 3, 2026 at 9.30 am EST\n\nRevenue rose.",
			extract.Restriction{IsMarked: true, Until: at("2026-12-03T09:30:00-05:00")}},
		{"Zahlen", "Sperrfrist: 3. Dezember 2026, 9 Uhr MEZ\n\nDer Umsatz stieg.",
			extract.Restriction{IsMarked: true, Until: at("2026-12-03T09:00:00+01:00")}},
		{"Résultats", "Sous embargo jusqu'au 3 décembre 2026, 8h00 CET\n\nLes ventes montent.",
			extract.Restriction{IsMarked: true, Until: at("2026-12-03T08:00:00+01:00")}},
		{"Results", "Not for release before 2026-12-03 07:00 UTC+2\n\nRevenue rose.",
			extract.Restriction{IsMarked: true, Until: at("2026-12-03T07:00:00+02:00")}},
		{"Results", "Embargoed until 3 December 2026, 9 am\n\nRevenue rose.", extract.Restriction{IsMarked: true}}, // no zone
		{"Results", "Embargoed until 3 December 2026 GMT\n\nRevenue rose.", extract.Restriction{IsMarked: true}},   // no time
		{"Results", "EMBARGOED\n\nRevenue rose.", extract.Restriction{IsMarked: true}},
		{"Embargo: 9 am", "Revenue rose.", extract.Restriction{IsMarked: true}},

		{"Confidential files show what the mill knew", "The mill knew.", extract.Restriction{}},
		{"Embargo on Russian oil takes effect", "The embargo began.", extract.Restriction{}},
		{"Internal market", "Internal audits found nothing.\nInterne Prüfungen fanden nichts.", extract.Restriction{}},
		{"For immediate release", "FOR IMMEDIATE RELEASE\nHull, 3 March 2026. Kestrel closes its hall.", extract.Restriction{}},
		{"Letter", "Confidence grows in the north.\nConfidential talks began.", extract.Restriction{}},
		{"A long text", "One.\nTwo.\nThree.\nFour.\nFive.\nSix.\nConfidential", extract.Restriction{}}, // not its head
	} {
		got := extract.RestrictionOf(c.title, c.text)
		if got.IsMarked != c.want.IsMarked || (got.Until == nil) != (c.want.Until == nil) ||
			got.Until != nil && !got.Until.Equal(*c.want.Until) {
			t.Errorf("%q, %q: %v until %v, want %v until %v", c.title, c.text, got.IsMarked, got.Until, c.want.IsMarked, c.want.Until)
		}
	}
}
