package export

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the files of testdata")

// TestCases exports the texts of testdata as Markdown, plain text and the body of a page, and
// compares the whole files.
func TestCases(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*.*")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range files {
		if filepath.Ext(file) == ".golden" {
			continue
		}
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			content := Content{Text: string(text), ContentType: "markdown"}
			if filepath.Ext(file) == ".html" {
				content = Content{HTML: string(text)}
			}
			var got strings.Builder
			for _, format := range []Format{Markdown, Text, HTML} {
				data, err := writeBytes(format, content)
				if err != nil {
					t.Fatal(err)
				}
				_, body, page := strings.Cut(string(data), "<body>\n")
				if page {
					data = []byte(strings.TrimSuffix(body, "</body>\n</html>\n"))
				}
				got.WriteString("-- " + string(format) + " --\n" + string(data))
			}
			golden := file + ".golden"
			if *update {
				if err := os.WriteFile(golden, []byte(got.String()), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got.String()); diff != "" {
				t.Errorf("want -, got +:\n%s", diff)
			}
		})
	}
}
