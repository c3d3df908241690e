package extract

// wordSection has the headers and footers of a section.
type wordSection struct {
	Headers   []wordReference `xml:"headerReference"`
	Footers   []wordReference `xml:"footerReference"`
	TitlePage *wordValue      `xml:"titlePg"`
}

// wordReference refers to a part by its relationship.
type wordReference struct {
	Kind string `xml:"type,attr"`
	ID   string `xml:"id,attr"`
}

// fewPages is the maximum number of pages whose header is read: on more, it is furniture, as in a
// PDF.
const fewPages = 2

// endSection adds what the section shows once in its margins: the header and the footer of its title
// page, or those of a document of few pages. Letterheads and notes of embargoes stand there.
// It does nothing within notes, boxes and margins themselves.
func (w *wordReader) endSection(s *wordSection) error {
	kind := ""
	switch {
	case w.reading != nil || len(w.outer) > 0 || w.margins == nil:
		return nil
	case s.TitlePage.isOn():
		kind = "first"
	case w.pages > 0 && w.pages <= fewPages:
		kind = "default"
	}
	header, err := w.readMargin(s.Headers, kind)
	if err != nil {
		return err
	}
	footer, err := w.readMargin(s.Footers, kind)
	if err != nil {
		return err
	}
	body := w.flow.paragraphs
	section := append(append(header, body[w.section:]...), footer...)
	w.flow.paragraphs = append(body[:w.section:w.section], section...)
	w.section, w.flow.last = len(w.flow.paragraphs), plainText
	return nil
}

// readMargin returns the paragraphs of a header or footer of a kind.
func (w *wordReader) readMargin(references []wordReference, kind string) ([]flowParagraph, error) {
	for _, r := range references {
		relation, found := w.parts[r.ID]
		if !found || r.Kind != kind || kind == "" {
			continue
		}
		part, err := w.files.readPart(relation.target)
		if err != nil {
			return nil, err
		}
		body, depth, margins := w.flow, w.depth, w.margins
		w.flow, w.margins = w.newFlow(), nil
		err = w.readPart(part)
		margin := w.flow.paragraphs
		w.flow, w.depth, w.margins = body, depth, margins
		text := joinParagraphs(margin)
		if err != nil || w.margins[text] { // another section has the same
			return nil, err
		}
		w.margins[text] = true
		return margin, nil
	}
	return nil, nil
}

// readRestriction returns what headers and footers say of who may know the document, also those that
// are left out of its text.
func (w *wordReader) readRestriction() (found Restriction) {
	for _, relation := range w.parts {
		if relation.kind != "header" && relation.kind != "footer" {
			continue
		}
		part, err := w.files.readPart(relation.target)
		if err != nil {
			continue
		}
		body := w.flow
		w.flow, w.margins = w.newFlow(), nil
		if err = w.readPart(part); err == nil && !found.IsMarked {
			found = RestrictionOf("", joinParagraphs(w.flow.paragraphs))
		}
		w.flow = body
	}
	return found
}

// countPages returns the number of pages that the word processor counted, and 0 if it is not known.
func countPages(files *officeFiles) int {
	var properties struct {
		Pages int `xml:"Pages"`
	}
	part, err := files.readPart("docProps/app.xml")
	if err != nil || newXMLDecoder(part).Decode(&properties) != nil {
		return 0
	}
	return properties.Pages
}
