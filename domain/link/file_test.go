package link

import (
	"strings"
	"testing"

	"rostrum/model"
)

// TestServedType checks that a page of this origin can load no file of a link as a script.
func TestServedType(t *testing.T) {
	t.Parallel()
	for stored, want := range map[string]string{
		"image/png": "image/png", "text/plain; charset=utf-8": "text/plain; charset=utf-8",
		"application/pdf": "application/pdf", "text/html": "", "text/html; charset=utf-8": "", "image/svg+xml": "",
		"text/javascript": "", "application/javascript": "", "TEXT/JAVASCRIPT": "", "application/x-javascript": "",
		"text/xml": "", "text/css": "", "application/xhtml+xml": "", "application/wasm": "", "": "",
		"text/plain;x,text/javascript": "", "text/plain, text/javascript": "",
	} {
		f := &model.LinkFile{Name: "a", MediaType: stored}
		got := servedType(f)
		if want == "" {
			want = "application/octet-stream"
		}
		isInline := strings.HasPrefix(contentDisposition(f, got), "inline")
		if got != want || isInline != (want != "application/octet-stream") {
			t.Errorf("%q is served as %q, inline: %t", stored, got, isInline)
		}
	}
}
