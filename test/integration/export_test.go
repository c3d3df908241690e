package integration

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/png"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"rostrum/test/kit"
)

// TestExport_reports_missing_glyphs checks the response header for characters that no font has.
func TestExport_reports_missing_glyphs(t *testing.T) {
	kit.NeedFonts(t)
	kit.EachStack(t, func(t *testing.T, a *kit.App) {
		for text, want := range map[string]string{"Tibetan ཀ": "U+0F40", "हिन्दी ไทย 日本 مرحبا 🎉": ""} {
			file := a.Do(t, http.MethodPost, "/api/v1/content-creation/export", nil, `{"content_text": "`+text+`"}`)
			got := file.Header.Get("X-Export-Warning")
			if file.Status != http.StatusOK || !bytes.HasPrefix(file.Body, []byte("%PDF-")) ||
				!strings.HasSuffix(got, want) || (want == "") != (got == "") {
				t.Errorf("%s: %d, %q", text, file.Status, got)
			}
		}
	})
}

// TestExport_loads_images exports remote images: those that the server has are embedded, and the
// header names the others.
func TestExport_loads_images(t *testing.T) {
	var drawn bytes.Buffer
	if err := png.Encode(&drawn, image.NewGray(image.Rect(0, 0, 3, 2))); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/plant.png" {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write(drawn.Bytes())
	}))
	t.Cleanup(server.Close)
	embedded := "![the plant](data:image/png;base64," + base64.StdEncoding.EncodeToString(drawn.Bytes()) + ")"
	kit.EachStack(t, func(t *testing.T, a *kit.App) {
		source := strings.ReplaceAll("![the plant](URL/plant.png) ![the lost one](URL/gone.png) ![a private one](http://10.0.0.1/x.png)", "URL", server.URL)
		file := a.Do(t, http.MethodPost, "/api/v1/content-creation/export", nil,
			`{"format": "md", "content_type": "markdown", "content_text": "`+source+`"}`)
		if got, want := string(file.Body), embedded+" the lost one a private one\n"; file.Status != http.StatusOK ||
			got != want {
			t.Errorf("%d: %s, want %s", file.Status, got, want)
		}
		if got, want := file.Header.Get("X-Export-Warning"), "the file does not have these images: "+server.URL+
			"/gone.png, http://10.0.0.1/x.png"; got != want {
			t.Errorf("the warning is %q, want %q", got, want)
		}
	})
}
