package hostile

import (
	"fmt"
	"strings"
)

// SizedFile is a file in any size whose name has the suffix of its format.
type SizedFile struct {
	Sized
	Suffix string
}

// Files are files of the formats beside pages, PDF and DOCX, each with many equal or nested parts.
var Files = []SizedFile{
	{Sized{"mail with headers", func(headers int) []byte {
		return mail(repeat(headers, func(i int) string { return fmt.Sprintf("X-Trace-%d: a value of the way\r\n", i) }),
			"text/plain", "The ferry is late.")
	}}, ".eml"},
	{Sized{"mail with recipients", func(recipients int) []byte {
		return mail("Cc: "+repeat(recipients, func(i int) string { return fmt.Sprintf("\"Reader %d\" <r%d@example.org>,\r\n ", i, i) })+
			"last@example.org\r\n", "text/plain", "The ferry is late.")
	}}, ".eml"},
	{Sized{"mail in mails", func(depth int) []byte {
		return mail("", "text/plain", repeat(depth/10, constant("From: a@example.org\r\nContent-Type: message/rfc822\r\n\r\n")))
	}}, ".eml"},
	{Sized{"mail with parts", func(parts int) []byte {
		return mail("", "multipart/mixed; boundary=b", repeat(parts, constant("--b\r\nContent-Type: text/plain\r\n\r\nA part.\r\n"))+"--b--\r\n")
	}}, ".eml"},
	{Sized{"mail of one line", func(words int) []byte {
		return mail("", "text/html", "<p>"+repeat(words, constant("word&nbsp;")))
	}}, ".eml"},
	{Sized{"groups", func(depth int) []byte {
		return []byte(`{\rtf1 ` + strings.Repeat("{", depth) + "text" + strings.Repeat("}", depth) + "}")
	}}, ".rtf"},
	{Sized{"unicode", func(letters int) []byte { return []byte(`{\rtf1 ` + strings.Repeat(`\u233?`, letters) + "}") }}, ".rtf"},
	{Sized{"rows", func(rows int) []byte { return []byte("place,boats\n" + repeat(rows, constant("Tidewall,12\n"))) }}, ".csv"},
	{Sized{"columns", func(columns int) []byte { return []byte(repeat(columns, constant("boats,"))) }}, ".csv"},
	{Sized{"open quotation", func(rows int) []byte { return []byte("\"" + repeat(rows, constant("a,\"\"b\n"))) }}, ".csv"},
	{Sized{"cues", func(cues int) []byte {
		return []byte("WEBVTT\n\n" + repeat(cues, func(i int) string {
			return fmt.Sprintf("%02d:%02d:%02d.000 --> %02d:%02d:%02d.900\n<v Ann>The ferry is late.\n\n",
				i/3600%100, i/60%60, i%60, i/3600%100, i/60%60, i%60)
		}))
	}}, ".vtt"},
	{Sized{"cues", func(cues int) []byte {
		return []byte(repeat(cues, func(i int) string {
			return fmt.Sprintf("%d\n%02d:%02d:%02d,000 --> %02d:%02d:%02d,900\nThe ferry is late.\n\n",
				i+1, i/3600%100, i/60%60, i%60, i/3600%100, i/60%60, i%60)
		}))
	}}, ".srt"},
	{Sized{"nested lists", func(depth int) []byte {
		return openText(strings.Repeat("<text:list><text:list-item>", depth) + "<text:p>deep</text:p>" +
			strings.Repeat("</text:list-item></text:list>", depth))
	}}, ".odt"},
	{Sized{"paragraphs", func(count int) []byte {
		return openText(repeat(count, constant("<text:p>The ferry is late.</text:p>")))
	}}, ".odt"},
	{Sized{"spaces", func(count int) []byte {
		return openText(repeat(count, constant(`<text:p>a<text:s text:c="2000000000"/></text:p>`)))
	}}, ".odt"},
	{Sized{"slides", slides}, ".pptx"},
	{Sized{"cells far away", func(rows int) []byte {
		return sheet(repeat(rows, func(i int) string {
			return fmt.Sprintf(`<row r="%d"><c r="XFD%d"><v>1</v></c></row>`, i*1000+1, i*1000+1)
		}))
	}}, ".xlsx"},
	{Sized{"rows", func(rows int) []byte {
		return sheet(repeat(rows, func(i int) string { return fmt.Sprintf(`<row r="%d"><c r="A%d"><v>1</v></c></row>`, i+1, i+1) }))
	}}, ".xlsx"},
	{Sized{"files", func(files int) []byte {
		var pairs []string
		for i := range files {
			pairs = append(pairs, fmt.Sprintf("folder/%d.txt", i), "The ferry is late.")
		}
		return zipFile(pairs...)
	}}, ".zip"},
	{Sized{"expanding", func(size int) []byte { return zipFile("zeros.txt", strings.Repeat("0", 2000*size)) }}, ".zip"},
	{Sized{"nested", func(depth int) []byte {
		body := []byte("The ferry is late.")
		for range min(depth, 50) {
			body = zipFile("inner.zip", string(body))
		}
		return body
	}}, ".zip"},
	{Sized{"names", func(length int) []byte {
		return zipFile("../../../etc/passwd", "a", "/etc/shadow", "b", strings.Repeat("n", min(length, 60_000))+".txt", "c", "a\x00.txt", "d")
	}}, ".zip"},
}

