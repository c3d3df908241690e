package page

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"rostrum/model"
	"rostrum/platform/color"
)

var tidewall = model.Brand{
	Name: new("Tide & wall"), AccentColor: new("#0a5c36"),
	Logo:    &model.BrandLogo{ID: "lgo_1", MediaType: "image/png", Width: 40, Height: 20},
	Imprint: new("Tidewall AG\nQuay 1"), ImprintURL: new("https://example.org/imprint"),
	PrivacyURL: new("https://example.org/privacy"), NewsroomSlug: new("tidewall"),
	UpdatedAt: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC),
}

// TestRender_brand compares pages with a brand with testdata/NAME.html.
func TestRender_brand(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	meta := &Meta{URL: "http://test/l/harbour", Description: `It is "new".`, SiteName: "Tide & wall",
		Image: "http://test/brand/logo/lgo_1", PublishedAt: &at}
	for name, p := range map[string]Page{
		"brand": {Title: "Harbour & plans", Body: pageBody, SessionID: "ses_1", Slug: "harbour", Brand: &tidewall,
			Meta: meta},
		"brand_named":  {Title: "Harbour", Slug: "harbour", Lang: "de-CH", Brand: &model.Brand{Name: new("Tidewall")}},
		"brand_nobody": {Title: "Harbour", Slug: "harbour", Brand: &model.Brand{}},
		"brand_arabic": {Title: "الميناء", Slug: "harbour", Lang: "ar", Brand: &tidewall},
	} {
		t.Run(name, func(t *testing.T) {
			var out strings.Builder
			if err := Render(&out, p); err != nil {
				t.Fatal(err)
			}
			checkGolden(t, name, out.String())
		})
	}
	var out strings.Builder
	if err := RenderNotice(&out, Withdrawn, "de", "Falsch.", &tidewall); err != nil {
		t.Fatal(err)
	}
	checkGolden(t, "brand_notice", out.String())
}

// TestRenderNewsroom compares newsrooms and a feed with testdata/NAME.html and feed.xml.
func TestRenderNewsroom(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	room := Newsroom{Brand: &tidewall, URL: "http://test/newsroom/tidewall", Lang: "de", Number: 2, HasOlder: true,
		News: []News{
			{Title: "Harbour & <plans>", Summary: "It opens.", URL: "http://test/l/a", PublishedAt: at, UpdatedAt: at},
			{Title: "الميناء", URL: "http://test/l/b", Lang: "ar", PublishedAt: at, UpdatedAt: at.Add(time.Hour)},
		}}
	var out strings.Builder
	if err := RenderNewsroom(&out, room); err != nil {
		t.Fatal(err)
	}
	checkGolden(t, "newsroom", out.String())
	out.Reset()
	if err := RenderNewsroom(&out, Newsroom{Brand: &model.Brand{Name: new("Tidewall")}, URL: "http://test/newsroom/a",
		Number: 1}); err != nil {
		t.Fatal(err)
	}
	checkGolden(t, "newsroom_empty", out.String())
	feed, err := Feed(room, "http://test/brand/logo/lgo_1")
	if err != nil {
		t.Fatal(err)
	}
	checkGolden(t, "newsroom_feed", string(feed))
}

