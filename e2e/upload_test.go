package e2e

import (
	"bytes"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"
)

// checkUploads sends files to the route that returns their text.
func (g *gateway) checkUploads(t *testing.T) {
	pdf := newPDF(t, 3)
	got := g.upload(t, "report.pdf", pdf.body)
	var read struct{ Content, Filename string }
	decode(t, got.body, &read)
	if got.status != http.StatusOK || read.Filename != "report.pdf" || !strings.Contains(read.Content, pdf.wantText) {
		t.Errorf("a PDF returns %d: %s", got.status, got.body)
	}
	for name, r := range map[string]struct {
		body   []byte
		status int
		code   string
	}{
		"unreadable.bin": {[]byte("\x00\x01\x02\x03\xfe\xff\x00\x10"), http.StatusUnsupportedMediaType, "unsupported_media_type"},
		"large.txt":      {bytes.Repeat([]byte("large "), 9<<20), http.StatusRequestEntityTooLarge, "too_large"},
	} {
		got := g.upload(t, name, r.body)
		var read problemDocument
		decode(t, got.body, &read)
		if got.status != r.status || read.Code != r.code {
			t.Errorf("%s returns %d, want %d %s: %s", name, got.status, r.status, r.code, got.body)
		}
	}
}

// upload sends a file as a browser's form does.
func (g *gateway) upload(t *testing.T, name string, body []byte) answer {
	t.Helper()
	var form bytes.Buffer
	writer := multipart.NewWriter(&form)
	part, err := writer.CreateFormFile("file", name)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = part.Write(body)
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	header := http.Header{"Content-Type": {writer.FormDataContentType()}}
	return g.do(t, http.MethodPost, "/api/v1/documents/extract-text", header, form.Bytes())
}
