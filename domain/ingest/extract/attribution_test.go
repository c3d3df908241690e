package extract

import "testing"

func TestFindSpeaker_pairs(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][2]string{
		"“It works,” said Ines Okafor, chief executive of Tidewall.":         {"Ines Okafor", "Tidewall"},
		"Ines Okafor, CEO of Tidewall, said the work went on.":               {"Ines Okafor", "Tidewall"},
		"Tidewall CEO Ines Okafor opened the array.":                         {"Ines Okafor", ""},
		"Tidewall's chief executive, Ines Okafor, opened the array.":         {"Ines Okafor", "Tidewall"},
		"Ines Okafor, Tidewall’s chief executive officer, opened the array.": {"Ines Okafor", "Tidewall"},
		"The chief executive of Tidewall, Ines Okafor, opened the array.":    {"Ines Okafor", "Tidewall"},
		"It was opened by Jan van der Meer, founder and CEO of Noordzee Power, on Monday.": {"Jan van der Meer",
			"Noordzee Power"},
		"„Das war knapp“, sagte Karin Vogt, Vorstandsvorsitzende der Nordlicht AG.": {"Karin Vogt",
			"Nordlicht AG"},
		"So said Ines Okafor, chief executive of Tidewall. Growth is great.": {"Ines Okafor", "Tidewall"},
		"So said Ines Okafor, chief executive of Tidewall Inc. Shares rose.": {"Ines Okafor",
			"Tidewall Inc."},
		"So said Ines Okafor, chief executive of Tidewall, Ltd. Shares rose.": {"Ines Okafor",
			"Tidewall, Ltd."},
		"So said Ines Okafor, chief executive of Tidewall Inc, on Monday.": {"Ines Okafor",
			"Tidewall Inc"},
		"So said Ines Okafor, chief executive of Tidewall\n\nGrowth is great.": {"Ines Okafor", "Tidewall"},
		"So said Ines Okafor, CEO of Harbour.com. Growth is great.": {"Ines Okafor",
			"Harbour.com"},
		"So said Ines Okafor, CEO of J.P. Tide & Co. Growth is great.": {"Ines Okafor",
			"J.P. Tide & Co."},
		"Shares rose at Harbour Inc. Harbour CEO Ines Okafor smiled.": {"Ines Okafor", "Harbour"},
		"“It works,” said Ines Okafor, chief executive.":              {"Ines Okafor", ""},

		"The chief executive said the company would wait.":      {"", ""},
		"Former Tidewall CEO Ines Okafor wrote a book.":         {"", ""},
		"Ines Okafor, a fisherwoman from Kirkholm, said so.":    {"", ""},
		"The Tide Group and the Harbour Council met on Monday.": {"", ""},
		"": {"", ""},
		"“Yes,” said Ann Lee, CEO. “No,” said Bo Ek, CEO, yesterday.": {"", ""},
	} {
		if executive, company := FindSpeaker(text); executive != want[0] || company != want[1] {
			t.Errorf("%q: %q of %q, want %q", text, executive, company, want)
		}
	}
}

// TestFindSpeaker_no_word_in_front_of_an_office_is_a_company checks articles, possessives,
// adjectives and titles of several languages, which have a capital at the start of a sentence.
func TestFindSpeaker_no_word_in_front_of_an_office_is_a_company(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"La directora general, Ana Ruiz, dijo que sí.", "La directora general Ana Ruiz dijo que sí.",
		"El consejero delegado Pablo Gil dijo que no.", "Nuestra directora general, Ana Ruiz, dijo que sí.",
		"Le PDG Jean Martin a déclaré le contraire.", "Notre PDG, Jean Martin, a déclaré le contraire.",
		"Le directeur général Jean Martin explique le plan.", "Der Vorstandsvorsitzende Karl Vogt sagte Nein.",
		"Unser Vorstandsvorsitzender, Karl Vogt, sagte Nein.", "Unser CEO Karl Vogt sagte Nein.",
		"Neuer CEO Karl Vogt sagte Nein.", "L'amministratore delegato Marco Riva afferma il contrario.",
		"Il presidente Marco Riva afferma il contrario.", "De bestuursvoorzitter Jan Smit zei nee.",
		"Onze CEO Jan Smit zei nee.", "Embattled CEO Ines Okafor said no.", "Outgoing chief executive Ines Okafor said no.",
		"“No.” Billionaire founder Ines Okafor said no.", "Vice Chair Ines Okafor said no.",
		"Deputy Director General Ines Okafor said no.", "Finance Director and CEO Ines Okafor said no.",
	} {
		if _, company := FindSpeaker(text); company != "" {
			t.Errorf("%q names the company %q", text, company)
		}
	}
	text := "Shares of Tidewall fell. Embattled Tidewall CEO Ines Okafor said no."
	if _, company := FindSpeaker(text); company != "Tidewall" {
		t.Errorf("%q names the company %q", text, company)
	}
}

