package main

import (
	"testing"

	"github.com/vektah/gqlparser/v2"

	"rostrum/graph"
)

// TestOperations validates the operations that are measured against the schema that clients see.
func TestOperations(t *testing.T) {
	texts := map[string]string{}
	for _, c := range comparisons {
		texts[c.name] = c.shape.operation()
	}
	texts["search"], texts["facets"] = searchOperation, facetsOperation
	for name, text := range texts {
		if _, errs := gqlparser.LoadQueryWithRules(graph.Schema(), text, nil); len(errs) > 0 {
			t.Errorf("%s: %v", name, errs)
		}
	}
}
