package extract

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rostrum/model"
)

const wordNamespaces = `xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" ` +
	`xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" ` +
	`xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" ` +
	`xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:v="urn:schemas-microsoft-com:vml"`

// wordArchive returns a DOCX with a body and the parts to which it refers by the type of the part.
// A part's name may follow the type: "aFChunk page.mht" or "pages /docProps/app.xml".
func wordArchive(t *testing.T, body string, parts map[string]string) []byte {
	t.Helper()
	const types = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
	var relations strings.Builder
	files := [][2]string{{"[Content_Types].xml", `<Types/>`},
		{"_rels/.rels", `<Relationships><Relationship Id="a" Type="` + types +
			`officeDocument" Target="word/document.xml"/></Relationships>`},
		{"word/document.xml", `<w:document ` + wordNamespaces + `><w:body>` + body + `</w:body></w:document>`}}
	for _, kind := range slices.Sorted(maps.Keys(parts)) {
		part, text := kind+".xml", parts[kind]
		if of, name, named := strings.Cut(kind, " "); named {
			kind, part = of, name
		} else {
			text = fmt.Sprintf("<w:%s %s>%s</w:%[1]s>", kind, wordNamespaces, text)
		}
		fmt.Fprintf(&relations, `<Relationship Id="%[1]s" Type="%[2]s%[1]s" Target="%[3]s"/>`, kind, types, part)
		name, absolute := strings.CutPrefix(part, "/")
		if !absolute {
			name = "word/" + part
		}
		files = append(files, [2]string{name, text})
	}
	files = append(files, [2]string{"word/_rels/document.xml.rels",
		"<Relationships>" + relations.String() + "</Relationships>"})
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, file := range files {
		f, err := w.Create(file[0])
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(f, file[1])
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// Parts of a body: a paragraph with properties, a run with properties, and plain text.
func wordP(properties string, runs ...string) string {
	return "<w:p><w:pPr>" + properties + "</w:pPr>" + strings.Join(runs, "") + "</w:p>"
}

func wordR(properties, content string) string {
	return "<w:r><w:rPr>" + properties + "</w:rPr>" + content + "</w:r>"
}

func wordT(text string) string { return `<w:r><w:t xml:space="preserve">` + text + "</w:t></w:r>" }

func wordVal(name, value string) string { return `<w:` + name + ` w:val="` + value + `"/>` }

func wordNumPr(id, level string) string {
	return "<w:numPr>" + wordVal("ilvl", level) + wordVal("numId", id) + "</w:numPr>"
}

// wordCase is a document and the whole text that Word shows.
type wordCase struct {
	body  string
	parts map[string]string
	want  string
}

func checkWord(t *testing.T, cases map[string]wordCase) {
	t.Helper()
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := extractText(t, New(Config{}), Source{Body: wordArchive(t, c.body, c.parts)})
			if diff := cmp.Diff(c.want, got.Content); diff != "" {
				t.Errorf("want -, got +:\n%s", diff)
			}
		})
	}
}

func TestDOCX_notes(t *testing.T) {
	t.Parallel()
	mark := func(kind, id string) string { return `<w:r><w:` + kind + `Reference w:id="` + id + `"/></w:r>` }
	note := func(kind, id string, texts ...string) string {
		out := `<w:` + kind + ` w:id="` + id + `">`
		for _, text := range texts {
			out += wordP("", "<w:r><w:"+kind+"Ref/></w:r>", wordT(" "+text))
		}
		return out + "</w:" + kind + ">"
	}
	separator := `<w:footnote w:type="separator" w:id="-1">` + wordP("", wordT("----")) + "</w:footnote>"
	parts := map[string]string{
		"footnotes": separator + note("footnote", "3", "Sold in June.") + note("footnote", "2", "Unaudited.", "Restated."),
		"endnotes":  note("endnote", "2", "See the report."),
	}
	checkWord(t, map[string]wordCase{
		"in the order of their marks": {
			wordP("", wordT("Revenue rose"), mark("footnote", "2"), wordT(" and debt fell"), mark("footnote", "3"), wordT(".")) +
				wordP("", wordT("It is so"), mark("endnote", "2"), wordT(", again"), mark("footnote", "2")),
			parts, "Revenue rose[1] and debt fell[2].\n\nIt is so[i], again[1]\n\n" +
				"[1] Unaudited.\n\nRestated.\n\n[2] Sold in June.\n\n[i] See the report."},
		"in a table": {"<w:tbl><w:tr><w:tc>" + wordP("", wordT("12"), mark("footnote", "3")) + "</w:tc><w:tc>" +
			wordP("", wordT("14")) + "</w:tc></w:tr></w:tbl>", parts, "12[1] | 14\n\n[1] Sold in June."},
		"without the part": {wordP("", wordT("Revenue rose"), mark("footnote", "2")), nil, "Revenue rose[1]"},
		"without a mark":   {wordP("", wordT("Revenue rose.")), parts, "Revenue rose."},
	})
}