// TestAttribution_who_is_named_does_not_speak checks that an article about a company is not the
// company's, and that its executive speaks or signs.
func TestAttribution_who_is_named_does_not_speak(t *testing.T) {
	t.Parallel()
	opinion := "By Petra Lindqvist\n\nI spent nine years at the regulator. What Ines Okafor, chief executive of Tidewall, " +
		"calls a formality is the law.\n\nI never signed such a waiver, and I would not sign one now."
	for text, want := range map[string][2]string{
		opinion: {"", ""},
		"The regulator fined the firm of Ines Okafor, chief executive of Tidewall, on Monday.": {"", ""},
		"“We will appeal,” said Ines Okafor, chief executive of Tidewall.":                     {"Ines Okafor", "Tidewall"},
		"Ines Okafor, chief executive of Tidewall, said the firm would appeal.":                {"Ines Okafor", "Tidewall"},
	} {
		if got := Attribution(text, Meta{}); got.Executive != want[0] || got.Company != want[1] || got.IsOwn {
			t.Errorf("%q: %+v, want %q", text, got, want)
		}
	}
	for _, about := range []string{"About Tidewall", "**About Tidewall**", "## Über Tidewall", "À propos de Tidewall", "*Sobre Tidewall:*"} {
		release := "Tidewall closes the array.\n\n" + about + "\nTidewall lifts turbines."
		if got := Attribution(release, Meta{}); got.Company != "Tidewall" || !got.IsOwn {
			t.Errorf("a release with %s: %+v", about, got)
		}
	}
}

func TestAttribution_a_publisher_is_the_company_only_on_its_own_site(t *testing.T) {
	t.Parallel()
	text := "At Tidewall we build turbines. Our machines rest on the sea bed, and our people lift them. We publish what we count."
	if got := Attribution(text, Meta{Host: "www.tidewall.example", Publisher: "Tidewall"}); got.Company != "Tidewall" {
		t.Errorf("own site: %+v", got)
	}
	for _, meta := range []Meta{{Host: "courier.example", Publisher: "Tidewall"},
		{Host: "tidewall.example", Publisher: "Tidewall", Types: []string{"NewsArticle"}},
		{Host: "skerranews.example", Publisher: "Skerra News"}} {
		if got := Attribution(text, meta); got.Company != "" {
			t.Errorf("%+v: %+v", meta, got)
		}
	}
}

func TestAttribution_kind_and_date(t *testing.T) {
	t.Parallel()
	for kind, c := range map[string]struct {
		text string
		meta Meta
	}{
		"press_release": {"FOR IMMEDIATE RELEASE\n\nKIRKHOLM, March 12, 2026 – Tidewall today", Meta{}},
		"interview":     {"Q: Why the sound?\n\nA: It is deep.\n\nQ: And cold?\n\nA: Very.\n\nQ: Thank you.", Meta{}},
		"speech":        {"Ladies and gentlemen, thank you for having me.", Meta{}},
		"blog_post":     {"Today I changed the anodes.", Meta{Types: []string{"BlogPosting"}}},
		"article":       {"The council met.", Meta{Types: []string{"NewsArticle"}}},
		"social_post":   {"The tide!", Meta{Host: "www.linkedin.com"}},
		"report":        {"Executive summary\n\nIt went well.\n\nKey findings\n\nMore.", Meta{}},
		"":              {"The council met.", Meta{}},
	} {
		if got := Attribution(c.text, c.meta); got.CommunicationType != kind {
			t.Errorf("%q is %q, want %q", c.text, got.CommunicationType, kind)
		}
	}
	got := Attribution("KIRKHOLM, March 12, 2026 – Tidewall today", Meta{})
	if got.Published == nil || got.Published.Format("2006-01-02") != "2026-03-12" {
		t.Errorf("the dateline's date is %v", got.Published)
	}
}
