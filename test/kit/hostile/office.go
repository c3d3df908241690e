package hostile

import (
	"archive/zip"
	"bytes"
	"fmt"
	"strings"
)

// Documents are DOCX files with many equal parts.
var Documents = []Sized{
	{"list", func(items int) []byte {
		return wordFile(repeat(items, func(i int) string {
			return fmt.Sprintf(`<w:p><w:pPr><w:pStyle w:val="ListBullet"/></w:pPr><w:r><w:t>Item %d of the list</w:t></w:r></w:p>`, i)
		}))
	}},
	{"table", func(rows int) []byte {
		const cell = "<w:tc><w:p><w:r><w:t>cell</w:t></w:r></w:p></w:tc>"
		return wordFile("<w:tbl>" + repeat(rows, constant("<w:tr>"+cell+cell+"</w:tr>")) + "</w:tbl>")
	}},
	{"row", func(cells int) []byte {
		return wordFile("<w:tbl><w:tr>" + repeat(cells,
			constant("<w:tc><w:p><w:r><w:t>cell</w:t></w:r></w:p></w:tc>")) + "</w:tr></w:tbl>")
	}},
	{"paragraph", func(runs int) []byte {
		return wordFile("<w:p>" + repeat(runs, constant("<w:r><w:t>a run of words </w:t><w:br/></w:r>")) + "</w:p>")
	}},
}

// wordFile returns a DOCX file with the body.
func wordFile(body string) []byte {
	document := `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>` + body +
		"</w:body></w:document>"
	return zipFile("[Content_Types].xml", "<Types/>", "_rels/.rels", "<Relationships/>", "word/document.xml", document)
}

// zipFile returns a ZIP with the files in the order of names and texts.
func zipFile(pairs ...string) []byte {
	var out bytes.Buffer
	archive := zip.NewWriter(&out)
	for i := 0; i < len(pairs); i += 2 {
		header := &zip.FileHeader{Name: pairs[i], Method: zip.Deflate}
		if pairs[i] == "mimetype" { // of OpenDocument, whose type stands in the first bytes
			header.Method = zip.Store
		}
		file, err := archive.CreateHeader(header)
		if err == nil {
			_, err = file.Write([]byte(pairs[i+1]))
		}
		if err != nil {
			panic(err) // writing to a buffer cannot fail
		}
	}
	if err := archive.Close(); err != nil {
		panic(err)
	}
	return out.Bytes()
}

// ExpandingDOCX returns a small DOCX file whose document has the number of bytes when it is
// unpacked.
func ExpandingDOCX(size int) []byte { return wordFile(strings.Repeat(" ", size)) }