func TestDOCX_headings(t *testing.T) {
	t.Parallel()
	style := func(id, name, base, properties string) string {
		return `<w:style w:type="paragraph" w:styleId="` + id + `">` + wordVal("name", name) + wordVal("basedOn", base) +
			"<w:pPr>" + properties + "</w:pPr></w:style>"
	}
	parts := map[string]string{"styles": style("Titre1", "heading 1", "Normal", wordVal("outlineLvl", "0")) +
		style("Nadpis2", "heading 2", "Normal", "") + style("Rubrik9", "heading 9", "Normal", "") +
		style("KopfGelb", "Kopf gelb", "Nadpis2", "") + style("Zitat", "Quote", "Titre1", wordVal("outlineLvl", "9")) +
		style("Loop", "Loop", "Loop", "") + style("Titel", "Title", "Normal", "") +
		style("Teaser", "Heading lines", "Normal", "")}
	line := func(style, more, text string) string { return wordP(wordVal("pStyle", style)+more, wordT(text)) }
	checkWord(t, map[string]wordCase{
		"by the name of the style": {line("Titre1", "", "A") + line("Nadpis2", "", "B") + line("Rubrik9", "", "C") +
			line("Titel", "", "D") + line("Teaser", "", "E"), parts, "# A\n\n## B\n\n###### C\n\n# D\n\nE"},
		"by the style's base": {line("KopfGelb", "", "B") + line("Zitat", "", "Q") + line("Loop", "", "L"), parts,
			"## B\n\nQ\n\nL"},
		"by its own level": {line("Normal", wordVal("outlineLvl", "2"), "C") + line("Titre1", wordVal("outlineLvl", "9"), "T"),
			parts, "### C\n\nT"},
		"without styles": {line("Heading7", "", "A") + line("heading 2", "", "B") + line("Headingless", "", "C"), nil,
			"###### A\n\n## B\n\nC"},
		"former properties": {wordP(`<w:pPrChange><w:pPr>`+wordVal("pStyle", "Heading1")+`</w:pPr></w:pPrChange>`, wordT("A")),
			nil, "A"},
	})
}

