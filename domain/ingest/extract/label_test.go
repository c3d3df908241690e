package extract

import (
	"strings"
	"testing"
)

// TestTextTitle takes the first line that is no label for the title.
func TestTextTitle(t *testing.T) {
	t.Parallel()
	for head, want := range map[string]string{
		"CONFIDENTIAL - NOT FOR DISTRIBUTION\n\nMinutes of the harbour board": "Minutes of the harbour board",
		"EMBARGOED UNTIL 07:00 GMT, 3 DECEMBER 2026\n\nSales rise":            "Sales rise",
		"Sperrfrist: 4. Dezember 2026, 10:00 Uhr MEZ\nUmsatz steigt":          "Umsatz steigt",
		"PRESS RELEASE\nHull, 3 March 2026\n\nKestrel closes its hall":        "Kestrel closes its hall",
		"Pressemitteilung Nr. 12/2026\n\nWerft stellt ein":                    "Werft stellt ein",
		"Communiqué de presse\nParis, le 3 mars 2026\nLe quai ouvre":          "Le quai ouvre",
		"報道資料\n横浜、2026年11月10日\n新しい埠頭が開業":                                      "新しい埠頭が開業",
		"2026年11月10日　横浜\n新しい埠頭が開業":                                            "新しい埠頭が開業",
		"İSTANBUL, 15 Kasım 2026\nYeni liman açıldı":                          "Yeni liman açıldı",
		// not labels: they say more, or only begin like one
		"Press release: Kestrel closes its hall\nHull":      "Press release: Kestrel closes its hall",
		"Confidential files show a debt\nHull":              "Confidential files show a debt",
		"Embargo on oil begins\nHull":                       "Embargo on oil begins",
		"Sperrfrist: Ergebnisse der Hafenbehörde\nUmsatz":   "Sperrfrist: Ergebnisse der Hafenbehörde",
		"Minutes of the meeting of 3 March 2026\nPresent":   "Minutes of the meeting of 3 March 2026",
		"Results for the year to 31 December 2026\nRevenue": "Results for the year to 31 December 2026",
		// with labels alone the first is better than none
		"PRESS RELEASE\n\n3 March 2026": "PRESS RELEASE",
	} {
		if got := textTitle(head); got != want {
			t.Errorf("%q: %q, want %q", strings.ReplaceAll(head, "\n", " / "), got, want)
		}
	}
}

// TestText_restriction reads marks that stand outside of a text: around that of a page, and in the
// margins of a document. A page of a site may have a menu with the entry "Intern".
func TestText_restriction(t *testing.T) {
	t.Parallel()
	sentence := "<p>The board of the harbour met on Monday and agreed to raise the sea wall by half a metre before the storms.</p>"
	page := []byte("<html><head><title>Board minutes</title></head><body><p>STRICTLY CONFIDENTIAL</p><h1>Board minutes</h1>" +
		strings.Repeat(sentence, 4) + "</body></html>")
	menu := []byte("<html><head><title>News</title></head><body><nav><p>Intern</p></nav><article><h1>News</h1>" +
		strings.Repeat(sentence, 4) + "</article></body></html>")
	links := []byte("<html><head><title>News</title></head><body><div><p><a href=/a>Intern</a></p><ul><li>Intern</li></ul></div><article><h1>News</h1>" +
		strings.Repeat(sentence, 4) + "</article></body></html>")
	body := wordP("", wordT("The board met.")) + `<w:sectPr><w:headerReference w:type="default" r:id="header"/></w:sectPr>`
	letter := wordArchive(t, body, map[string]string{"header": wordP("", wordT("Strictly confidential"))})
	mail := []byte("From: Ana <ana@a.example>\r\nSubject: Quay\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" +
		"<html><body><p>CONFIDENTIAL</p><p>Dear Ann,</p>" + sentence + "<p>Regards</p></body></html>")
	for name, c := range map[string]struct {
		source Source
		want   bool
	}{
		"page as a file": {Source{Body: page, Filename: "a.html"}, true},
		"page":           {Source{Body: page, URL: "https://news.example/b", MediaType: "text/html"}, true},
		"page with menu": {Source{Body: links, URL: "https://news.example/c", MediaType: "text/html"}, false},
		"page of a site": {Source{Body: menu, URL: "https://news.example/a", MediaType: "text/html"}, false},
		"margin":         {Source{Body: letter, Filename: "a.docx"}, true},
		"mail":           {Source{Body: mail, Filename: "a.eml"}, true},
	} {
		r := extractText(t, New(Config{}), c.source)
		if got := r.Restriction.IsMarked || RestrictionOf(r.Title, r.Content).IsMarked; got != c.want {
			t.Errorf("%s: %v in %q", name, got, r.Content)
		}
		if name == "mail" && (!strings.Contains(r.Content, "Dear Ann,") || !strings.Contains(r.Content, "Regards")) {
			t.Errorf("the mail is %q", r.Content)
		}
	}
}

// TestCheckParts counts the parts of a mail, and those that a part is in.
func TestCheckParts(t *testing.T) {
	t.Parallel()
	open := func(name string) string {
		return "Content-Type: multipart/mixed;\r\n\tboundary=\"" + name + "\"\r\n\r\n--" + name + "\r\n"
	}
	closed := func(name, inner string) string { return open(name) + inner + "\r\n--" + name + "--\r\n" }
	nested, unclosed, after := "text", "", ""
	for i := range maxNestedParts {
		name := "b" + strings.Repeat("x", i)
		nested, unclosed, after = closed(name, nested), unclosed+open(name), after+closed(name, "text")
	}
	for name, c := range map[string]struct {
		mail, want string
	}{
		"as deep as may be": {nested, ""}, "deeper": {closed("outer", nested), "12 levels"},
		"never closed": {unclosed + open("last"), "12 levels"}, "one after another": {after + after + after, ""},
		"as many as may be": {closed("b", strings.Repeat("\r\n--b\r\n\r\na part", maxParts-1)), ""},
		"more":              {closed("b", strings.Repeat("\r\n--b\r\n\r\na part", maxParts)), "1,000 parts"},
	} {
		err := checkParts([]byte(c.mail))
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}
