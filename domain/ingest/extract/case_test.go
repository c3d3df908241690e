package extract

import (
	"errors"
	"flag"
	"fmt"
	"mime"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the texts of the files in testdata/cases")

// mediaTypes are headers of files, by name, that a server sends with more than the type.
var mediaTypes = map[string]string{
	"C13-late-meta.html":     "text/html",
	"utf16-without-mark.htm": "text/html; charset=utf-16le",
}

// TestText_cases extracts the files of testdata/cases, one folder for each kind of fault that
// readers had. Beside each file is the whole text that is right.
func TestText_cases(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/cases/*/*")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range files {
		if filepath.Ext(file) == ".golden" {
			continue
		}
		t.Run(strings.TrimPrefix(file, "testdata/cases/"), func(t *testing.T) {
			t.Parallel()
			got, golden := caseText(t, file), file+".golden"
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("want -, got +:\n%s", diff)
			}
		})
	}
}

// caseText returns the result for a file as a golden file has it.
func caseText(t *testing.T, file string) string {
	t.Helper()
	body, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Base(file)
	media := mediaTypes[name]
	if media == "" {
		media = mime.TypeByExtension(filepath.Ext(name))
	}
	got, err := New(Config{}).Text(t.Context(), Source{Body: body, Filename: name, MediaType: media})
	if failure, ok := errors.AsType[*Failure](err); ok {
		return fmt.Sprintf("%s: %s\n", failure.Code, failure.Message)
	}
	if err != nil {
		t.Fatal(err)
	}
	published := ""
	if got.Published != nil {
		published = got.Published.Format(time.RFC3339)
	}
	return fmt.Sprintf("%s\ntitle: %s\npublished: %s\n\n%s\n", got.ContentType, got.Title, published, got.Content)
}
