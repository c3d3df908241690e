// Package export writes content as a PDF, DOCX, HTML, Markdown or plain text file. It makes no network requests.
package export

import (
	"context"
	"fmt"
	"strings"
	"unicode"

	"rostrum/errs"
)

// Format is a file format, named by its usual file extension.
type Format string

// The supported formats.
const (
	PDF      Format = "pdf"
	DOCX     Format = "docx"
	HTML     Format = "html"
	Markdown Format = "md"
	Text     Format = "txt"
)

// MaxContent is the maximum number of bytes of HTML and of text.
const MaxContent = 6 << 20

// maxFileName is the maximum number of characters of a file name without its extension.
const maxFileName = 80

// Content is the content to export. HTML takes precedence over Text. A Title becomes a heading above the content.
type Content struct {
	Title       string
	HTML, Text  string
	ContentType string
	TonePersona string
	Themes      []string
}

// formatWriter is the media type and the writer of a format.
type formatWriter struct {
	media string
	write func(*fileBuffer, *document) error
}

var formatWriters = map[Format]formatWriter{
	PDF:      {"application/pdf", writePDF},
	DOCX:     {"application/vnd.openxmlformats-officedocument.wordprocessingml.document", writeDOCX},
	HTML:     {"text/html; charset=utf-8", writeHTML},
	Markdown: {"text/markdown; charset=utf-8", writeMarkdown},
	Text:     {"text/plain; charset=utf-8", writeText},
}

// MediaType returns the format's media type, with the charset of text formats, and "" for an unknown format.
func (f Format) MediaType() string { return formatWriters[f].media }

// File is an exported file.
type File struct {
	Data []byte
	// MissingGlyphs are the characters that no font has, in order. The file shows them as boxes, and they can still be copied from it.
	MissingGlyphs []rune
	// OmittedImages are the addresses of the images that the file does not have, in order.
	OmittedImages []string
}

// Make writes the content as a file of the format. The same content produces the same bytes. It returns errs.TooLarge for content over
// MaxContent and for a file over 64 MiB, errs.ValidationFailed for an unknown format, for HTML that nests too deeply and for tables with too
// many cells, and the context's cause after its end.
func Make(ctx context.Context, format Format, c Content, fonts *Fonts) (File, error) {
	writer, ok := formatWriters[format]
	if !ok {
		return File{}, errs.Invalid(errs.BodyField("enum", "must be pdf, docx, html, md or txt", "format"))
	}
	if len(c.HTML) > MaxContent || len(c.Text) > MaxContent {
		return File{}, errs.New(errs.TooLarge, "content to export may have at most %d MiB of HTML or text", MaxContent>>20)
	}
	doc, err := parseContent(ctx, c)
	if err != nil {
		return File{}, err
	}
	doc.fonts = fonts
	out := newFileBuffer(ctx)
	err = writer.write(out, doc)
	if out.err != nil {
		err = out.err
	}
	if err != nil {
		return File{}, fmt.Errorf("write %s: %w", format, err)
	}
	return File{out.buffer.Bytes(), doc.missing, doc.images}, nil
}

// FileName returns a file name from the title, in any script, without characters that are syntax in file systems or headers.
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
	if letters := []rune(name); len(letters) > maxFileName {
		name = strings.TrimRight(string(letters[:maxFileName]), ". ")
	}
	if name == "" {
		name = untitled
	}
	return name + "." + string(f)
}
