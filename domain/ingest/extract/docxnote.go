package extract

import (
	"bytes"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/mail"
	"path"
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"rostrum/llm/text/script"
)

// wordNote is a footnote or an endnote to which the text refers.
type wordNote struct {
	kind, id string
	mark     string
	text     string
}

// addNote writes the mark of a note, numbered as Word does by default: 1, 2, 3 for footnotes and
// i, ii, iii for endnotes.
func (w *wordReader) addNote(reference, id string) {
	kind := strings.TrimSuffix(reference, "Reference")
	note := w.findNote(kind, id)
	if note == nil {
		note = &wordNote{kind: kind, id: id}
		if kind == "footnote" {
			w.footnotes++
			note.mark = strconv.Itoa(w.footnotes)
		} else {
			w.endnotes++
			note.mark = strings.ToLower(romanNumber(w.endnotes))
		}
		w.notes = append(w.notes, note)
		w.noted[kind+id] = note
	}
	w.flow.paragraph.text.Write(script.NoteMark(note.mark), script.Baseline)
}

func (w *wordReader) findNote(kind, id string) *wordNote { return w.noted[kind+id] }

// endNote stores the text of a note whose part was read.
func (w *wordReader) endNote() {
	if w.reading != nil {
		w.reading.text = joinParagraphs(w.flow.paragraphs)
		w.reading, w.flow = nil, w.newFlow()
	}
}

// readNotes adds the notes behind the text.
func (w *wordReader) readNotes() error {
	body := w.flow
	for _, kind := range []string{"footnotes", "endnotes"} {
		if err := w.readPart(w.part(kind)); err != nil {
			return err
		}
	}
	w.flow = body
	for _, note := range w.notes {
		if note.text != "" {
			w.flow.add(script.NoteMark(note.mark)+" "+note.text, plainText)
		}
	}
	return nil
}

// maxEmbedded is the number of files that may be embedded in one another.
const maxEmbedded = 3

// readChunk adds the text of an embedded file. It returns a *Failure for a file that it cannot read,
// because its text would be missing.
func (w *wordReader) readChunk(id string) error {
	relation, found := w.parts[id]
	if !found {
		return nil
	}
	body, err := w.files.readPart(relation.target)
	if err != nil {
		return err
	}
	source := Source{Body: body, Filename: path.Base(relation.target)}
	if message, err := mail.ReadMessage(bytes.NewReader(body)); err == nil && message.Header.Get("MIME-Version") != "" {
		if source, err = archivedPage(message); err != nil {
			return unsupportedContent("a page embedded in the DOCX could not be read", err)
		}
	}
	switch form := detectFormat(source); form.kind {
	case "webpage":
		text, err := embeddedPage(source)
		if err != nil {
			return unsupportedContent("a page embedded in the DOCX could not be read", err)
		}
		w.flow.add(text, plainText)
	case "text", "markdown":
		w.flow.add(cleanText(decodeText(body, source.MediaType, false)), plainText)
	case "docx", "archive":
		return w.readEmbeddedWord(body)
	default:
		return unsupportedContent(fmt.Sprintf(
			"the DOCX embeds a file of type %s, which is not read; send a DOCX with its text", form.media), nil)
	}
	return nil
}

func (w *wordReader) readEmbeddedWord(body []byte) error {
	if w.embedded >= maxEmbedded {
		return unsupportedContent("the DOCX embeds files in one another too deeply", nil)
	}
	files, err := openEmbedded(body, w.files.left)
	if err != nil {
		return err
	}
	inner, err := readWord(files, w.embedded+1)
	if err != nil {
		return err
	}
	w.flow.add(joinParagraphs(inner.flow.paragraphs), plainText)
	return nil
}

// embeddedPage returns all text of a page.
func embeddedPage(source Source) (string, error) {
	doc, err := html.Parse(strings.NewReader(decodeText(source.Body, source.MediaType, true)))
	if err != nil {
		return "", err
	}
	simplifyPage(doc)
	return renderBlocks(segmentBlocks(doc)), nil
}

// archivedPage returns the first page of a web archive (MHTML).
func archivedPage(message *mail.Message) (Source, error) {
	media, parameters, err := mime.ParseMediaType(message.Header.Get("Content-Type"))
	if err != nil {
		return Source{}, err
	}
	if !strings.HasPrefix(media, "multipart/") {
		return partSource(message.Body, message.Header.Get("Content-Type"),
			message.Header.Get("Content-Transfer-Encoding"))
	}
	parts := multipart.NewReader(message.Body, parameters["boundary"])
	for {
		part, err := parts.NextRawPart()
		if err != nil {
			return Source{}, err
		}
		if media := part.Header.Get("Content-Type"); strings.HasPrefix(media, "text/") {
			return partSource(part, media, part.Header.Get("Content-Transfer-Encoding"))
		}
	}
}

func partSource(body io.Reader, media, encoding string) (Source, error) {
	text, err := io.ReadAll(decodeTransfer(body, encoding))
	return Source{Body: text, MediaType: media}, err
}
