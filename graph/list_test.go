package graph

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"
)

var (
	boundWords    = regexp.MustCompile(`(?i)\b(at most|all)\b`)
	pageArguments = []string{"first", "last", "limit"}
)

// TestLists checks that each list without pages states its greatest length, or that it has all of
// something.
func TestLists(t *testing.T) {
	t.Parallel()
	lists := 0
	for _, def := range Schema().Types {
		if def.Kind != ast.Object || strings.HasPrefix(def.Name, "__") || strings.HasSuffix(def.Name, "Connection") {
			continue
		}
		for _, field := range def.Fields {
			isPage := slices.ContainsFunc(pageArguments,
				func(name string) bool { return field.Arguments.ForName(name) != nil })
			if field.Type.Elem == nil || isPage || strings.HasPrefix(field.Name, "__") {
				continue
			}
			if lists++; !boundWords.MatchString(field.Description) {
				t.Errorf("the description of the list %s.%s has neither its bound nor the word all: %s", def.Name,
					field.Name, field.Description)
			}
		}
	}
	if lists < 100 {
		t.Errorf("the schema has %d lists, which cannot be all", lists)
	}
}
