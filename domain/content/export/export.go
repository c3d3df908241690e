// Package export writes a piece of content as a file: PDF, DOCX, HTML, Markdown or plain text. It fetches nothing.
package export

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode"

	"rostrum/errs"
)

// Format is a kind of file, by the usual ending of its name.
type Format string

// The formats that Make knows.
const (
	PDF      Format = "pdf"
	DOCX     Format = "docx"
	HTML     Format = "html"
	Markdown Format = "md"
	Text     Format = "txt"
)

// MaxContent is the most bytes of HTML or of text that Make takes.
const MaxContent = 6 << 20

// maxName is the most characters of a title that become part of a file's name.
const maxName = 80

// Content is what is exported. HTML wins over Text; a Title that is given stands above the content.
type Content struct {
	Title       string
	HTML, Text  string
	ContentType string
	TonePersona string
	Themes      []string
}

// kind is what is known of a format.
type kind struct {
	media string
	write func(io.Writer, *document) error
}

var kinds = map[Format]kind{
	PDF:      {"application/pdf", writePDF},
	DOCX:     {"application/vnd.openxmlformats-officedocument.wordprocessingml.document", writeDOCX},
	HTML:     {"text/html; charset=utf-8", writeHTML},
	Markdown: {"text/markdown; charset=utf-8", writeMarkdown},
	Text:     {"text/plain; charset=utf-8", writeText},
}

// MediaType is the format's media type, with its charset where it is text; empty for a format that Make does not know.
func (f Format) MediaType() string { return kinds[f].media }

// File is what content has become.
type File struct {
	Data []byte
	// Unseen are the characters that the file shows as boxes, in order, for want of a font; they can still be copied out of it.
	Unseen []rune
}

// Make writes the content as a file of the format. The same content gives the same bytes. It fails with errs.TooLarge over MaxContent,
// and with errs.ValidationFailed for an unknown format and for HTML that nests too deeply to be read. What fonts lack comes as boxes.
func Make(format Format, c Content, fonts *Fonts) (File, error) {
	kind, ok := kinds[format]
	if !ok {
		return File{}, errs.Invalid(errs.BodyField("enum", "must be pdf, docx, html, md or txt", "format"))
	}
	if len(c.HTML) > MaxContent || len(c.Text) > MaxContent {
		return File{}, errs.New(errs.TooLarge, "content to export may have %d MiB of HTML or of text at most", MaxContent>>20)
	}
	doc, err := read(c)
	if err != nil {
		return File{}, err
	}
	doc.fonts = fonts
	var out bytes.Buffer
	if err := kind.write(&out, doc); err != nil {
		return File{}, fmt.Errorf("write %s: %w", format, err)
	}
	return File{out.Bytes(), doc.unseen}, nil
}

// FileName makes a name for the file from the title, in any script, without what file systems or headers could read as syntax.
func FileName(title string, f Format) string {
	clean := strings.Map(func(r rune) rune {
		switch {
		case strings.ContainsRune(`/\:*?"<>|`, r):
			return '-'
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r), r == unicode.ReplacementChar, unicode.Is(unicode.Bidi_Control, r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(title, ""))
	name := strings.Trim(strings.Join(strings.Fields(clean), " "), ". ")
	if letters := []rune(name); len(letters) > maxName {
		name = strings.TrimRight(string(letters[:maxName]), ". ")
	}
	if name == "" {
		name = untitled
	}
	return name + "." + string(f)
}
