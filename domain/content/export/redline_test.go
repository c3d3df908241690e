package export

import (
	"archive/zip"
	"bytes"
	"compress/zlib"
	"encoding/xml"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// redline is text by the change that it has.
type redline struct{ live, struck, inserted string }

var wantRedline = redline{live: "Thepriceisperjar.", struck: "£120£130", inserted: "£99threepounds"}

// redlineReaders read which text is live, struck out and inserted.
var redlineReaders = map[Format]func(*testing.T, []byte) redline{PDF: readPDFRedline, DOCX: readWordRedline,
	HTML: readPageRedline, Markdown: readMarkdownRedline}

func TestRedline(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]Content{
		"markdown":         {Text: "The price is ~~£120~~ ++£99++ per jar.\n\n| A |\n|---|\n| ~~£130~~ ++three **pounds**++ |\n", ContentType: "markdown"},
		"html in markdown": {Text: "The price is <del>£120</del> <ins>£99</ins> per jar.\n\n<s>£130</s> <ins>three <b>pounds</b></ins>", ContentType: "markdown"},
		"html":             {HTML: "<p>The price is <del>£120</del> <ins>£99</ins> per jar.</p><ul><li><strike>£130</strike> <ins>three <b>pounds</b></ins></li></ul>"},
	} {
		for format, read := range redlineReaders {
			t.Run(name+"/"+string(format), func(t *testing.T) {
				t.Parallel()
				data, err := writeBytes(format, c)
				if err != nil {
					t.Fatal(err)
				}
				got := read(t, data)
				for _, text := range []*string{&got.live, &got.struck, &got.inserted} {
					*text = strings.Trim(normalizeText(strings.TrimPrefix(*text, "A")), "•")
				}
				got.live = strings.TrimSuffix(strings.TrimSuffix(got.live, "A"), "•")
				if diff := cmp.Diff(wantRedline, got, cmp.AllowUnexported(redline{})); diff != "" {
					t.Error(diff)
				}
			})
		}
	}
}

func readPageRedline(t *testing.T, data []byte) (out redline) {
	t.Helper()
	page, err := html.Parse(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	for n := range page.Descendants() {
		if n.Type != html.TextNode {
			continue
		}
		into := &out.live
		for parent := range n.Ancestors() {
			switch parent.DataAtom {
			case atom.Del:
				into = &out.struck
			case atom.Ins:
				into = &out.inserted
			case atom.Head:
				into = new(string)
			}
		}
		*into += n.Data
	}
	return out
}

func readMarkdownRedline(t *testing.T, data []byte) redline {
	t.Helper()
	var page bytes.Buffer
	if err := markdown.Convert(data, &page); err != nil {
		t.Fatal(err)
	}
	return readPageRedline(t, page.Bytes())
}

func readWordRedline(t *testing.T, data []byte) (out redline) {
	t.Helper()
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	part, err := archive.Open("word/document.xml")
	if err != nil {
		t.Fatal(err)
	}
	decoder, into := xml.NewDecoder(part), &out.live
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			return out
		}
		switch token := token.(type) {
		case xml.StartElement:
			switch token.Name.Local {
			case "del":
				into = &out.struck
			case "ins":
				into = &out.inserted
			}
		case xml.EndElement:
			if token.Name.Local == "del" || token.Name.Local == "ins" {
				into = &out.live
			}
		case xml.CharData:
			if text := string(token); strings.TrimSpace(text) != "" {
				*into += text
			}
		}
	}
}

var (
	wordBox   = regexp.MustCompile(`<word xMin="([\d.]+)" yMin="([\d.]+)" xMax="([\d.]+)" yMax="([\d.]+)">([^<]*)</word>`)
	markBox   = regexp.MustCompile(`/Subtype /(StrikeOut|Underline) .*?/Rect \[([\d.]+) ([\d.]+) ([\d.]+) ([\d.]+)\]`)
	pdfStream = regexp.MustCompile(`(?s)/FlateDecode /Length \d+ >>\nstream\n(.*?)\nendstream`)
)

// readPDFRedline reads words with poppler, and finds those with a mark that the page also draws.
func readPDFRedline(t *testing.T, data []byte) (out redline) {
	t.Helper()
	words := runPoppler(t, data, "-bbox")
	marks := markBox.FindAllStringSubmatch(string(data), -1)
	var drawn strings.Builder
	for _, s := range pdfStream.FindAllSubmatch(data, -1) {
		if reader, err := zlib.NewReader(bytes.NewReader(s[1])); err == nil {
			_, _ = io.Copy(&drawn, reader)
		}
	}
	for _, word := range wordBox.FindAllStringSubmatch(words, -1) {
		middle, height := (number(word[1])+number(word[3]))/2, pageHeight-(number(word[2])+number(word[4]))/2
		into := &out.live
		for _, m := range marks {
			if middle < number(m[2]) || middle > number(m[4]) || height < number(m[3])-5 || height > number(m[5])+5 {
				continue
			}
			if !strings.Contains(drawn.String(), "w "+m[2]+" ") {
				t.Errorf("no line is drawn for %s", m[0])
			}
			if into = &out.inserted; m[1] == "StrikeOut" {
				into = &out.struck
			}
		}
		*into += html.UnescapeString(word[5])
	}
	return out
}

func number(text string) float64 {
	value, _ := strconv.ParseFloat(text, 64)
	return value
}

// TestMeaning writes what is not text alone: the position of letters, the span of cells and the
// state of tasks.
func TestMeaning(t *testing.T) {
	t.Parallel()
	const page = `<p>H<sub>2</sub>O, 10<sup>th</sup></p><table><tr><td colspan="2">Both</td><td>C</td></tr><tr><td>1</td><td>2</td><td>3</td></tr></table>
<ul><li><input type="checkbox" checked> sent</li><li><input type="checkbox"> printed</li></ul>`
	for format, want := range map[Format][]string{
		HTML: {"<sub>2</sub>", "<sup>th</sup>", `colspan="2">Both`, `<input type="checkbox" disabled checked> sent`,
			`<input type="checkbox" disabled> printed`},
		Markdown: {"<sub>2</sub>", "<sup>th</sup>", "[x] sent", "[ ] printed"},
		DOCX: {`<w:vertAlign w:val="subscript"/>`, `<w:vertAlign w:val="superscript"/>`, `<w:gridSpan w:val="2"/>`,
			"\u2611", "\u2610"},
		Text: {"\u2611 sent", "\u2610 printed"},
	} {
		data, err := writeBytes(format, Content{HTML: page})
		if err != nil {
			t.Fatal(err)
		}
		text := string(data)
		if format == DOCX {
			text = wordXML(t, data)
		}
		for _, part := range want {
			if !strings.Contains(text, part) {
				t.Errorf("%s: no %s in\n%s", format, part, text)
			}
		}
	}
}

func wordXML(t *testing.T, data []byte) string {
	t.Helper()
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	part, err := archive.Open("word/document.xml")
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(part)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
