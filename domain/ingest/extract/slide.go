package extract

import (
	"cmp"
	"encoding/xml"
	"errors"
	"io"
	"strconv"
	"strings"
)

// maxSlides is the largest number of slides of a presentation.
const maxSlides = 2000

// extractSlides reads a presentation (PresentationML, ECMA-376): the slides in their order, each with
// its title as a heading, its text, and the notes of the speaker behind it. Hidden slides are read
// too.
func extractSlides(body []byte, filename string) (*Result, error) {
	files, err := openOffice(body)
	if err != nil {
		return nil, unsupportedContent("the PPTX is damaged and could not be opened", err)
	}
	slides, err := listSlides(files)
	if err != nil {
		return nil, unsupportedContent("the PPTX has no readable presentation inside", err)
	}
	if len(slides) > maxSlides {
		return nil, tooLarge("the presentation has more than 2,000 slides; send it in several parts")
	}
	var text strings.Builder
	r := &Result{ContentType: "pptx"}
	for i, name := range slides {
		slide, err := readSlide(files, name)
		if err != nil {
			return nil, unsupportedContent("slide "+strconv.Itoa(i+1)+" of the PPTX could not be read", err)
		}
		r.Title = cmp.Or(r.Title, slide.title)
		text.WriteString(headingMark(2) + cmp.Or(slide.title, "Slide "+strconv.Itoa(i+1)) + "\n\n")
		text.WriteString(strings.Join(slide.paragraphs, "\n\n") + "\n\n")
		if notes := slideNotes(files, name); len(notes) > 0 {
			text.WriteString("Notes: " + strings.Join(notes, "\n\n") + "\n\n")
		}
	}
	r.Content = strings.TrimSpace(text.String())
	if core, err := files.readPart("docProps/core.xml"); err == nil {
		readProperties(core, r)
	}
	r.Title = cmp.Or(r.Title, withoutExtension(filename))
	return r, nil
}

// listSlides returns the names of the parts with the slides, in the order of the presentation.
func listSlides(files *officeFiles) ([]string, error) {
	main := files.mainPart()
	part, err := files.readPart(main)
	if err != nil {
		return nil, err
	}
	var presentation struct {
		Slides []struct {
			ID string `xml:"http://schemas.openxmlformats.org/officeDocument/2006/relationships id,attr"`
		} `xml:"sldIdLst>sldId"`
	}
	if err := newXMLDecoder(part).Decode(&presentation); err != nil {
		return nil, err
	}
	relations := files.relations(main)
	var names []string
	for _, slide := range presentation.Slides {
		if relation, ok := relations[slide.ID]; ok && relation.kind == "slide" {
			names = append(names, relation.target)
		}
	}
	if len(names) == 0 {
		return nil, errors.New("it has no slides")
	}
	return names, nil
}

// slideNotes returns the paragraphs of the notes of a slide.
func slideNotes(files *officeFiles, name string) []string {
	for _, relation := range files.relations(name) {
		if relation.kind != "notesSlide" {
			continue
		}
		if notes, err := readSlide(files, relation.target); err == nil {
			return notes.body
		}
	}
	return nil
}

// slideText is the text of a slide, or of its notes.
type slideText struct {
	title      string
	paragraphs []string // without the title
	body       []string // those of the placeholder of the body, where notes are

	paragraph strings.Builder
	row       []string // the cells of the open row of a table
	inRow     bool
	kind      string // of the placeholder of the open shape
	depth     int
}

func readSlide(files *officeFiles, name string) (*slideText, error) {
	part, err := files.readPart(name)
	if err != nil {
		return nil, err
	}
	s, decoder := &slideText{}, newXMLDecoder(part)
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return s, nil
		}
		if err != nil {
			return nil, err
		}
		switch t := token.(type) {
		case xml.StartElement:
			if s.depth++; s.depth > docxDepth {
				return nil, errors.New("its elements are nested too deeply")
			}
			if err := s.start(decoder, t); err != nil {
				return nil, err
			}
		case xml.EndElement:
			s.depth--
			s.end(t.Name.Local)
		}
	}
}

func (s *slideText) start(decoder *xml.Decoder, t xml.StartElement) error {
	switch t.Name.Local {
	case "sp":
		s.kind = ""
	case "ph":
		s.kind = cmp.Or(xmlAttribute(t, "type"), "body")
	case "tr":
		s.inRow, s.row = true, nil
	case "br":
		s.paragraph.WriteByte('\n')
	case "t":
		var text string
		s.depth--
		if err := decoder.DecodeElement(&text, &t); err != nil {
			return err
		}
		s.paragraph.WriteString(text)
	}
	return nil
}

func (s *slideText) end(name string) {
	switch name {
	case "p":
		text := strings.TrimSpace(s.paragraph.String())
		s.paragraph.Reset()
		switch {
		case text == "":
		case s.inRow:
			s.row = append(s.row, oneLine(text))
		default:
			s.addParagraph(text)
		}
	case "tr":
		s.inRow = false
		if line := joinCells(s.row); line != "" {
			s.paragraphs = append(s.paragraphs, line)
		}
	}
}

func (s *slideText) addParagraph(text string) {
	switch s.kind {
	case "title", "ctrTitle":
		s.title = strings.TrimSpace(s.title + " " + oneLine(text))
		return
	case "sldNum", "dt", "ftr", "hdr":
		return
	case "body":
		s.body = append(s.body, text)
	}
	s.paragraphs = append(s.paragraphs, text)
}

// xmlAttribute returns an attribute's value by its local name.
func xmlAttribute(t xml.StartElement, name string) string {
	for _, a := range t.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}
