package extract

import (
	"testing"

	"rostrum/model"
	"rostrum/testkit/hostile"
)

// TestText_time_is_linear reads files with many equal parts in two sizes.
func TestText_time_is_linear(t *testing.T) {
	kinds := []struct {
		files  []hostile.Sized
		source Source
		sizes  []int
	}{
		{hostile.Pages, Source{MediaType: "text/html", Declared: model.IngestContentTypeWebpage}, []int{150, 3000}},
		{hostile.Documents, Source{Filename: "a.docx"}, []int{2000}},
	}
	for _, kind := range kinds {
		for _, file := range kind.files {
			t.Run(file.Name, func(t *testing.T) {
				for _, size := range kind.sizes {
					hostile.CheckGrowth(t, size, func(size int) func() {
						source := kind.source
						source.Body = file.Make(size)
						return func() {
							if output := performTask(t.Context(), fileTask{Source: source}); output.Panic != "" {
								t.Fatal(output.Panic)
							}
						}
					})
				}
			})
		}
	}
}
