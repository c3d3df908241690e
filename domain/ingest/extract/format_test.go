package extract_test

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"rostrum/domain/ingest/extract"
	"rostrum/model"
)

// zipFile returns a ZIP with the files in the order of names and texts.
func zipFile(t testing.TB, pairs ...string) []byte {
	t.Helper()
	var body bytes.Buffer
	w := zip.NewWriter(&body)
	for i := 0; i < len(pairs); i += 2 {
		header := &zip.FileHeader{Name: pairs[i], Method: zip.Deflate}
		if pairs[i] == "mimetype" {
			header.Method = zip.Store
		}
		file, err := w.CreateHeader(header)
		if err == nil {
			_, err = file.Write([]byte(pairs[i+1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return body.Bytes()
}

// repacked returns a ZIP as another program packs it: every file compressed, those with the prefix
// last, and the sizes in front of the files.
func repacked(t testing.TB, packed []byte, last string) []byte {
	t.Helper()
	r, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
	if err != nil {
		t.Fatal(err)
	}
	slices.SortStableFunc(r.File, func(a, b *zip.File) int {
		return strings.Index(a.Name, last) - strings.Index(b.Name, last)
	})
	var body bytes.Buffer
	w := zip.NewWriter(&body)
	for _, f := range r.File {
		from, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		var small bytes.Buffer
		packer, _ := flate.NewWriter(&small, flate.BestCompression)
		if _, err = io.Copy(packer, from); err == nil {
			err = packer.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
		to, err := w.CreateRaw(&zip.FileHeader{Name: f.Name, Method: zip.Deflate, CRC32: f.CRC32,
			CompressedSize64: uint64(small.Len()), UncompressedSize64: f.UncompressedSize64})
		if err == nil {
			_, err = to.Write(small.Bytes())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return body.Bytes()
}

func sheetFile(t testing.TB, fill func(*excelize.File)) []byte {
	t.Helper()
	book := excelize.NewFile()
	fill(book)
	body, err := book.WriteToBuffer()
	if err != nil {
		t.Fatal(err)
	}
	return body.Bytes()
}

const relationsHead = `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">`

func relation(id, kind, target string) string {
	return fmt.Sprintf(`<Relationship Id="%s" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/%s" Target="%s"/>`,
		id, kind, target)
}

func shape(kind string, paragraphs ...string) string {
	text := `<p:sp><p:nvSpPr><p:nvPr><p:ph type="` + kind + `"/></p:nvPr></p:nvSpPr><p:txBody>`
	for _, p := range paragraphs {
		text += "<a:p><a:r><a:t>" + p + "</a:t></a:r></a:p>"
	}
	return text + "</p:txBody></p:sp>"
}

func slidePart(root string, shapes ...string) string {
	return `<p:` + root + ` xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><p:cSld><p:spTree>` +
		strings.Join(shapes, "") + `</p:spTree></p:cSld></p:` + root + `>`
}

func slidesFile(t testing.TB) []byte {
	t.Helper()
	return zipFile(t, "[Content_Types].xml", `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
		"_rels/.rels", relationsHead+relation("rId1", "officeDocument", "ppt/presentation.xml")+"</Relationships>",
		"ppt/presentation.xml", `<p:presentation xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><p:sldIdLst><p:sldId id="257" r:id="rId3"/><p:sldId id="256" r:id="rId2"/></p:sldIdLst></p:presentation>`,
		"ppt/_rels/presentation.xml.rels", relationsHead+relation("rId2", "slide", "slides/slide1.xml")+
			relation("rId3", "slide", "slides/slide2.xml")+"</Relationships>",
		"ppt/slides/slide1.xml", slidePart("sld", shape("title", "Outlook"), shape("body", "Tides will rise.", "Harbours grow.")),
		"ppt/slides/slide2.xml", slidePart("sld", shape("ctrTitle", "Harbour report"), shape("ftr", "Page 1")),
		"ppt/slides/_rels/slide1.xml.rels", relationsHead+relation("rId1", "notesSlide", "../notesSlides/notesSlide1.xml")+"</Relationships>",
		"ppt/notesSlides/notesSlide1.xml", slidePart("notes", shape("sldNum", "2"), shape("body", "Pause here.")))
}

func odtFile(t testing.TB, body string) []byte {
	t.Helper()
	return zipFile(t, "mimetype", "application/vnd.oasis.opendocument.text",
		"content.xml", `<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"><office:body><office:text>`+
			body+`</office:text></office:body></office:document-content>`,
		"meta.xml", `<office:document-meta xmlns:office="o" xmlns:dc="d" xmlns:meta="m"><office:meta><dc:title>Tide tables</dc:title><meta:initial-creator>Ana Cruz</meta:initial-creator><meta:creation-date>2026-03-04T05:06:07.5</meta:creation-date></office:meta></office:document-meta>`)
}

const mailText = "From: \"Ana Cruz\" <ana@harbour.example>\r\nTo: desk@press.example\r\nDate: Wed, 4 Mar 2026 05:06:07 +0100\r\n" +
	"Subject: =?utf-8?q?Harbour_f=C3=BCr_alle?=\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n" +
	"--b\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nThe harbour opens in May, said the mayor.\r\n" +
	"--b\r\nContent-Type: text/plain\r\nContent-Disposition: attachment; filename=\"../notes.txt\"\r\n\r\nNotes of the day.\r\n" +
	"--b\r\nContent-Type: application/zip\r\nContent-Disposition: attachment; filename=a.zip\r\n\r\nPK\r\n--b--\r\n"

func TestFormats(t *testing.T) {
	t.Parallel()
	march := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	for _, c := range []struct {
		name string
		body []byte
		want extract.Result
	}{
		{"figures.xlsx", sheetFile(t, func(book *excelize.File) {
			_ = book.SetSheetRow("Sheet1", "A1", &[]any{"Harbour", "Ships"})
			_ = book.SetSheetRow("Sheet1", "A2", &[]any{"Old Quay", 1200})
			day, _ := book.NewStyle(&excelize.Style{NumFmt: 14})
			_ = book.SetCellValue("Sheet1", "A3", 46332)
			_ = book.SetCellStyle("Sheet1", "A3", "A3", day)
			_, _ = book.NewSheet("Hidden")
			_ = book.SetSheetVisible("Hidden", false)
			_ = book.SetCellStr("Hidden", "A1", "secret")
			_ = book.SetDocProps(&excelize.DocProperties{Title: "Ships by quay", Creator: "Ana Cruz"})
		}), extract.Result{ContentType: "xlsx", Title: "Ships by quay", Author: "Ana Cruz",
			Content: "## Sheet1\n\nHarbour | Ships\nOld Quay | 1200\n2026-11-06"}},
		{"slides.pptx", slidesFile(t), extract.Result{ContentType: "pptx", Title: "Harbour report",
			Content: "## Harbour report\n\n\n\n## Outlook\n\nTides will rise.\n\nHarbours grow.\n\nNotes: Pause here."}},
		{"tides.odt", odtFile(t, `<text:h text:outline-level="2">Spring</text:h><text:p>High<text:s text:c="2"/>water<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>At noon.</text:p></text:note-body></text:note>.</text:p>
<text:list><text:list-item><text:p>First</text:p></text:list-item></text:list><table:table><table:table-row><table:table-cell><text:p>a</text:p></table:table-cell><table:table-cell><text:p>b</text:p></table:table-cell></table:table-row></table:table><text:tracked-changes><text:p>gone</text:p></text:tracked-changes>`),
			extract.Result{ContentType: "odt", Title: "Tide tables", Author: "Ana Cruz",
				Content: "## Spring\n\nHigh  water [At noon.].\n\n- First\n\na | b"}},
		{"first.odt", repacked(t, odtFile(t, "<text:p>High water.</text:p>"), "none"), extract.Result{ContentType: "odt",
			Title: "Tide tables", Author: "Ana Cruz", Content: "High water."}},
		{"last.odt", repacked(t, odtFile(t, "<text:p>High water.</text:p>"), "mimetype"), extract.Result{ContentType: "odt",
			Title: "Tide tables", Author: "Ana Cruz", Content: "High water."}},
		{"tides.rtf", []byte(`{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Arial;}}{\*\generator x;}\f0 Flut in M\'fcnster\par\uc1 Caf\u233e \ldblquote now\rdblquote{\v hidden}\par}`),
			extract.Result{ContentType: "rtf", Title: "Flut in Münster", Content: "Flut in Münster\n\nCafé “now”"}},
		{"list.csv", []byte("name;ships\n\"Quay; old\";12\n"), extract.Result{ContentType: "csv", Title: "list",
			Content: "name | ships\nQuay; old | 12"}},
		{"talk.vtt", []byte("WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n<v Ana Cruz>The harbour opens.\n\n00:00:03.000 --> 00:00:04.000\n<v Ana Cruz>In May.\n\n01:00:05.000 --> 01:00:06.000\n<v Ben Ode>Why so late?\n"),
			extract.Result{ContentType: "vtt", Title: "talk",
				Content: "[00:00:01]\nAna Cruz: The harbour opens. In May.\n\n[01:00:05]\nBen Ode: Why so late?"}},
		{"talk.srt", []byte("1\n00:00:01,000 --> 00:00:02,000\nANA CRUZ: The harbour opens.\n\n2\n00:00:03,000 --> 00:00:04,000\nIn May.\n"),
			extract.Result{ContentType: "srt", Title: "talk", Content: "[00:00:01]\nANA CRUZ: The harbour opens. In May."}},
		{"news.srt", []byte("1\n00:00:01,000 --> 00:00:02,000\nGuten Abend: Willkommen zur Schau.\n\n2\n00:00:03,000 --> 00:00:04,000\nDie Lage: Der Hafen ist zu.\n\n3\n00:00:05,000 --> 00:00:06,000\nAchtung: Es regnet.\n"),
			extract.Result{ContentType: "srt", Title: "news", Content: "[00:00:01]\nGuten Abend: Willkommen zur Schau. Die Lage: Der Hafen ist zu. Achtung: Es regnet."}},
		{"panel.srt", []byte("1\n00:00:01,000 --> 00:00:02,000\nGood evening, all: Welcome.\n\n2\n00:00:03,000 --> 00:00:04,000\nAnna van Berg: We open.\n\n3\n00:00:05,000 --> 00:00:06,000\nModerator: When?\n\n4\n00:00:07,000 --> 00:00:08,000\nAnna van Berg: In May.\n"),
			extract.Result{ContentType: "srt", Title: "panel", Content: "[00:00:01]\nGood evening, all: Welcome.\n\n[00:00:03]\nAnna van Berg: We open.\n\n[00:00:05]\nModerator: When?\n\n[00:00:07]\nAnna van Berg: In May."}},
		{"news.eml", []byte(mailText), extract.Result{ContentType: "email", Title: "Harbour für alle", Author: "Ana Cruz",
			Content: "From: \"Ana Cruz\" <ana@harbour.example>\nTo: desk@press.example\nSubject: Harbour für alle\n\nThe harbour opens in May, said the mayor."}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, err := extract.New(extract.Config{}).Text(t.Context(), extract.Source{Body: c.body, Filename: c.name})
			if err != nil {
				t.Fatal(err)
			}
			if got.ContentType != c.want.ContentType || got.Title != c.want.Title || got.Author != c.want.Author ||
				got.Content != c.want.Content {
				t.Errorf("got  %q %q %q %q\nwant %q %q %q %q", got.ContentType, got.Title, got.Author, got.Content,
					c.want.ContentType, c.want.Title, c.want.Author, c.want.Content)
			}
			dated := map[string]time.Time{"news.eml": march.Add(-time.Hour), "tides.odt": march.Add(time.Second / 2)}
			if want, ok := dated[c.name]; ok && (got.Published == nil || !got.Published.Equal(want)) {
				t.Errorf("published %v, want %v", got.Published, want)
			}
		})
	}
}

func TestFormats_refused(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat(`{\b `, 600) + "x" + strings.Repeat("}", 600)
	for name, c := range map[string]struct {
		body []byte
		code model.ProcessingErrorCode
		want string
	}{
		"rows.csv":     {[]byte(strings.Repeat("a,b\n", 100_001)), model.ProcessingErrorCodeTooLarge, "100,000 rows"},
		"deep.rtf":     {[]byte(`{\rtf1 ` + deep + `}`), model.ProcessingErrorCodeUnsupportedContent, "malformed"},
		"deep.odt":     {odtFile(t, strings.Repeat("<text:p>", 300)+strings.Repeat("</text:p>", 300)), model.ProcessingErrorCodeUnsupportedContent, "could not be read"},
		"lie.xlsx":     {[]byte("\x00\x01\x02\xff\xfe no sheet"), model.ProcessingErrorCodeUnsupportedContent, "save it as PDF or DOCX"},
		"old.doc":      {append([]byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), make([]byte, 600)...), model.ProcessingErrorCodeUnsupportedContent, "doc files ("},
		"book.epub":    {repacked(t, zipFile(t, "mimetype", "application/epub+zip", "a.xhtml", "<p>Tide.</p>"), "mimetype"), model.ProcessingErrorCodeUnsupportedContent, "epub files (application/epub+zip) are not read"},
		"table.ods":    {repacked(t, zipFile(t, "mimetype", "application/vnd.oasis.opendocument.spreadsheet", "content.xml", "<x/>"), "none"), model.ProcessingErrorCodeUnsupportedContent, "ods files ("},
		"folder.zip":   {zipFile(t, "a.txt", "text"), model.ProcessingErrorCodeUnsupportedContent, "unpacked only if it is uploaded"},
		"nobody.eml":   {[]byte("X-A: b\r\n\r\ntext"), model.ProcessingErrorCodeUnsupportedContent, "no mail"},
		"broken.pptx":  {zipFile(t, "[Content_Types].xml", "", "ppt/presentation.xml", "<p"), model.ProcessingErrorCodeUnsupportedContent, "presentation"},
		"expands.xlsx": {zipFile(t, "[Content_Types].xml", "<Types/>", "xl/workbook.xml", strings.Repeat(" ", 130<<20)), model.ProcessingErrorCodeUnsupportedContent, "XLSX"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := extract.New(extract.Config{}).Text(t.Context(), extract.Source{Body: c.body, Filename: name})
			failure, ok := errors.AsType[*extract.Failure](err)
			if !ok || failure.Code != c.code || !strings.Contains(failure.Message, c.want) {
				t.Errorf("got %v, want %s %q", err, c.code, c.want)
			}
		})
	}
}

func TestUnpack(t *testing.T) {
	t.Parallel()
	x := extract.New(extract.Config{})
	files, err := x.Unpack(t.Context(), extract.Source{Filename: "a.zip", Body: zipFile(t, "2026/tide.txt", "high", "__MACOSX/2026/._tide.txt", "x",
		`..\up.txt`, "low", ".DS_Store", "x")})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range files {
		got = append(got, fmt.Sprintf("%s=%s %t", f.Name, f.Body, f.Hidden))
	}
	if want := "2026/tide.txt=high false, __MACOSX/2026/._tide.txt= true, up.txt=low false, .DS_Store= true"; strings.Join(got, ", ") != want {
		t.Errorf("got %s, want %s", strings.Join(got, ", "), want)
	}
	mail, err := x.Unpack(t.Context(), extract.Source{Filename: "a.eml", Body: []byte(mailText)})
	if err != nil || len(mail) != 2 || mail[0].Name != "notes.txt" || strings.TrimSpace(string(mail[0].Body)) != "Notes of the day." || mail[1].Name != "a.zip" {
		t.Errorf("attachments %+v, %v", mail, err)
	}
}

func TestUnpack_refused(t *testing.T) {
	t.Parallel()
	var many []string
	for i := range extract.MaxPacked + 1 {
		many = append(many, fmt.Sprintf("%d.txt", i), "x")
	}
	zeros := strings.Repeat("\x00", 40_000_000)
	lying := zipFile(t, "a.txt", zeros, "b.txt", zeros)
	for at := 0; ; at++ { // the directory says that each file has one byte
		i := bytes.Index(lying[at:], []byte("PK\x01\x02"))
		if i < 0 {
			break
		}
		at += i
		copy(lying[at+24:], []byte{1, 0, 0, 0})
	}
	for name, c := range map[string]struct {
		body []byte
		want string
	}{
		"too many files": {zipFile(t, many...), "more than 200 files"},
		"a bomb":         {zipFile(t, "a", zeros, "b", zeros, "c", zeros), "more than 100 MB"},
		"damaged":        {[]byte("PK\x03\x04 cut"), "damaged"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := extract.New(extract.Config{}).Unpack(t.Context(), extract.Source{Filename: "a.zip", Body: c.body})
			failure, ok := errors.AsType[*extract.Failure](err)
			if !ok || !strings.Contains(failure.Message, c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
	files, err := extract.New(extract.Config{}).Unpack(t.Context(), extract.Source{Filename: "a.zip", Body: lying})
	if err != nil || len(files) != 2 || files[0].Failure == nil || len(files[0].Body) > 0 {
		t.Errorf("a lying directory: %v", err)
	}
}

func TestFetchedName(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{"https://a.example/": "a.example.html", "https://a.example/news/tide?x=1": "tide.html",
		"https://a.example/r%C3%A9sum%C3%A9.pdf": "résumé.pdf", "://": "page.html"} {
		if got := extract.FetchedName(address, ".html"); got != want {
			t.Errorf("%s is %s, want %s", address, got, want)
		}
	}
}
