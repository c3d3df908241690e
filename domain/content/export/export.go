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

// Content is the content to export. HTML takes precedence over Text. A Title becomes a heading
// above the content.
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
	write func(*fileBuffer, *Document) error
}

var formatWriters = map[Format]formatWriter{
	PDF:      {"application/pdf", writePDF},
	DOCX:     {"application/vnd.openxmlformats-officedocument.wordprocessingml.document", writeDOCX},
	HTML:     {"text/html; charset=utf-8", writeHTML},
	Markdown: {"text/markdown; charset=utf-8", writeMarkdown},
	Text:     {"text/plain; charset=utf-8", writeText},
}

// MediaType returns the format's media type, with the charset of text formats, and "" for an
// unknown format.
func (f Format) MediaType() string { return formatWriters[f].media }

// File is an exported file.
type File struct {
	Data []byte
	// MissingGlyphs are the characters that no font has, in order. The file shows them as boxes,
	// and they can still be copied from it.
	MissingGlyphs []rune
	// OmittedImages are the addresses of the images that the file does not have, or their
	// alternative texts without an address, in order.
	OmittedImages []string
}

// Parse reads the content for a file of the format. It returns errs.TooLarge for content over
// MaxContent, errs.ValidationFailed for an unknown format, for HTML that nests too deeply and for
// tables with too many cells, and the context's cause after its end.
func Parse(ctx context.Context, format Format, c Content) (*Document, error) {
	if _, ok := formatWriters[format]; !ok {
		return nil, errs.Invalid(errs.BodyField("enum", "must be pdf, docx, html, md or txt", "format"))
	}
	if len(c.HTML) > MaxContent || len(c.Text) > MaxContent {
		return nil, errs.New(errs.TooLarge, "content to export may have at most %d MiB of HTML or text", MaxContent>>20)
	}
	doc, err := parseContent(ctx, c)
	if err != nil {
		return nil, err
	}
	doc.format, doc.limit = format, maxFile
	return doc, nil
}

// Size returns the number of bytes of the content and its images, which the time of Write depends
// on.
func (d *Document) Size() int { return len(d.meta.HTML) + len(d.meta.Text) + d.imageBytes() }

// Write writes the file. The same document produces the same bytes. It returns errs.TooLarge for a
// file over 64 MiB, and the context's cause after its end.
func (d *Document) Write(ctx context.Context, fonts *Fonts) (File, error) {
	omitted, err := d.readPictures(ctx)
	if err != nil {
		return File{}, err
	}
	d.fonts = fonts
	out := newFileBuffer(ctx, d.limit)
	err = formatWriters[d.format].write(out, d)
	if out.err != nil {
		err = out.err
	}
	if err != nil {
		return File{}, fmt.Errorf("write %s: %w", d.format, err)
	}
	return File{out.buffer.Bytes(), d.missing, append(omitted, d.undecoded...)}, nil
}

// FileName returns a file name from the title, in any script, without characters that are syntax in
// file systems or headers.
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
