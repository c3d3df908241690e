package export

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"golang.org/x/net/html"
	"golang.org/x/text/unicode/norm"
)

// normalizeText removes white space and direction marks that readers add, and orders combining
// marks as NFC does.
func normalizeText(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.Is(unicode.Bidi_Control, r) {
			return -1
		}
		return r
	}, norm.NFC.String(text))
}

// formatReaders extract the text of each format with other libraries than the writers use.
var formatReaders = map[string]func(*testing.T, []byte) string{
	"pdf": readPDF, "pdf by poppler": readPoppler, "docx": readDOCX, "html": readPage, "md": readMarkdownFile,
	"txt": func(_ *testing.T, data []byte) string { return string(data) },
}

func formatOf(reader string) Format { return Format(strings.Fields(reader)[0]) }

func readPoppler(t *testing.T, data []byte) string { return runPoppler(t, data) }

// needPoppler skips the test without a program of poppler. With ROSTRUM_TEST_REQUIRE set, as in CI,
// it fails the test.
func needPoppler(t *testing.T, program string) {
	t.Helper()
	_, err := exec.LookPath(program)
	if err != nil && os.Getenv("ROSTRUM_TEST_REQUIRE") != "" {
		t.Fatal(err)
	}
	if err != nil {
		t.Skip("poppler is not installed; pdfium reads the text of the same files")
	}
}

// runPoppler returns what pdftotext prints for a file with the options.
func runPoppler(t *testing.T, data []byte, options ...string) string {
	t.Helper()
	needPoppler(t, "pdftotext")
	run := exec.Command("pdftotext", append(options, "-enc", "UTF-8", "-", "-")...)
	run.Stdin = bytes.NewReader(data)
	out, err := run.Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func readDOCX(t *testing.T, data []byte) string {
	t.Helper()
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for _, part := range archive.File {
		if strings.HasPrefix(part.Name, "word/media/") {
			continue
		}
		file, err := part.Open()
		if err != nil {
			t.Fatal(err)
		}
		text := wordText(t, part.Name, file)
		if part.Name == "word/document.xml" {
			out.WriteString(text)
		}
	}
	return out.String()
}

// wordText reads every part of the archive, so that invalid XML fails the test.
func wordText(t *testing.T, name string, part io.Reader) string {
	t.Helper()
	var out strings.Builder
	decoder := xml.NewDecoder(part)
	inside := false
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return out.String()
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			inside = token.Name.Local == "t"
		case xml.EndElement:
			inside = false
		case xml.CharData:
			if inside {
				out.Write(token)
			}
		}
	}
}

func readPage(t *testing.T, data []byte) string {
	t.Helper()
	page, err := html.Parse(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	for n := range page.Descendants() {
		if n.Data == "body" {
			return nodeText(n)
		}
	}
	return ""
}

func readMarkdownFile(t *testing.T, data []byte) string {
	t.Helper()
	var page bytes.Buffer
	if err := goldmark.New(goldmark.WithExtensions(extension.Table)).Convert(data, &page); err != nil {
		t.Fatal(err)
	}
	return readPage(t, page.Bytes())
}

// makeFile writes content as a file without remote images.
func makeFile(ctx context.Context, format Format, c Content, fonts *Fonts) (File, error) {
	return makeSmallFile(ctx, format, c, fonts, maxFile)
}

// makeSmallFile writes a file of at most limit bytes.
func makeSmallFile(ctx context.Context, format Format, c Content, fonts *Fonts, limit int) (File, error) {
	doc, err := Parse(ctx, format, c)
	if err != nil {
		return File{}, err
	}
	doc.limit = limit
	return doc.Write(ctx, fonts)
}
