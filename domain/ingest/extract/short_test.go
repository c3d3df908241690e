package extract_test

import (
	"strings"
	"testing"

	"rostrum/domain/ingest/extract"
)

// TestText_short reads pages of a sentence or two, and lines that only say where a text was written.
func TestText_short(t *testing.T) {
	t.Parallel()
	const body = "<p>The harbour of the city opens in May after three years of work, said the mayor on Monday in the town hall.</p>" +
		"<p>The work cost forty million francs, of which the canton paid one half and the city the other one, as it said.</p>"
	for page, want := range map[string]string{
		"<p>We open in May.</p>": "We open in May.",
		"We open in May.":        "We open in May.",
		"<p>ZURICH, 3 March 2026 –</p><p>We open in May.</p>":   "ZURICH, 3 March 2026 –\n\nWe open in May.",
		"<h1>Harbour</h1><p>ZURICH, 3 March 2026 –</p>" + body:  "# Harbour\n\nZURICH, 3 March 2026 –\n\nThe harbour",
		"<h1>Harbour</h1><p>Zürich, 3. März 2026</p>" + body:    "# Harbour\n\nThe harbour",
		"<h1>Harbour</h1><p>3 March 2026</p>" + body:            "# Harbour\n\nThe harbour",
		"<div>Loading...</div>":                                 "",
		"<h1>404 Not Found</h1><p>nginx</p>":                    "",
		"<nav><p>We open in May.</p></nav>":                     "",
		"<p><a href=/x>All that you need to know here.</a></p>": "",
	} {
		got, err := extract.New(extract.Config{}).Text(t.Context(), extract.Source{
			Body: []byte("<html><head><title>News</title></head><body>" + page + "</body></html>"), URL: "https://example.com/a",
			MediaType: "text/html"})
		content := ""
		if err == nil {
			content = got.Content
		}
		if !strings.HasPrefix(content, want) || want == "" && content != "" {
			t.Errorf("%s: %q, %v", page, content, err)
		}
	}
}
