package export

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"rostrum/errs"
)

// scriptTexts are texts that every format must preserve.
var scriptTexts = map[string]string{
	"latin":      "Café naïve Łódź, “curly” ‘quotes’ — dashes… office fluffy AVATAR To.",
	"decomposed": "e\u0301 u\u0308 tie\u0302\u0301ng Vie\u0323\u0302t",
	"greek":      "Ελληνικά: καλημέρα", "cyrillic": "Съешь же ещё этих мягких французских булок",
	"han":      "我们今天宣布了新的计划，價格是３５元。",
	"japanese": "今日は「新しい計画」を発表しました。", "korean": "오늘 새로운 계획을 발표했습니다",
	"arabic": "السلام عليكم لا إله", "hebrew": "שלום עולם", "vowels": "بِسْمِ ٱللَّٰهِ",
	"devanagari": "नमस्ते दुनिया", "thai": "สวัสดีชาวโลก", "emoji": "😀 🚀 👩‍👩‍👧 🇬🇧 👍🏽",
	"bengali": "নমস্কার বিশ্ব", "tamil": "வணக்கம் உலகம்", "telugu": "నమస్కారం", "khmer": "សួស្តី",
	"myanmar": "မင်္ဂလာပါ", "ethiopic": "ሰላም",
	"gujarati": "નમસ્તે", "gurmukhi": "ਸਤਿ ਸ੍ਰੀ ਅਕਾਲ", "kannada": "ನಮಸ್ಕಾರ", "malayalam": "നമസ്കാരം",
	"oriya": "ନମସ୍କାର", "sinhala": "ආයුබෝවන්",
	"mixed":  "हिन्दी में 3 शब्द। ไทย abc",
	"syntax": `a * b _c_ [d](e) <f> & "g" 1. # h | i \ j ~k~ {l} $m$`, "astral": "𝒳 𠮷野家", "symbols": "€ £ → ✓ ½ ™ ∑",
}

func TestScripts(t *testing.T) {
	t.Parallel()
	for name, text := range scriptTexts {
		for reader, read := range formatReaders {
			t.Run(name+"/"+reader, func(t *testing.T) {
				t.Parallel()
				if formatOf(reader) == PDF {
					requireFonts(t, text)
				}
				for _, c := range []Content{{Text: text}, {HTML: "<p>" + html.EscapeString(text) + "</p>"}} {
					data, err := writeBytes(formatOf(reader), c)
					if err != nil {
						t.Fatal(err)
					}
					if got := normalizeText(read(t, data)); got != normalizeText(text) {
						t.Errorf("got  %q\nwant %q", got, normalizeText(text))
					}
				}
			})
		}
	}
}

const structuredHTML = `<h1>Heading</h1><p>Some <b>bold</b>, <em>slanted</em>, <code>a := b</code>, <a href="https://example.com/">link</a>.<br>New line</p>
<ul><li>one<ul><li>two<ol start="7"><li>three</li></ol></li></ul></li><li><p>four</p><p>five</p></li></ul>
<table><tr><th>A</th><th>B</th></tr><tr><td>c</td><td>d <b>e</b></td></tr><tr><td colspan="2">f</td></tr></table>
<blockquote><p>said</p><blockquote>twice</blockquote></blockquote><pre>x  y
  z</pre><hr><dl><dt>term</dt><dd>meaning</dd></dl>`

