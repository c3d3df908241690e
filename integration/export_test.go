package integration

import (
	"bytes"
	"net/http"
	"strings"
	"testing"

	"rostrum/testkit"
)

// TestExport_reports_missing_glyphs checks the response header for characters that no font has.
func TestExport_reports_missing_glyphs(t *testing.T) {
	testkit.NeedFonts(t)
	testkit.EachStack(t, func(t *testing.T, a *testkit.App) {
		for text, want := range map[string]string{"Tibetan ཀ": "U+0F40", "हिन्दी ไทย 日本 مرحبا 🎉": ""} {
			file := a.Do(t, http.MethodPost, "/api/v1/content-creation/export", nil, `{"content_text": "`+text+`"}`)
			got := file.Header.Get("X-Export-Warning")
			if file.Status != http.StatusOK || !bytes.HasPrefix(file.Body, []byte("%PDF-")) || !strings.HasSuffix(got, want) || (want == "") != (got == "") {
				t.Errorf("%s: %d, %q", text, file.Status, got)
			}
		}
	})
}
