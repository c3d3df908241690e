package extract

import (
	"testing"

	"rostrum/test/bench/quality"
)

// BenchmarkText_page extracts the labeled pages one after the other, walls included: an operation
// is one page.
func BenchmarkText_page(b *testing.B) {
	files, err := quality.Set()
	if err != nil {
		b.Fatal(err)
	}
	pages, err := quality.Load(files)
	if err != nil {
		b.Fatal(err)
	}
	x := New(Config{})
	for i := 0; b.Loop(); i++ {
		page := pages[i%len(pages)]
		// A wall returns an error here, which takes as long as a text.
		_, _ = x.Text(b.Context(), Source{Body: page.Raw, URL: page.URL, MediaType: page.MediaType})
	}
}
