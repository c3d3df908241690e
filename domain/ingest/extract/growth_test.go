package extract

import (
	"testing"

	"rostrum/model"
	"rostrum/testkit/hostile"
)

// TestText_time_is_linear reads files with many equal parts in two sizes. The pages are too long for the extractors of the libraries, whose
// time grows faster.
func TestText_time_is_linear(t *testing.T) {
	kinds := []struct {
		files  []hostile.Sized
		source Source
		size   int
	}{
		{hostile.Pages, Source{MediaType: "text/html", Declared: model.IngestContentTypeWebpage}, 3001},
		{hostile.Documents, Source{Filename: "a.docx"}, 10_000},
	}
	for _, kind := range kinds {
		for _, file := range kind.files {
			t.Run(file.Name, func(t *testing.T) {
				t.Parallel()
				hostile.CheckGrowth(t, kind.size, func(size int) func() {
					source := kind.source
					source.Body = file.Make(size)
					return func() {
						if output := performTask(t.Context(), fileTask{Source: source}); output.Panic != "" {
							t.Error(output.Panic)
						}
					}
				})
			})
		}
	}
}
