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
	for _, b := range bursts(&gateway{}, "") {
		if body, ok := b.request.body.(map[string]any); ok && body["query"] != nil {
			texts[b.name] = body["query"].(string)
		}
	}
	if len(texts) <= len(comparisons)+2 {
		t.Error("no burst is an operation")
	}
	for name, text := range texts {
		if _, errs := gqlparser.LoadQueryWithRules(graph.Schema(), text, nil); len(errs) > 0 {
			t.Errorf("%s: %v", name, errs)
		}
	}
}
