package extract

import (
	"testing"
	"time"
)

// TestAttribution_date finds the date that a text states as its own.
func TestAttribution_date(t *testing.T) {
	t.Parallel()
	for text, title := range map[string]string{
		"HULL, 3 March 2026 – Kestrel Foods closes its hall.":                                 "",
		"HULL, England, March 3, 2026 /PRNewswire/ -- Kestrel":                                "",
		"**HULL, 3 March 2026** – Kestrel Foods closes its hall.":                             "",
		"## Recall\n\n*Date: 3rd March 2026*\n\nKestrel recalls.":                             "",
		"Kestrel Foods plc\nHalf-year results call\nTuesday, 3 March 2026, 09:30\n\nWelcome.": "",
		"Statement | 2026-03-03\n\nWe recall.":                                                "",
		"Text.":                                                                               "Remarks by Dana Whitlock, 3 March 2026", "We recall.": "3 March 2026: statement",
		"Leeds, den 3. März 2026\n\nKestrel ruft zurück.": "",
		"Paris, le 3 mars 2026 – Kestrel rappelle.":       "", "Madrid, 3 de marzo de 2026. \n\nKestrel retira.": "",
		"Wir rufen zurück.": "Pressemitteilung vom 3. März 2026",
		"Minutes of the meeting held on Tuesday 3 March 2026\n\nPresent: all": "", "Publié le 3 mars 2026\n\nOui.": "",
		"Publicado el 3 de marzo de 2026\n\nSí.": "", "Pubblicato il 3 marzo 2026\n\nSì.": "",
		"Gepubliceerd op 3 maart 2026\n\nJa.": "", "Berlin, 3. März 2026\n\nJa.": "", "03.03.2026\n\nJa.": "",
		"Minutes of the meeting held on Tuesday 3 March 2026 at 7.30 pm in the hall\n\nPresent: all": "",
		"Veröffentlicht am 3. März 2026 um 11:05 Uhr\n\nJa.":                                         "", "Hull, 3.3.2026. Kestrel ruft zurück.": "",
		"De : presse@kestrel.example\nEnvoyé : mardi 3 mars 2026 18:07\nObjet : Rappel\n\nOui.": "",
		"赫尔,2026年3月3日——凯斯特食品宣布召回。":                                                              "", "发布时间:2026年3月3日 09:30\n\n召回。": "",
		"İSTANBUL, 3 Mart 2026\n\nYeni liman açıldı.": "", "2026年3月3日　横浜\n\n埠頭が開業。": "",
		"Madrid, 3 de marzo de 2026.- Kestrel retira.": "", "Posted on March 3, 2026\n\nYes.": "",
		"Minutes of a meeting of the board held on Tuesday 3 March 2026 at 10.00 at the company's offices, Hull.\n\nPresent: all": "",
		"Niederschrift über die Sitzung des Rats vom Dienstag, dem 3. März 2026, Beginn 19.30 Uhr\n\nAnwesend: alle":              "",
		"Procès-verbal de la réunion du conseil tenue le mardi 3 mars 2026 à 14 heures, à Laruns.\n\nPrésents : tous":             "",
		"De : Anne Lou\nDate : mardi 3 mars 2026 à 09:15\nObjet : Rappel\n\nOui.":                                                 "", "Porto, 3 de março de 2026 – Kestrel retira.": "",
		"Publicado em 3 de março de 2026\n\nSim.": "", "Wir tauschen die Zähler bis zum 31. März 2027.\n\nStand: 3. März 2026": "",
		"Warszawa, 3 marca 2026 – Kestrel wycofuje.": "",
	} {
		got := Attribution(text, Meta{Title: title}).Published
		if got == nil || !got.Equal(time.Date(2026, 3, 3, 0, 0, 0, 0, time.UTC)) {
			t.Errorf("%q, %q: %v", title, text, got)
		}
	}
	for text, title := range map[string]string{
		"The cakes were sold until 3 March 2026.": "", "Kestrel said on 3 March 2026 that it recalls cakes.": "",
		"HULL, 31 February 2026 – Kestrel":          "",
		"The inquest will be held on 3 March 2026.": "", "LONDON, March 3 – Kestrel recalls.": "",
		"The meeting will be held on Tuesday 3 March 2026 at 7.30 pm in the hall": "",
		"Join us: Tuesday 3 March 2026 at 7.30 pm":                                "", "Publié le 03/04/2026": "", "Hull, 3/4/2026 – Kestrel recalls.": "",
		"Wir schließen am 3.3.2026. Danach nicht mehr.": "", "会议将于2026年3月3日召开。": "",
		"It was held on 3 March 2026 at 7.30 pm in Hull.": "", "The minutes of 3 March 2026 were agreed.": "",
		"Minutes of the board\n\nThe next meeting will be held on 3 March 2026.": "",
		"We close.\n\nUpdated prices apply from 3 March 2026.":                   "", "3 March 2026 at 10:00 the hearing begins.": "",
		"Dates: use by 3 March 2026, or 4 March 2026.": "", "Text": "What happened before 3 March 2026 in Hull",
	} {
		if got := Attribution(text, Meta{Title: title}).Published; got != nil {
			t.Errorf("%q, %q: %v", title, text, got)
		}
	}
}

// TestAttribution_kind_by_title finds the kind of communication that a title names.
func TestAttribution_kind_by_title(t *testing.T) {
	t.Parallel()
	for title, want := range map[string]string{
		"Remarks by Dana Whitlock at the annual dinner": "speech", "Half-year results call": "transcript",
		"Press release: Kestrel closes its hall": "press_release",
		"Interview with Dana Whitlock":           "interview", "Dana Whitlock's remarks": "speech",
		"Analysts call the results weak": "", "Minister remarks on the closure of the hall": "",
	} {
		if got := Attribution("The hall in Hull closes.", Meta{Title: title}).CommunicationType; got != want {
			t.Errorf("%q: %q, want %q", title, got, want)
		}
	}
}

// TestAttribution_opening finds the speaker that a title names, and the company that is alone in a
// line.
func TestAttribution_opening(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ title, text, executive, company string }{
		{"Remarks by Dana Whitlock, 4 March 2026", "I am proud of our people.", "Dana Whitlock", ""},
		{"Half-year results call", "**Kestrel Foods plc**\n5 March 2026\n\nDana Whitlock: Sales rose.", "",
			"Kestrel Foods plc"},
		{"Note", "Kestrel Foods plc\nTidewall Ltd\n\nBoth rose.", "", ""},
		{"Remarks by the company", "We are proud of Kestrel Foods plc.", "", ""},
	} {
		if got := Attribution(c.text, Meta{Title: c.title}); got.Executive != c.executive || got.Company != c.company {
			t.Errorf("%s: %q, %q", c.title, got.Executive, got.Company)
		}
	}
}
