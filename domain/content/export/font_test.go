package export

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/go-text/typesetting/language"
	"golang.org/x/net/html"

	"rostrum/errs"
)

const fontFolder = "../../../font/node_modules"

var installed = NewFonts(os.DirFS(fontFolder))

var warned sync.Once

// needFonts skips the test loudly when the text has a script whose font npm would have installed; CI does not accept it.
func needFonts(t *testing.T, text string) {
	t.Helper()
	if !strings.ContainsFunc(text, func(r rune) bool { return scriptNames[language.LookupScript(r)] != "" }) {
		return
	}
	_, err := os.Stat(fontFolder)
	if err != nil && os.Getenv("ROSTRUM_TEST_REQUIRE") != "" {
		t.Fatalf("the fonts are required and not installed: %v", err)
	}
	if err != nil {
		warned.Do(func() {
			fmt.Fprintf(os.Stderr, "\n*** SKIPPED: without fonts (npm ci in font) nothing is tested with them: %v ***\n\n", err)
		})
		t.Skip("needs the fonts of font/")
	}
}

// TestWords holds that readers find the gaps between words where they are, and no others.
func TestWords(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]Content{
		"narrow first": {Text: "ill: Third item, To AVATAR. Tender Year Vote We Type"},
		"title":        {Title: "Résumé “Q1” 日本/..", HTML: "<ol start=3><li>Third</li> <li>Fourth</li></ol>"},
		"list":         {HTML: "<ul><li>Tilt it</li></ul> <p>Till Tuesday, Yvonne.</p>"},
		"spaced":       {Text: "हिन्दी में शीर्षक abc สวัสดี"},
	} {
		for reader, read := range map[string]func(*testing.T, []byte) string{"pdfium": readPDF, "poppler": readPoppler} {
			t.Run(name+"/"+reader, func(t *testing.T) {
				t.Parallel()
				needFonts(t, c.Text)
				data, err := bytesOf(PDF, c)
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

// TestMarkdown holds that Markdown is read where the content says that it is, and is plain text elsewhere.
func TestMarkdown(t *testing.T) {
	t.Parallel()
	const text = "# Title\n\nSome **bold** <script>alert(1)</script> text.\n\n- one\n- two\n\n| A | B |\n|---|---|\n| c | d |\n"
	for f, want := range map[Format]string{
		HTML: "<h1 dir=\"auto\">Title</h1>", DOCX: "", PDF: "", Text: "Title\n\nSome bold alert(1) text.\n\n- one\n- two\n\nA | B\n--|--\nc | d\n", Markdown: "# Title\n\nSome **bold** alert(1) text.",
	} {
		file, err := Make(f, Content{Text: text, ContentType: "Markdown"}, installed)
		if err != nil || !bytes.Contains(file.Data, []byte(want)) || bytes.Contains(file.Data, []byte("<script>")) {
			t.Errorf("%s: %v\n%s", f, err, file.Data)
		}
	}
	if file, _ := Make(Text, Content{Text: "# Title", ContentType: "blog"}, installed); string(file.Data) != "# Title\n" {
		t.Errorf("plain text becomes %q", file.Data)
	}
	if _, err := Make(PDF, Content{Text: strings.Repeat("> ", 3000) + "deep", ContentType: "markdown"}, installed); errs.From(err).Code == errs.Internal {
		t.Errorf("deep Markdown: %v", err)
	}
}

// TestUnseen holds that every script of the list has a font, upright and bold.
func TestUnseen(t *testing.T) {
	t.Parallel()
	for name, text := range scripts {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			needFonts(t, text)
			for _, c := range []Content{{Text: text}, {HTML: "<h1>" + html.EscapeString(text) + "</h1><p><b><i>" + html.EscapeString(text) + "</i></b></p>"}} {
				file, err := Make(PDF, c, installed)
				if name == "astral" { // no font has the mathematical alphabets
					file.Unseen = slices.DeleteFunc(file.Unseen, func(r rune) bool { return r == '𝒳' })
				}
				if err != nil || len(file.Unseen) != 0 {
					t.Errorf("no font has %q, %v", file.Unseen, err)
				}
			}
		})
	}
}

// TestUnseen_scripts_without_font holds what a reader is told of characters that no font has.
func TestUnseen_scripts_without_font(t *testing.T) {
	t.Parallel()
	file, err := Make(PDF, Content{Text: "a ཀ ᠮ a \u200d\ufe0f ཀ"}, installed)
	if err != nil || string(file.Unseen) != "ཀᠮ" {
		t.Errorf("Tibetan and Mongolian: %q, %v", file.Unseen, err)
	}
	if file, err = Make(DOCX, Content{Text: "ཀ"}, installed); err != nil || file.Unseen != nil {
		t.Errorf("in a file without fonts: %q, %v", file.Unseen, err)
	}
	if file, err = Make(PDF, Content{Text: "a हब"}, NewFonts(fstest.MapFS{})); err != nil || string(file.Unseen) != "बह" || bare(readPDF(t, file.Data)) != "aहब" {
		t.Errorf("where the fonts are not installed: %q, %v", file.Unseen, err)
	}
}

func TestFonts_broken(t *testing.T) {
	t.Parallel()
	name := cut{script: language.Thai}.file()
	broken := NewFonts(fstest.MapFS{name: {Data: []byte("<html>")}})
	if _, err := Make(PDF, Content{Text: "ไทย"}, broken); err == nil || !strings.Contains(err.Error(), name) {
		t.Errorf("a font that is none: %v", err)
	}
	if _, err := Make(PDF, Content{Text: "text"}, broken); err != nil {
		t.Errorf("a text that does not need it: %v", err)
	}
}

func bytesOf(f Format, c Content) ([]byte, error) {
	file, err := Make(f, c, installed)
	return file.Data, err
}
