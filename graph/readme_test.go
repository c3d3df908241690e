package graph

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/vektah/gqlparser/v2"
)

var graphBlock = regexp.MustCompile("(?s)```graphql\n(.*?)```")

// TestReadme checks that clients can send the operations of the README and of the pages in docs.
func TestReadme(t *testing.T) {
	t.Parallel()
	pages, err := filepath.Glob("../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range append(pages, "../README.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		blocks := graphBlock.FindAllStringSubmatch(string(text), -1)
		if len(blocks) == 0 && filepath.Base(page) == "README.md" {
			t.Error("the README has no operations")
		}
		for _, block := range blocks {
			if _, errs := gqlparser.LoadQueryWithRules(Schema(), block[1], nil); len(errs) > 0 {
				t.Errorf("%s: %v\n%s", page, errs, block[1])
			}
		}
	}
}