func TestStructures(t *testing.T) {
	t.Parallel()
	const all = "Heading Some bold, slanted, a := b, link. New line one two three four five A B c d e f said twice x y z term meaning"
	for reader, read := range formatReaders {
		t.Run(reader, func(t *testing.T) {
			t.Parallel()
			data, err := writeBytes(formatOf(reader), Content{HTML: structuredHTML})
			if err != nil {
				t.Fatal(err)
			}
			got := read(t, data)
			for _, mark := range []string{"•", "◦", "▪", "7.", "- ", ">", "(https://example.com/)", "|", "-"} {
				if formatOf(reader) == PDF || formatOf(reader) == Text {
					got = strings.ReplaceAll(got, mark, "")
				}
			}
			want, have := []rune(normalizeText(all)), []rune(normalizeText(got))
			if strings.Contains(reader, "poppler") { // poppler reads tables in another order
				slices.Sort(want)
				slices.Sort(have)
			}
			if diff := cmp.Diff(string(want), string(have)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestTextLayout compares the layout of plain text.
func TestTextLayout(t *testing.T) {
	t.Parallel()
	got, err := writeBytes(Text, Content{Title: "T", HTML: structuredHTML})
	if err != nil {
		t.Fatal(err)
	}
	const want = "T\n\nHeading\n\nSome bold, slanted, a := b, link (https://example.com/).\nNew line\n\n" +
		"- one\n  - two\n    7. three\n- four\n\n  five\n\nA | B\n--|----\nc | d e\nf |\n\n> said\n>\n> > twice\n\n    x  y\n      z\n\n----------\n\nterm\n\nmeaning\n"
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Error(diff)
	}
}

func TestMarkdownStructures(t *testing.T) {
	t.Parallel()
	got, err := writeBytes(Markdown, Content{HTML: structuredHTML})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"# Heading", "**bold**", "*slanted*", "`a := b`", "[link](https://example.com/)",
		"- one", "7. three", "| A | B", "> said", "```\nx  y\n  z\n```", "* * *"} {
		if !strings.Contains(string(got), want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

func TestWordStructures(t *testing.T) {
	t.Parallel()
	data, err := writeBytes(DOCX, Content{Title: "Plan & <b>", HTML: structuredHTML + "<p>שלום hello</p>",
		Themes: []string{"growth"}})
	if err != nil {
		t.Fatal(err)
	}
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, part := range archive.File {
		file, err := part.Open()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(&all, file); err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []string{`<w:pStyle w:val="Heading1"/>`, "<w:b/>", "<w:i/>", "<w:tbl>", "<w:tblHeader/>",
		"<w:bidi/>", "<w:rtl/>",
		`w:ilvl w:val="2"`, `<w:startOverride w:val="7"/>`, `Target="https://example.com/"`,
		"<dc:title>Plan &amp; &lt;b&gt;</dc:title>", "<cp:keywords>growth</cp:keywords>"} {
		if !strings.Contains(all.String(), want) {
			t.Errorf("no %s", want)
		}
	}
}

// TestAttacks exports content that tries to run a script or load a resource: the server must
// receive no request, and the files must not contain its address.
// TestFootnotes finds the mark and the note of Markdown in the files that are no text.
func TestFootnotes(t *testing.T) {
	t.Parallel()
	for reader, read := range formatReaders {
		if format := formatOf(reader); format != DOCX && format != PDF {
			continue
		}
		t.Run(reader, func(t *testing.T) {
			t.Parallel()
			data, err := writeBytes(formatOf(reader), Content{ContentType: "markdown",
				Text: "Revenue rose[^a] again.\n\n[^a]: Unaudited.\n"})
			if err != nil {
				t.Fatal(err)
			}
			got := strings.Join(strings.Fields(read(t, data)), " ")
			if strings.Contains(got, "^") || !strings.Contains(got, "Unaudited.") || !strings.Contains(got, "rose1") {
				t.Errorf("got %q", got)
			}
		})
	}
}

func TestAttacks(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	t.Cleanup(server.Close)
	attacks := map[string]string{
		"script":  `ok<script src="URL">alert(1)</script><script>fetch("URL")</script>`,
		"handler": `<p onclick="fetch('URL')" onmouseover=alert(1)>ok</p>`,
		"image":   `ok<img src="URL/a.png" srcset="URL/b.png 2x" onerror="alert(1)"><picture><source srcset="URL"></picture>`,
		"style":   `<style>@import "URL";</style><p style="background:url(URL)">ok</p><link rel=stylesheet href="URL">`,
		"frame":   `ok<iframe src="URL"></iframe><object data="URL"></object><embed src="URL"><video src="URL"></video>`,
		"file":    `<a href="file:///etc/passwd">ok</a>`, "javascript": `<a href="java&#10;script:alert(1)">ok</a>`,
		"data":   `<a href="data:text/html,<script>alert(1)</script>">ok</a>`,
		"vector": `ok<svg onload=alert(1)><image href="URL"/></svg>`,
		"entity": `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><p>ok</p>`,
		"base":   `<base href="URL"><p>ok</p>`,
		"form":   `<form action="URL"><button formaction="javascript:alert(1)">ok</button></form>`,
		"meta":   `<meta http-equiv=refresh content="0;url=URL">ok`,
		"broken": `<p><b><table><tr><td>ok<script</p></td><a href="x' onclick=alert(1)`,
	}
	for name, attack := range attacks {
		for reader, read := range formatReaders {
			t.Run(name+"/"+reader, func(t *testing.T) {
				data, err := writeBytes(formatOf(reader), Content{HTML: strings.ReplaceAll(attack, "URL", server.URL)})
				if err != nil {
					t.Fatal(err)
				}
				if got := strings.TrimPrefix(normalizeText(read(t, data)), "]>"); got != "ok" {
					t.Errorf("the text is %q", got)
				}
				for _, bad := range []string{server.URL, "file:", "javascript:", "alert(", "onclick", "<script", "<img",
					"data:"} {
					if formatOf(reader) != PDF && bytes.Contains(data, []byte(bad)) {
						t.Errorf("the file has %q", bad)
					}
				}
				if formatOf(reader) == PDF && bytes.Contains(data, []byte("/URI")) {
					t.Error("the file has a link")
				}
			})
		}
	}
	if asked.Load() != 0 {
		t.Errorf("the server received %d requests", asked.Load())
	}
}

func TestLimits(t *testing.T) {
	t.Parallel()
	code := func(f Format, c Content) errs.Code {
		_, err := writeBytes(f, c)
		var known *errs.Error
		errors.As(err, &known)
		if known == nil {
			return ""
		}
		return known.Code
	}
	if got := code("exe", Content{}); got != errs.ValidationFailed {
		t.Errorf("unknown format: %q", got)
	}
	for f := range formatWriters {
		if got := code(f, Content{Text: strings.Repeat("x", MaxContent+1)}); got != errs.TooLarge {
			t.Errorf("%s, too large: %q", f, got)
		}
		if got := code(f, Content{HTML: strings.Repeat("<div>", 100_000)}); got != errs.ValidationFailed {
			t.Errorf("%s, deep: %q", f, got)
		}
		for name, c := range map[string]Content{
			"empty": {}, "lists": {HTML: strings.Repeat("<ul><li>", 150) + "deep"},
			"quotes":     {HTML: strings.Repeat("<blockquote>", 300) + "deep"},
			"wide":       {HTML: "<table><tr>" + strings.Repeat("<td>x</td>", 300) + "</tr></table>"},
			"spans":      {HTML: "<table><tr>" + strings.Repeat(`<td colspan="99">x</td>`, 99) + "</tr></table>"},
			"tall":       {HTML: "<table><tr><td>" + strings.Repeat("word ", 5000) + "</td><td>y</td></tr></table>"},
			"separators": {Text: "👩\u2029\u200d👧 a\u2028\u2029"},
			"shapes":     {Text: "\x00\x01\uFFFE\u2028\u202E\xff\u200D\uFE0F\u0301"},
		} {
			if got := code(f, c); got != "" {
				t.Errorf("%s, %s: %q", f, name, got)
			}
		}
	}
}

// TestWrite_is_reproducible checks that a file does not depend on the time of its creation, so that
// GraphQL and REST return the same bytes.
func TestWrite_is_reproducible(t *testing.T) {
	t.Parallel()
	for f := range formatWriters {
		first, err := writeBytes(f, Content{Title: "T", HTML: structuredHTML})
		if err != nil {
			t.Fatal(err)
		}
		other, _ := writeBytes(f, Content{Title: "T", HTML: structuredHTML})
		if !bytes.Equal(first, other) {
			t.Errorf("%s differs between two calls", f)
		}
	}
}

func TestTitle(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ title, html, want string }{
		{"", "<p>body</p>", "body\n"}, {"Plan", "<p>body</p>", "Plan\n\nbody\n"},
		{"Plan", "<h1>Plan</h1><p>body</p>", "Plan\n\nbody\n"},
		{"Plan", "", "Plan\n"}, {"", "", ""},
	} {
		got, err := writeBytes(Text, Content{Title: c.title, HTML: c.html})
		if err != nil || string(got) != c.want {
			t.Errorf("%q over %q: %q, %v", c.title, c.html, got, err)
		}
	}
}

func TestFileName(t *testing.T) {
	t.Parallel()
	for title, want := range map[string]string{
		"": "Untitled.pdf", " . ": "Untitled.pdf", "Plan 2026": "Plan 2026.pdf", "计划": "计划.pdf", "الخطة": "الخطة.pdf",
		"a/b\\c:d":         "a-b-c-d.pdf",
		"../../etc/passwd": "-..-etc-passwd.pdf", "a\r\nX-Header: 1": "a X-Header- 1.pdf", `say "hi"`: "say -hi-.pdf",
		"a\u202Egpj":             "agpj.pdf",
		strings.Repeat("长", 200): strings.Repeat("长", maxFileName) + ".pdf",
	} {
		if got := FileName(title, PDF); got != want {
			t.Errorf("%q: %q, want %q", title, got, want)
		}
	}
}

// FuzzWrite checks that each writer accepts any HTML and writes a readable file.
func FuzzWrite(f *testing.F) {
	f.Add(structuredHTML)
	for _, text := range scriptTexts {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, source string) {
		for format := range formatWriters {
			data, err := writeBytes(format, Content{Title: source, HTML: source, Text: source})
			var known *errs.Error
			if err != nil && !errors.As(err, &known) {
				t.Fatal(err)
			}
			if err == nil && format == DOCX {
				readDOCX(t, data)
			}
			if err == nil && format == HTML && bytes.Contains(bytes.ToLower(data), []byte("<script")) {
				t.Fatal("the HTML contains a script")
			}
		}
	})
}
