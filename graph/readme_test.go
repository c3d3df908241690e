package graph

import (
	"os"
	"regexp"
	"testing"

	"github.com/vektah/gqlparser/v2"
)

var graphBlock = regexp.MustCompile("(?s)```graphql\n(.*?)```")

// TestReadme checks that clients can send the operations of the README.
func TestReadme(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := graphBlock.FindAllStringSubmatch(string(text), -1)
	if len(blocks) == 0 {
		t.Error("the README has no operations")
	}
	for _, block := range blocks {
		if _, errs := gqlparser.LoadQueryWithRules(Schema(), block[1], nil); len(errs) > 0 {
			t.Errorf("%v\n%s", errs, block[1])
		}
	}
}
