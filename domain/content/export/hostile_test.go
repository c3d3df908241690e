package export

import (
	"context"
	"errors"
	"testing"
	"time"

	"rostrum/errs"
	"rostrum/test/kit/hostile"
)

// TestMake_time_is_linear exports content with many equal parts in two sizes.
func TestMake_time_is_linear(t *testing.T) {
	t.Parallel()
	for format := range formatWriters {
		for _, content := range hostile.Contents {
			t.Run(string(format)+"/"+content.Name, func(t *testing.T) {
				t.Parallel()
				size := 300
				if content.Name == "table" && (format == HTML || format == DOCX) { // work for each pair of rows is fast
					size = 10_000
				}
				hostile.CheckGrowth(t, size, func(size int) func() {
					c := Content{HTML: string(content.Make(size))}
					return func() {
						if _, err := makeFile(t.Context(), format, c, installedFonts); err != nil {
							t.Error(err)
						}
					}
				})
			})
		}
	}
}

// TestMake_hostile_content exports content that would become a file of many times the limit, which
// is lower here, as memory for files of the standard limit takes most of the time.
func TestMake_hostile_content(t *testing.T) {
	t.Parallel()
	const limit = 8 << 20
	for _, c := range []struct {
		name    string
		html    []byte
		want    errs.Code // of all formats that do not write less
		succeed []Format
	}{
		{"spanning cells", hostile.SpanningCells(3000), errs.ValidationFailed, nil},
		{"ragged table", hostile.RaggedTable(1000, 1000), errs.ValidationFailed, nil},
		{"wide table", hostile.WideTable(12_500, 700), errs.TooLarge, []Format{PDF, DOCX, HTML, Markdown}},
		{"long link", hostile.LongLink(12_500, 1000), errs.TooLarge, []Format{Text}},
	} {
		for format := range formatWriters {
			t.Run(c.name+"/"+string(format), func(t *testing.T) {
				t.Parallel()
				want := c.want
				for _, f := range c.succeed {
					if f == format {
						want = ""
					}
				}
				file, err := makeSmallFile(t.Context(), format, Content{HTML: string(c.html)}, installedFonts, limit)
				var got errs.Code
				if err != nil {
					got = errs.From(err).Code
				}
				if got != want || len(file.Data) > limit {
					t.Errorf("%d bytes, %v", len(file.Data), err)
				}
			})
		}
	}
	if _, err := makeFile(t.Context(), Markdown, Content{HTML: string(hostile.LongLink(100_000, 1000))},
		installedFonts); errs.From(err).Code != errs.TooLarge {
		t.Errorf("a file over the standard limit: %v", err)
	}
}

// TestMake_stops_with_its_context cancels exports that take seconds.
func TestMake_stops_with_its_context(t *testing.T) {
	t.Parallel()
	canceled := errors.New("canceled by a user")
	for format := range formatWriters {
		for _, content := range hostile.Contents[:4] {
			ctx, cancel := context.WithCancelCause(t.Context())
			cancel(canceled)
			if _, err := makeFile(ctx, format, Content{HTML: string(content.Make(2000))},
				installedFonts); !errors.Is(err, canceled) {
				t.Errorf("%s, %s: %v", format, content.Name, err)
			}
		}
	}
	ctx, cancel := context.WithTimeoutCause(t.Context(), 200*time.Millisecond, canceled)
	defer cancel()
	if _, err := makeFile(ctx, PDF, Content{HTML: string(hostile.Contents[5].Make(20_000))},
		installedFonts); !errors.Is(err, canceled) {
		t.Errorf("during the export: %v", err)
	}
}