func TestDOCX_lists(t *testing.T) {
	t.Parallel()
	level := func(at int, format, text, more string) string {
		return fmt.Sprintf(`<w:lvl w:ilvl="%d">%s%s%s</w:lvl>`, at, wordVal("numFmt", format), wordVal("lvlText", text), more)
	}
	kind := func(id string, levels ...string) string {
		return `<w:abstractNum w:abstractNumId="` + id + `">` + strings.Join(levels, "") + "</w:abstractNum>"
	}
	list := func(id, kind, more string) string {
		return `<w:num w:numId="` + id + `">` + wordVal("abstractNumId", kind) + more + "</w:num>"
	}
	parts := map[string]string{
		"numbering": kind("1", level(0, "decimal", "%1.", ""), level(1, "lowerLetter", "(%2)", ""), level(2, "lowerRoman", "%3.", "")) +
			kind("2", level(0, "upperRoman", "Article %1", wordVal("start", "4")), level(1, "decimal", "%1.%2", "<w:isLgl/>")) +
			kind("3", level(0, "bullet", "\uf0b7", "")) + kind("4", level(0, "none", "", "")) +
			kind("5", level(0, "decimalZero", "%1)", wordVal("start", "0"))) +
			list("1", "1", "") + list("2", "2", "") + list("3", "3", "") + list("4", "4", "") + list("6", "5", "") +
			list("5", "1", `<w:lvlOverride w:ilvl="0">`+wordVal("startOverride", "7")+"</w:lvlOverride>"),
		"styles": `<w:style w:styleId="Schritt"><w:pPr>` + wordNumPr("1", "0") + `</w:pPr></w:style>` +
			`<w:style w:styleId="Kapitel">` + wordVal("name", "heading 1") + `<w:pPr>` + wordNumPr("2", "0") + `</w:pPr></w:style>` +
			`<w:style w:styleId="Listenabsatz">` + wordVal("name", "List Paragraph") + "</w:style>",
	}
	item := func(id, level, text string) string {
		return wordP(wordVal("pStyle", "Listenabsatz")+wordNumPr(id, level), wordT(text))
	}
	checkWord(t, map[string]wordCase{
		"levels restart": {item("1", "0", "a") + item("1", "1", "b") + item("1", "1", "c") + item("1", "2", "d") +
			item("1", "0", "e") + item("1", "1", "f"), parts,
			"1. a\n   (a) b\n   (b) c\n       i. d\n2. e\n   (a) f"},
		"goes on after a paragraph": {item("1", "0", "a") + wordP("", wordT("Text.")) + item("1", "0", "b"), parts,
			"1. a\n\nText.\n\n2. b"},
		"starts anew":        {item("1", "0", "a") + item("5", "0", "b") + item("5", "0", "c"), parts, "1. a\n7. b\n8. c"},
		"several levels":     {item("2", "0", "a") + item("2", "1", "b") + item("2", "1", "c"), parts, "Article IV a\n           4.1 b\n           4.2 c"},
		"a level left out":   {item("2", "1", "a") + item("1", "2", "b"), parts, "4.1 a\n    i. b"},
		"from zero":          {item("6", "0", "a") + item("6", "0", "b"), parts, "00) a\n01) b"},
		"bullets and none":   {item("3", "0", "a") + item("4", "0", "b") + item("0", "0", "c") + item("77", "1", "d"), parts, "- a\n\nb\n\nc\n\n- d"},
		"by the style":       {wordP(wordVal("pStyle", "Schritt"), wordT("a")) + wordP(wordVal("pStyle", "Listenabsatz"), wordT("b")), parts, "1. a\n\nb"},
		"numbered headings":  {wordP(wordVal("pStyle", "Kapitel"), wordT("Fares")) + wordP("", wordT("Text.")) + item("2", "1", "a"), parts, "# Article IV Fares\n\nText.\n\n4.1 a"},
		"lines of an item":   {item("1", "0", "a</w:t><w:br/><w:t>b"), parts, "1. a\n   b"},
		"empty items count":  {item("1", "0", "a") + item("1", "0", "") + item("1", "0", "c"), parts, "1. a\n3. c"},
		"without definition": {item("1", "0", "a") + item("1", "1", "b"), nil, "- a\n  - b"},
	})
}

func TestDOCX_text_boxes(t *testing.T) {
	t.Parallel()
	box := func(text string) string {
		return "<w:txbxContent>" + wordP(wordVal("pStyle", "Caption"), wordT(text)) + "</w:txbxContent>"
	}
	shape := func(text string) string {
		return "<w:r><mc:AlternateContent><mc:Choice>" + box(text) + "</mc:Choice><mc:Fallback>" + box(text) +
			"</mc:Fallback></mc:AlternateContent></w:r>"
	}
	checkWord(t, map[string]wordCase{
		"at the end": {wordP("", wordT("Fares stay"), shape("Embargo")), nil, "Fares stay\n\nEmbargo"},
		"alone":      {wordP("", shape("Embargo")) + wordP("", wordT("Fares")), nil, "Embargo\n\nFares"},
		"in a list":  {wordP(wordNumPr("1", "0"), wordT("a"), shape("Box")) + wordP(wordNumPr("1", "0"), wordT("b")), nil, "- a\n\nBox\n\n- b"},
		"old shape":  {wordP("", wordT("Fares"), "<w:r><w:pict><v:textbox>"+box("Embargo")+"</v:textbox></w:pict></w:r>", wordT(" stay")), nil, "Fares stay\n\nEmbargo"},
		"only a fallback": {wordP("", "<w:r><mc:AlternateContent><mc:Fallback>"+box("Box")+"</mc:Fallback></mc:AlternateContent></w:r>"),
			nil, "Box"},
		"in a cell": {"<w:tbl><w:tr><w:tc>" + wordP("", wordT("12"), shape("Box")) + "</w:tc><w:tc>" + wordP("", wordT("14")) +
			"</w:tc></w:tr></w:tbl>", nil, "12 Box | 14"},
		"with a table": {wordP("", wordT("Fares"), "<w:r><w:txbxContent><w:tbl><w:tr><w:tc>"+wordP("", wordT("1"))+
			"</w:tc><w:tc>"+wordP("", wordT("2"))+"</w:tc></w:tr></w:tbl></w:txbxContent></w:r>", wordT(" stay")), nil, "Fares stay\n\n1 | 2"},
	})
}

