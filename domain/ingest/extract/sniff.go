package extract

import (
	"bytes"
	"mime"
	"path"
	"regexp"
	"strings"

	"github.com/gabriel-vasile/mimetype"

	"rostrum/model"
)

// sourceFormat is the kind, the media type and the file extension of the bytes.
type sourceFormat struct{ kind, media, extension string }

var (
	markup      = regexp.MustCompile(`(?i)<(!doctype html|html|head|body|title|meta|div|p|article|section|main|h1|span|table)[\s>/]`)
	xhtmlRoot   = regexp.MustCompile(`(?i)<html[^>]*xmlns|<!doctype html`)
	markdownish = regexp.MustCompile("(?m)^(#{1,6} \\S|```|[-*+] \\S|\\d+\\. \\S|> \\S|\\|.*\\|$|={3,}$|-{3,}$)|\\[[^\\]\n]+\\]\\([^)\n]+\\)|\\*\\*[^*\n]+\\*\\*")
)

// detectFormat detects the format by the bytes. The header, the name and the client's declaration
// decide only between kinds with the same bytes.
func detectFormat(source Source) sourceFormat {
	found := mimetype.Detect(source.Body)
	if found.Is("application/octet-stream") || utf16Name(source.Body) != "" {
		source.Body = textStart(source)
		found = mimetype.Detect(source.Body)
	}
	media, _, _ := mime.ParseMediaType(found.String())
	f := sourceFormat{media: media, extension: found.Extension()}
	header, _, _ := mime.ParseMediaType(source.MediaType)
	switch {
	case found.Is("application/pdf") || bytes.Contains(source.Body[:min(len(source.Body), 1024)], []byte("%PDF-")):
		f.kind = "pdf"
	case found.Is("application/vnd.openxmlformats-officedocument.wordprocessingml.document"):
		f.kind = "docx"
	case officeKinds[media] != "":
		f.kind = officeKinds[media]
	case found.Is("application/zip"):
		f = zipFormat(source.Body, f)
	case found.Is("text/rtf"):
		f.kind = "rtf"
	case found.Is("message/rfc822") || isMail(source, found, header):
		f = sourceFormat{Mail, "message/rfc822", ".eml"}
	case found.Is("image/svg+xml"):
	case strings.HasPrefix(media, "image/"):
		f.kind = "image"
	case strings.HasPrefix(media, "audio/") || strings.HasPrefix(media, "video/") || found.Is("application/ogg"):
		f.kind = "audio"
	case isText(found):
		f.kind = textKind(source, media, header)
	}
	return f
}

// officeKinds are the kinds of office files by their media types.
var officeKinds = map[string]string{
	"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet":         "xlsx",
	"application/vnd.openxmlformats-officedocument.presentationml.presentation": "pptx",
	"application/vnd.oasis.opendocument.text":                                   "odt",
}

// isMail reports whether a text that is no evident mail is called one.
func isMail(source Source, found *mimetype.MIME, header string) bool {
	return isText(found) && (header == "message/rfc822" || strings.EqualFold(path.Ext(source.Filename), ".eml"))
}

// textStart returns the start of a text in UTF-8 without its control characters, because one would
// make it a binary file. It returns other sources unchanged.
func textStart(source Source) []byte {
	start := source.Body[:min(len(source.Body), 8192)]
	if names := declaredEncodings(start, source.MediaType, false); len(names) > 0 &&
		strings.HasPrefix(strings.ToLower(names[0]), "utf-16") {
		start = []byte(decodeText(start, source.MediaType, false))
	}
	controls := 0
	text := bytes.Map(func(r rune) rune {
		if r < ' ' && r != '\t' && r != '\n' && r != '\r' {
			controls++
			return ' '
		}
		return r
	}, start)
	if controls > 1+len(start)/maxControls {
		return source.Body
	}
	return text
}

// maxControls is the share of control characters in a text: at most one in so many. Compressed data
// has one in nine.
const maxControls = 50

func isText(m *mimetype.MIME) bool {
	for ; m != nil; m = m.Parent() {
		if m.Is("text/plain") {
			return true
		}
	}
	return false
}

// textKind distinguishes web pages, Markdown, lists, subtitles and plain text, and returns "" for other
// data formats.
func textKind(source Source, media, header string) string {
	start := source.Body[:min(len(source.Body), 4096)]
	suffix := strings.ToLower(path.Ext(source.baseName()))
	saysHTML := strings.Contains(header, "html") || suffix == ".html" || suffix == ".htm" || suffix == ".xhtml" ||
		source.Declared == model.IngestContentTypeWebpage
	saysText := header == "text/plain" || header == "text/markdown" || header == "text/x-markdown" ||
		textSuffixes[suffix]
	switch {
	case media == "text/html" && !(saysText && !saysHTML && !markup.Match(start)):
		return "webpage"
	case media == "text/xml" || media == "application/xml" || media == "application/xhtml+xml":
		if xhtmlRoot.Match(start) {
			return "webpage"
		}
		return ""
	case saysHTML && markup.Match(source.Body):
		return "webpage"
	case media == "text/vtt":
		return "vtt"
	case media == "application/x-subrip" && (suffix == ".srt" || !saysText):
		return "srt"
	case suffix == ".csv" || suffix == ".tsv" || header == "text/csv" || header == "text/tab-separated-values":
		return "csv"
	case media == "text/csv" || media == "text/tab-separated-values":
		if !saysText {
			return "csv"
		}
	case media != "text/plain" && media != "text/vtt" && media != "application/x-subrip":
		return ""
	}
	if suffix == ".json" || header == "application/json" {
		return ""
	}
	if isMarkdown(source.Body, header, suffix) {
		return "markdown"
	}
	return "text"
}

var textSuffixes = map[string]bool{".txt": true, ".text": true, ".md": true, ".markdown": true, ".mdown": true,
	".mkd": true}

func isMarkdown(body []byte, header, suffix string) bool {
	if header == "text/markdown" || header == "text/x-markdown" || textSuffixes[suffix] && suffix != ".txt" &&
		suffix != ".text" {
		return true
	}
	if suffix == ".txt" || suffix == ".text" {
		return false
	}
	marks := map[byte]bool{}
	hits := markdownish.FindAll(body[:min(len(body), 20000)], 50)
	for _, hit := range hits {
		marks[hit[0]] = true
	}
	return len(hits) >= 3 && len(marks) >= 2
}

// baseName returns the file's name, or the last part of the address.
func (s Source) baseName() string {
	if s.Filename != "" {
		return s.Filename
	}
	base, _, _ := strings.Cut(s.URL, "?")
	base, _, _ = strings.Cut(base, "#")
	return path.Base(base)
}
