package export

import (
	"fmt"
	"strings"
)

const (
	xmlHead     = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n"
	officeTypes = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	wordSpaces  = `xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="` + officeTypes + `"`
	wordType    = "application/vnd.openxmlformats-officedocument.wordprocessingml."

	docxTypes = xmlHead + `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
		`<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
		`<Default Extension="xml" ContentType="application/xml"/>` +
		`<Override PartName="/word/document.xml" ContentType="` + wordType + `document.main+xml"/>` +
		`<Override PartName="/word/styles.xml" ContentType="` + wordType + `styles+xml"/>` +
		`<Override PartName="/word/numbering.xml" ContentType="` + wordType + `numbering+xml"/>` +
		`<Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/></Types>`

	relationsOpen = xmlHead + `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">`

	docxRelations = relationsOpen + `<Relationship Id="document" Type="` + officeTypes +
		`/officeDocument" Target="word/document.xml"/>` +
		`<Relationship Id="core" Type="http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties" Target="docProps/core.xml"/></Relationships>`

	docxPartRelations = relationsOpen + `<Relationship Id="styles" Type="` + officeTypes +
		`/styles" Target="styles.xml"/>` +
		`<Relationship Id="numbering" Type="` + officeTypes + `/numbering" Target="numbering.xml"/>`

	docxOpen  = xmlHead + `<w:document ` + wordSpaces + `><w:body>` + "\n"
	docxClose = `<w:sectPr><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1304" w:right="1304" w:bottom="1304" w:left="1304" w:header="708" w:footer="708" w:gutter="0"/></w:sectPr></w:body></w:document>`

	docxNumberingOpen = xmlHead + `<w:numbering ` + wordSpaces + `>`

	docxCoreOpen = xmlHead + `<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" ` +
		`xmlns:dc="http://purl.org/dc/elements/1.1/">`
)

// docxStyles names the styles that Word's own headings, quotes and links have, so that its
// navigation and themes work.
var docxStyles = xmlHead + `<w:styles ` + wordSpaces + `><w:docDefaults><w:rPrDefault><w:rPr>` +
	`<w:rFonts w:ascii="Calibri" w:hAnsi="Calibri" w:eastAsia="Microsoft YaHei" w:cs="Arial"/><w:sz w:val="22"/><w:szCs w:val="22"/></w:rPr></w:rPrDefault>` +
	`<w:pPrDefault><w:pPr><w:spacing w:after="140" w:line="276" w:lineRule="auto"/></w:pPr></w:pPrDefault></w:docDefaults>` +
	`<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>` + docxHeadings() +
	docxStyle("Quote", "Quote", `<w:pBdr><w:left w:val="single" w:sz="12" w:space="8" w:color="B9B9C2"/></w:pBdr>`,
		`<w:color w:val="45454D"/>`) +
	docxStyle("Code", "Code", `<w:shd w:val="clear" w:color="auto" w:fill="F5F5F7"/><w:spacing w:line="240" w:lineRule="auto"/>`,
		`<w:rFonts w:ascii="Courier New" w:hAnsi="Courier New" w:cs="Courier New"/><w:sz w:val="19"/>`) +
	docxStyle("Rule", "Rule", `<w:pBdr><w:bottom w:val="single" w:sz="6" w:space="1" w:color="B9B9C2"/></w:pBdr>`, "") +
	docxStyle("TableText", "Table Text", `<w:spacing w:after="0"/>`, "") +
	`<w:style w:type="character" w:styleId="Hyperlink"><w:name w:val="Hyperlink"/><w:rPr><w:color w:val="1A56B0"/><w:u w:val="single"/></w:rPr></w:style>` +
	`<w:style w:type="table" w:styleId="TableGrid"><w:name w:val="Table Grid"/><w:tblPr><w:tblBorders>` +
	docxBorders() + `</w:tblBorders>` +
	`<w:tblCellMar><w:top w:w="60" w:type="dxa"/><w:left w:w="110" w:type="dxa"/><w:bottom w:w="60" w:type="dxa"/><w:right w:w="110" w:type="dxa"/></w:tblCellMar></w:tblPr></w:style></w:styles>`

func docxStyle(id, name, paragraph, letters string) string {
	return fmt.Sprintf(`<w:style w:type="paragraph" w:styleId="%s"><w:name w:val="%s"/><w:basedOn w:val="Normal"/><w:pPr>%s</w:pPr><w:rPr>%s</w:rPr></w:style>`,
		id, name, paragraph, letters)
}

func docxHeadings() string {
	var out strings.Builder
	for i, size := range []int{36, 30, 26, 24, 22, 22} { // half points
		out.WriteString(docxStyle(fmt.Sprintf("Heading%d", i+1), fmt.Sprintf("heading %d", i+1),
			fmt.Sprintf(`<w:keepNext/><w:spacing w:before="320" w:after="120"/><w:outlineLvl w:val="%d"/>`, i),
			fmt.Sprintf(`<w:b/><w:bCs/><w:sz w:val="%d"/><w:szCs w:val="%d"/>`, size, size)))
	}
	return out.String()
}

func docxBorders() string {
	var out strings.Builder
	for _, side := range []string{"top", "left", "bottom", "right", "insideH", "insideV"} {
		fmt.Fprintf(&out, `<w:%s w:val="single" w:sz="4" w:space="0" w:color="B9B9C2"/>`, side)
	}
	return out.String()
}
