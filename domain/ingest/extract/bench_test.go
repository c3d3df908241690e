package extract

import (
	"testing"

	"rostrum/bench/quality"
)

// BenchmarkText_page extracts the labelled pages in turn, traps included: the time of one operation is that of one page.
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
		// A trap is an error here, which takes time as a text does.
		_, _ = x.Text(b.Context(), Source{Body: page.Raw, URL: page.URL, MediaType: page.MediaType})
	}
}