func TestImprint(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]string{
		"Tidewall AG\nQuay 1\n\nUID CHE-1":                   "<p>Tidewall AG<br>\nQuay 1</p>\n<p>UID CHE-1</p>",
		"# Imprint\n\n**A** _b_":                             "<p><strong>Imprint</strong></p>\n<p><strong>A</strong> <em>b</em></p>",
		"- a\n- b":                                           "<ul>\n<li>a</li>\n<li>b</li>\n</ul>",
		"<script>alert(1)</script>A":                         "<p>&lt;script&gt;alert(1)&lt;/script&gt;A</p>",
		"A <b onclick=x()>b</b> c":                           "<p>A &lt;b onclick=x()&gt;b&lt;/b&gt; c</p>",
		"</footer></body>\n\n    <h1>":                       "<p>&lt;/footer&gt;&lt;/body&gt;</p>\n<p>&lt;h1&gt;</p>",
		"[a](javascript:alert(1)) ![p](https://e.org/p.png)": "<p>a </p>",
		"[a](<https://e.org/\" onclick=\"x>)":                `<p><a href="https://e.org/%22%20onclick=%22x" rel="nofollow noopener" target="_blank">a</a></p>`,
		"[mail](mailto:a@e.org)":                             `<p><a href="mailto:a@e.org" rel="nofollow">mail</a></p>`,
		"https://e.org/a":                                    `<p><a href="https://e.org/a" rel="nofollow noopener" target="_blank">https://e.org/a</a></p>`,
		"A\n---\nB":                                          "<p>A<br>\n---<br>\nB</p>",
		"a\x00b":                                             "<p>a\uFFFDb</p>",
	} {
		if got := Imprint(source); got != want {
			t.Errorf("%q becomes\n%s\nwant\n%s", source, got, want)
		}
	}
}

func TestSummary(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("harbour ", 60)
	for body, want := range map[string]string{
		"":                 "",
		"<p>One. Two.</p>": "One. Two.",
		"<h2>Plan</h2><p>The <b>har</b>bour\nopens.</p><p>It is &quot;new&quot; &amp; big</p>": `The harbour opens. It is "new" & big`,
		"<table><tr><td>1</td></tr></table><ul><li>One</li><li>Two</li></ul>":                  "One Two",
		"<p>One.</p><p>" + long + "</p>":                                                       "One.",
		"<p>a<br>b <a href=\"x":                                                                "a b",
	} {
		if got := Summary(body); got != want {
			t.Errorf("%q has the summary %q, want %q", body, got, want)
		}
	}
	got := Summary("<p>" + long + "</p>")
	if utf8.RuneCountInString(got) > summaryRunes || !strings.HasSuffix(got, "harbour…") {
		t.Errorf("a long sentence becomes %q", got)
	}
}

func TestDirectionOf(t *testing.T) {
	t.Parallel()
	for lang, want := range map[string]string{"": "", "en": "", "ar": "rtl", "he-IL": "rtl", "fa": "rtl", "ur": "rtl",
		"az-Arab": "rtl", "az": "", "x\"": "", "ja": ""} {
		if got := directionOf(lang); got != want {
			t.Errorf("%q has the direction %q, want %q", lang, got, want)
		}
	}
}

// TestAccent checks that the stylesheet of a colour has its path, that no other path has it, and that
// page.css has the background which the colour of the dark scheme is made for.
func TestAccent(t *testing.T) {
	t.Parallel()
	a := accentAsset("#0a5c36")
	w := httptest.NewRecorder()
	Static().ServeHTTP(w, httptest.NewRequest(http.MethodGet, a.path, nil))
	if w.Code != 200 || w.Body.String() != string(a.body) || w.Header().Get("Content-Type") != "text/css; charset=utf-8" {
		t.Errorf("%d %v %s", w.Code, w.Header(), w.Body)
	}
	for _, path := range []string{accentPrefix, accentPrefix + "0a5c36", strings.Replace(a.path, "0a5c36", "0a5c37", 1),
		accentPrefix + "zzzzzz-0000000000000000.css"} {
		w := httptest.NewRecorder()
		Static().ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		if w.Code != http.StatusNotFound {
			t.Errorf("%s has status %d", path, w.Code)
		}
	}
	style := string(styleAsset.body)
	text, _ := color.Parse(onAccent)
	if !strings.Contains(style, "--back: "+darkBackground.String()) || !strings.Contains(style, "--on-accent: "+onAccent) ||
		color.Contrast(text, color.White) < color.Contrast(darkBackground, color.White) {
		t.Error("the colours of the dark scheme are not those of page.css")
	}
}
