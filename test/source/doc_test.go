package source_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// namedPath matches a path in backquotes, such as `graph/edge.go`, `app/` or `main.go`.
var namedPath = regexp.MustCompile("`([A-Za-z0-9_.-]+/[A-Za-z0-9_./-]*|[a-z]+\\.(?:go|yml|graphqls))`")

// TestArchitecture_names_existing_paths checks the files and folders of the pages for developers.
// `job.go` and `store.go` alone are names that packages share.
func TestArchitecture_names_existing_paths(t *testing.T) {
	for _, page := range []string{"ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md"} {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		folder := ""
		for _, match := range namedPath.FindAllStringSubmatch(string(text), -1) {
			path := match[1]
			if path == "job.go" || path == "store.go" || path == "doc.go" || path == "model/TASK" {
				continue
			}
			if _, err := os.Stat(path); err == nil {
				folder = path // the folders inside it may follow, as in `llm/`, `server/`
			} else if _, err := os.Stat(strings.TrimSuffix(folder, "/") + "/" + path); err != nil {
				t.Errorf("%s names %s, which does not exist", page, path)
			}
		}
	}
}
