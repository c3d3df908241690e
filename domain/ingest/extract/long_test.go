package extract

import (
	"fmt"
	"strings"
	"testing"

	"rostrum/model"
)

// TestText_a_very_long_page_is_read_whole checks that a page too long for the extractors is read
// from its first paragraph to its last, without its menu.
func TestText_a_very_long_page_is_read_whole(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		sentences int
		gap       string
	}{"many paragraphs": {3500, "</p><p>"}, "one paragraph": {14_000, "<br>"}} {
		var b strings.Builder
		b.WriteString(`<html><title>Long</title><body><nav><a href="/a">Home of the site</a></nav><article><p>`)
		for i := range c.sentences {
			fmt.Fprintf(&b, "The quick brown fox number %d jumps over the lazy dog near the river bank today.%s", i,
				c.gap)
		}
		b.WriteString("</p></article></body></html>")
		got, err := New(Config{}).Text(t.Context(),
			Source{Body: []byte(b.String()), MediaType: "text/html", Declared: model.IngestContentTypeWebpage})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !strings.HasPrefix(got.Content, "The quick brown fox number 0 ") ||
			!strings.Contains(got.Content, fmt.Sprintf("number %d jumps", c.sentences-1)) ||
			strings.Contains(got.Content, "Home of the site") {
			t.Errorf("%s: %d bytes, from %.40q", name, len(got.Content), got.Content)
		}
	}
}
