package export

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"golang.org/x/net/html"

	"rostrum/errs"
)

const fontFolder = "../../../asset/font/node_modules"

var installedFonts = NewFonts(os.DirFS(fontFolder))

var warnOnce sync.Once

// requireFonts skips the test if the text has a script whose font is not installed with npm; in CI
// the test fails instead.
func requireFonts(t *testing.T, text string) {
	t.Helper()
	if !strings.ContainsFunc(text, func(r rune) bool { return scriptFamily(r) != "" }) {
		return
	}
	_, err := os.Stat(fontFolder)
	if err != nil && os.Getenv("ROSTRUM_TEST_REQUIRE") != "" {
		t.Fatalf("the fonts are required and not installed: %v", err)
	}
	if err != nil {
		warnOnce.Do(func() {
			fmt.Fprintf(os.Stderr, "\n*** SKIPPED: without fonts (npm ci in font) nothing is tested with them: %v ***\n\n", err)
		})
		t.Skip("needs the fonts of font/")
	}
}

// TestWords checks that readers find the gaps between words, and no others.
func TestWords(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]Content{
		"narrow first": {Text: "ill: Third item, To AVATAR. Tender Year Vote We Type"},
		"title":        {Title: "Résumé “Q1” 日本/..", HTML: "<ol start=3><li>Third</li> <li>Fourth</li></ol>"},
		"list":         {HTML: "<ul><li>Tilt it</li></ul> <p>Till Tuesday, Yvonne.</p>"},
		"spaced":       {Text: "हिन्दी में शीर्षक abc สวัสดี"},
	} {
		for reader, read := range map[string]func(*testing.T, []byte) string{"pdfium": readPDF,
			"poppler": readPoppler} {
			t.Run(name+"/"+reader, func(t *testing.T) {
				t.Parallel()
				requireFonts(t, c.Title+c.Text)
				data, err := writeBytes(PDF, c)
				if err != nil {
					t.Fatal(err)
				}
				want := strings.Fields(readPage(t, []byte("<body>"+c.Title+" "+c.Text+c.HTML)))
				got := strings.Fields(read(t, data))
				got = slices.DeleteFunc(got, func(w string) bool { return w == "•" || w == "3." || w == "4." })
				if !slices.Equal(got, want) {
					t.Errorf("%q, want %q", got, want)
				}
			})
		}
	}
}

// TestMarkdown checks that Markdown is parsed only if the content is declared as Markdown, and HTML
// within it is sanitized.
func TestMarkdown(t *testing.T) {
	t.Parallel()
	const text = "# Title\n\nSome **bold** <script>alert(1)</script> text.\n\n- one\n- two\n\n| A | B |\n|---|---|\n| c | d |\n"
	for f, want := range map[Format]string{
		HTML: "<h1 dir=\"auto\">Title</h1>", DOCX: "", PDF: "",
		Text:     "Title\n\nSome bold text.\n\n- one\n- two\n\nA | B\n--|--\nc | d\n",
		Markdown: "# Title\n\nSome **bold** text.",
	} {
		file, err := makeFile(t.Context(), f, Content{Text: text, ContentType: "Markdown"}, installedFonts)
		if err != nil || !bytes.Contains(file.Data, []byte(want)) || bytes.Contains(file.Data, []byte("<script>")) {
			t.Errorf("%s: %v\n%s", f, err, file.Data)
		}
	}
	if file, _ := makeFile(t.Context(), Text, Content{Text: "# Title", ContentType: "blog"},
		installedFonts); string(file.Data) != "# Title\n" {
		t.Errorf("plain text becomes %q", file.Data)
	}
	if _, err := makeFile(t.Context(), PDF, Content{Text: strings.Repeat("> ", 3000) + "deep", ContentType: "markdown"},
		installedFonts); errs.From(err).Code == errs.Internal {
		t.Errorf("deep Markdown: %v", err)
	}
}

// TestMissingGlyphs checks that every script of the list has a regular and a bold font.
func TestMissingGlyphs(t *testing.T) {
	t.Parallel()
	for name, text := range scriptTexts {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			requireFonts(t, text)
			for _, c := range []Content{{Text: text},
				{HTML: "<h1>" + html.EscapeString(text) + "</h1><p><b><i>" + html.EscapeString(text) +
					"</i></b></p>"}} {
				file, err := makeFile(t.Context(), PDF, c, installedFonts)
				if name == "astral" { // no font has the mathematical alphabets
					file.MissingGlyphs = slices.DeleteFunc(file.MissingGlyphs, func(r rune) bool { return r == '𝒳' })
				}
				if err != nil || len(file.MissingGlyphs) != 0 {
					t.Errorf("no font has %q, %v", file.MissingGlyphs, err)
				}
			}
		})
	}
}

// TestMissingGlyphs_scripts_without_font checks the characters that are reported as missing.
func TestMissingGlyphs_scripts_without_font(t *testing.T) {
	t.Parallel()
	file, err := makeFile(t.Context(), PDF, Content{Text: "a ཀ ᠮ a \u200d\ufe0f ཀ"}, installedFonts)
	if err != nil || string(file.MissingGlyphs) != "ཀᠮ" {
		t.Errorf("Tibetan and Mongolian: %q, %v", file.MissingGlyphs, err)
	}
	if file, err = makeFile(t.Context(), DOCX, Content{Text: "ཀ"}, installedFonts); err != nil ||
		file.MissingGlyphs != nil {
		t.Errorf("in a file without fonts: %q, %v", file.MissingGlyphs, err)
	}
	if file, err = makeFile(t.Context(), PDF, Content{Text: "a हब日"}, NewFonts(fstest.MapFS{})); err != nil ||
		string(file.MissingGlyphs) != "बह日" || normalizeText(readPDF(t, file.Data)) != "aहब日" {
		t.Errorf("where the fonts are not installed: %q, %v", file.MissingGlyphs, err)
	}
}

func TestFonts_broken(t *testing.T) {
	t.Parallel()
	name := fontKey{family: "Thai"}.path()
	broken := NewFonts(fstest.MapFS{name: {Data: []byte("<html>")}})
	if _, err := makeFile(t.Context(), PDF, Content{Text: "ไทย"}, broken); err == nil ||
		!strings.Contains(err.Error(), name) {
		t.Errorf("an invalid font: %v", err)
	}
	if _, err := makeFile(t.Context(), PDF, Content{Text: "text"}, broken); err != nil {
		t.Errorf("a text that does not need the font: %v", err)
	}
}

func writeBytes(f Format, c Content) ([]byte, error) {
	file, err := makeFile(context.Background(), f, c, installedFonts)
	return file.Data, err
}