func TestDOCX_runs(t *testing.T) {
	t.Parallel()
	raised, lowered := wordVal("vertAlign", "superscript"), wordVal("vertAlign", "subscript")
	text := func(s string) string { return "<w:t xml:space=\"preserve\">" + s + "</w:t>" }
	parts := map[string]string{"styles": `<w:style w:styleId="Hidden"><w:rPr><w:vanish/></w:rPr></w:style>` +
		`<w:style w:styleId="Hoch"><w:rPr>` + raised + `</w:rPr></w:style>`}
	checkWord(t, map[string]wordCase{
		"hidden": {wordP("", wordT("a "), wordR("<w:vanish/>", text("b")), wordR(wordVal("vanish", "0"), text("c ")),
			wordR(wordVal("rStyle", "Hidden"), text("d")), wordR(wordVal("rStyle", "Hidden")+wordVal("vanish", "false"), text("e"))) +
			wordP(wordVal("pStyle", "Hidden"), wordT("f")), parts, "a c e"},
		"struck out": {wordP("", wordT("The fare is "), wordR("<w:strike/>", text("12 ")), wordR("<w:dstrike/>", text("13 ")),
			wordR(wordVal("strike", "0"), text("15.")), "<w:del>"+wordR("", "<w:delText>old</w:delText>")+"</w:del>"),
			nil, "The fare is 15."},
		"scripts": {wordP("", wordT("10"), wordR(raised, text("-")), wordR(wordVal("rStyle", "Hoch"), text("6")), wordT(" l at 4"),
			wordR(raised, text("1")), wordT("/"), wordR(lowered, text("2")), wordT(" percent; CO"), wordR(lowered, text("2")),
			wordT(" is 12 t."), wordR(raised, text("3"))), parts, "10⁻⁶ l at 4 1/2 percent; CO2 is 12 t.[3]"},
		"symbols": {wordP("", wordR("", `<w:sym w:font="Wingdings" w:char="F0FE"/>`), wordT(" 5 "),
			wordR("", `<w:sym w:font="Symbol" w:char="F0B3"/>`), wordT(" 4 "), wordR(`<w:rFonts w:ascii="Symbol"/>`, text("\uf061")),
			wordR("", `<w:sym w:font="Nobody" w:char="F041"/>`), wordR("", `<w:sym w:font="Arial" w:char="2192"/>`)), nil,
			"☑ 5 ≥ 4 α\uFFFD→"},
		"fields": {wordP("", `<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:checkBox><w:checked/></w:checkBox></w:ffData></w:fldChar></w:r>`,
			wordR("", "<w:instrText>FORMCHECKBOX</w:instrText>"), wordT(" Yes "),
			`<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:ddList>`+wordVal("result", "1")+wordVal("listEntry", "Ferry")+
				wordVal("listEntry", "Bus")+`</w:ddList></w:ffData></w:fldChar></w:r>`), nil, "☒ Yes Bus"},
		"content control": {"<w:sdt><w:sdtPr><w:alias/><w:dropDownList><w:listItem w:displayText=\"x\"/></w:dropDownList></w:sdtPr><w:sdtContent>" +
			wordP("", wordT("Ragna Holt")) + "</w:sdtContent></w:sdt>", nil, "Ragna Holt"},
		"tab stops":  {wordP(`<w:tabs><w:tab w:val="left"/></w:tabs>`, wordT("a"), "<w:r><w:tab/></w:r>", wordT("b")), nil, "a\tb"},
		"ruby":       {wordP("", "<w:r><w:ruby><w:rt>"+wordT("みなと")+"</w:rt><w:rubyBase>"+wordT("港")+"</w:rubyBase></w:ruby></w:r>"), nil, "港"},
		"former run": {wordP("", wordR("<w:rPrChange><w:rPr><w:vanish/></w:rPr></w:rPrChange>", text("a"))), nil, "a"},
		"formula": {wordP("", wordT("It is "), "<m:oMath><m:r><m:t>v=</m:t></m:r><m:f><m:num><m:r><m:t>s+1</m:t></m:r></m:num><m:den><m:r><m:t>t</m:t></m:r></m:den></m:f>"+
			"<m:sSup><m:e><m:r><m:t>x</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:oMath>", wordT(" here.")), nil, "It is v=(s+1)/t x² here."},
	})
}