// mail returns a mail with the headers, each with its line end, and a body of the media type.
func mail(headers, media, body string) []byte {
	return []byte("From: Ann <ann@example.org>\r\nTo: press@example.org\r\nSubject: Ferries\r\nMIME-Version: 1.0\r\n" + headers +
		"Content-Type: " + media + "\r\n\r\n" + body)
}

// openText returns an ODT file with the body.
func openText(body string) []byte {
	return zipFile("mimetype", "application/vnd.oasis.opendocument.text", "content.xml",
		`<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" `+
			`xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:text>`+body+
			"</office:text></office:body></office:document-content>")
}

const officeRelations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"

// relations returns the part that names the targets of a kind as rId1, rId2 and so on.
func relations(kind string, count int, target func(i int) string) string {
	return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` + repeat(count, func(i int) string {
		return fmt.Sprintf(`<Relationship Id="rId%d" Type="%s/%s" Target="%s"/>`, i+1, officeRelations, kind, target(i))
	}) + "</Relationships>"
}

// slides returns a PPTX file whose slides are the same part.
func slides(count int) []byte {
	const drawing = `xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"`
	list := repeat(count, func(i int) string { return fmt.Sprintf(`<p:sldId id="%d" r:id="rId%d"/>`, 256+i, i+1) })
	return zipFile("[Content_Types].xml", "<Types/>",
		"_rels/.rels", relations("officeDocument", 1, func(int) string { return "ppt/presentation.xml" }),
		"ppt/presentation.xml", "<p:presentation "+drawing+` xmlns:r="`+officeRelations+`"><p:sldIdLst>`+list+"</p:sldIdLst></p:presentation>",
		"ppt/_rels/presentation.xml.rels", relations("slide", count, func(int) string { return "slides/slide1.xml" }),
		"ppt/slides/slide1.xml", "<p:sld "+drawing+"><p:cSld><p:spTree><p:sp><p:txBody><a:p><a:r><a:t>The ferry is late.</a:t></a:r></a:p>"+
			"</p:txBody></p:sp></p:spTree></p:cSld></p:sld>")
}

// sheet returns an XLSX file with the rows.
func sheet(rows string) []byte {
	const main = `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"`
	return zipFile("[Content_Types].xml", `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
		"_rels/.rels", relations("officeDocument", 1, func(int) string { return "xl/workbook.xml" }),
		"xl/workbook.xml", "<workbook "+main+` xmlns:r="`+officeRelations+`"><sheets><sheet name="Boats" sheetId="1" r:id="rId1"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels", relations("worksheet", 1, func(int) string { return "worksheets/sheet1.xml" }),
		"xl/worksheets/sheet1.xml", "<worksheet "+main+"><sheetData>"+rows+"</sheetData></worksheet>")
}
