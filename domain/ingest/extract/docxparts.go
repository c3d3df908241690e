package extract

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"path"
	"strings"

	"golang.org/x/net/html/charset"
)

// officeFiles is an archive of the Open Packaging Conventions (ECMA-376, part 2).
type officeFiles struct {
	parts map[string]*zip.File // by names in lower case, because names of parts ignore case
	left  *int64               // bytes that may still be unpacked, shared with embedded files

	repeated int // bytes of cells that are repeated
}

// officeRelation is a reference from one part to another.
type officeRelation struct {
	kind   string // the end of its type, for example "footnotes"
	target string // the name of the part
}

func openOffice(body []byte) (*officeFiles, error) {
	left := int64(docxPart)
	return openEmbedded(body, &left)
}

func openEmbedded(body []byte, left *int64) (*officeFiles, error) {
	archive, err := zip.NewReader(bytes.NewReader(body), int64(len(body)))
	if err != nil {
		return nil, err
	}
	files := &officeFiles{parts: map[string]*zip.File{}, left: left}
	for _, file := range archive.File {
		files.parts[strings.ToLower(strings.TrimPrefix(file.Name, "/"))] = file
	}
	return files, nil
}

// readPart returns the bytes of a part.
func (o *officeFiles) readPart(name string) ([]byte, error) {
	entry := o.parts[strings.ToLower(name)]
	if entry == nil {
		return nil, errors.New("the part " + name + " is missing")
	}
	file, err := entry.Open()
	if err != nil {
		return nil, err
	}
	defer file.Close()
	content, err := io.ReadAll(io.LimitReader(file, *o.left+1))
	if *o.left -= int64(len(content)); *o.left < 0 {
		return nil, errors.New("the parts are too large")
	}
	return content, err
}

// mainPart returns the name of the part with the document.
func (o *officeFiles) mainPart() string {
	for _, relation := range o.relations("") {
		if relation.kind == "officeDocument" {
			return relation.target
		}
	}
	return "word/document.xml"
}

// isWord reports whether the main part is a document of a word processor.
func (o *officeFiles) isWord() bool {
	part, err := o.readPart(o.mainPart())
	if err != nil {
		return false
	}
	decoder := newXMLDecoder(part)
	for {
		token, err := decoder.Token()
		if err != nil {
			return false
		}
		if root, ok := token.(xml.StartElement); ok {
			return root.Name.Local == "document"
		}
	}
}

// relations returns the references of a part by their identifiers, those to other files left out.
func (o *officeFiles) relations(part string) map[string]officeRelation {
	folder, base := path.Split(part)
	content, err := o.readPart(folder + "_rels/" + base + ".rels")
	if err != nil {
		return nil
	}
	var file struct {
		All []struct {
			ID     string `xml:"Id,attr"`
			Type   string `xml:"Type,attr"`
			Target string `xml:"Target,attr"`
			Mode   string `xml:"TargetMode,attr"`
		} `xml:"Relationship"`
	}
	if newXMLDecoder(content).Decode(&file) != nil {
		return nil
	}
	all := map[string]officeRelation{}
	for _, r := range file.All {
		if r.Mode == "External" {
			continue
		}
		target := strings.TrimPrefix(r.Target, "/")
		if target == r.Target {
			target = path.Join(folder, target)
		}
		all[r.ID] = officeRelation{path.Base(r.Type), target}
	}
	return all
}

// newXMLDecoder returns a decoder of XML in the encoding that its byte-order mark or its
// declaration names.
func newXMLDecoder(body []byte) *xml.Decoder {
	decoder := xml.NewDecoder(bytes.NewReader(body))
	decoder.CharsetReader = charset.NewReaderLabel
	if name := utf16Name(body); name != "" {
		e, _ := charset.Lookup(name)
		text, _ := transcodeText(body, e)
		decoder = xml.NewDecoder(strings.NewReader(text))
		decoder.CharsetReader = func(_ string, text io.Reader) (io.Reader, error) { return text, nil }
	}
	return decoder
}
