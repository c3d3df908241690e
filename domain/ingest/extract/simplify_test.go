package extract

import (
	"strings"
	"testing"
)

// TestText_struck_out checks that text which a page strikes out is not extracted.
func TestText_struck_out(t *testing.T) {
	t.Parallel()
	const page = `<html><body><article><h1>Results</h1><p>The loss was <del>£0.9 million</del> <s>£1.0 million</s> £1.4 million in the last year, said the firm in its report to the shareholders.</p><p><strike>The depot stays open.</strike> The depot closes in June, and the crews move to the new site by the river.</p></article></body></html>`
	got, err := extractWebpage(Source{Body: []byte(page), URL: "https://example.com/", MediaType: "text/html"})
	if err != nil {
		t.Fatal(err)
	}
	for words, want := range map[string]bool{"£1.4 million": true, "closes in June": true, "0.9": false, "1.0": false,
		"stays open": false} {
		if strings.Contains(got.Content, words) != want {
			t.Errorf("%q: %t in %q", words, !want, got.Content)
		}
	}
}