func TestDOCX_sections(t *testing.T) {
	t.Parallel()
	section := func(title string, kinds ...string) string {
		out := "<w:sectPr>" + title
		for _, kind := range kinds {
			of, id, _ := strings.Cut(kind, " ")
			out += `<w:` + id + `Reference w:type="` + of + `" r:id="` + id + `"/>`
		}
		return out + "</w:sectPr>"
	}
	// Each relationship of a test has the type as its identifier.
	parts := map[string]string{"header": wordP("", wordT("Embargoed until 6 May")) + section("<w:titlePg/>", "first header"),
		"footer": wordP("", wordT("Alder Ferries plc"))}
	text := wordP("", wordT("Fares stay."))
	checkWord(t, map[string]wordCase{
		"title page":      {text + section("<w:titlePg/>", "first header", "first footer"), parts, "Embargoed until 6 May\n\nFares stay.\n\nAlder Ferries plc"},
		"of every page":   {text + section("", "default header", "first footer"), parts, "Fares stay."},
		"no title page":   {text + section(wordVal("titlePg", "0"), "first header"), parts, "Fares stay."},
		"of two sections": {wordP(section("<w:titlePg/>", "first header"), wordT("One.")) + text + section("<w:titlePg/>", "first header"), parts, "Embargoed until 6 May\n\nOne.\n\nFares stay."},
		"few pages": {text + section("", "default header"), map[string]string{"header": parts["header"],
			"pages /docProps/app.xml": "<Properties><Pages>2</Pages></Properties>"}, "Embargoed until 6 May\n\nFares stay."},
		"missing": {text + section("<w:titlePg/>", "first other"), parts, "Fares stay."},
	})
}

func TestDOCX_tables(t *testing.T) {
	t.Parallel()
	cell := func(properties, text string) string {
		return "<w:tc><w:tcPr>" + properties + "</w:tcPr>" + wordP("", wordT(text)) + "</w:tc>"
	}
	row := func(cells ...string) string { return "<w:tr>" + strings.Join(cells, "") + "</w:tr>" }
	begin, goes := wordVal("vMerge", "restart"), "<w:vMerge/>"
	checkWord(t, map[string]wordCase{
		"cells over rows": {"<w:tbl>" + row(cell(begin, "Adult"), cell("", "Zone 1"), cell("", "14")) +
			row(cell(goes, ""), cell("", "Zone 2"), cell("", "16")) + row(cell("", "Child"), cell("", "Zone 1"), cell("", "7")) +
			"</w:tbl>", nil, "Adult | Zone 1 | 14\nAdult | Zone 2 | 16\nChild | Zone 1 | 7"},
		"cells over columns": {"<w:tbl>" + row(cell(wordVal("gridSpan", "2"), "2025"), cell(wordVal("gridSpan", "2"), "2026")) +
			row(cell("", "1"), cell("", "2"), cell("", "3"), cell("", "4")) + row(cell("", "")) + "</w:tbl>", nil,
			"2025 |  | 2026\n1 | 2 | 3 | 4"},
	})
}

func TestDOCX_embedded_files(t *testing.T) {
	t.Parallel()
	body := wordP("", wordT("Before.")) + `<w:altChunk r:id="aFChunk"/>` + wordP("", wordT("After."))
	inner := string(wordArchive(t, wordP(wordVal("pStyle", "Heading1"), wordT("Terms")), nil))
	checkWord(t, map[string]wordCase{
		"page": {body, map[string]string{"aFChunk a.html": "<html><body><h2>Terms</h2><ol><li>Refund</li></ol></body></html>"},
			"Before.\n\n## Terms\n\n1. Refund\n\nAfter."},
		"web archive": {body, map[string]string{"aFChunk a.mht": "MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=x\r\n\r\n" +
			"--x\r\nContent-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n<html><body><p>Caf=C3=A9 te=\r\nrms</p></body></html>\r\n--x--\r\n"},
			"Before.\n\nCafé terms\n\nAfter."},
		"text": {body, map[string]string{"aFChunk a.txt": "Terms in full."}, "Before.\n\nTerms in full.\n\nAfter."},
		"DOCX": {body, map[string]string{"aFChunk a.docx": inner}, "Before.\n\n# Terms\n\nAfter."},
	})
	for name, part := range map[string]string{"aFChunk a.rtf": `{\rtf1 Terms}`, "aFChunk a.bin": "\x00\x01\x02\x03\xff\xfe"} {
		wantCode(t, Source{Body: wordArchive(t, body, map[string]string{name: part})},
			model.ProcessingErrorCodeUnsupportedContent)
	}
}
