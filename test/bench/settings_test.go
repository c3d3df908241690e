package main

import (
	"slices"
	"testing"
)

func TestCounts(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]countList{"16": {16}, "16,64": {16, 64}, "": nil, "0": nil, "16,": nil,
		"a": nil} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			var c countList
			err := c.Set(text)
			if (err == nil) != (want != nil) {
				t.Errorf("Set(%q) returns %v", text, err)
			}
			if err == nil && (!slices.Equal(c, want) || c.String() != text) {
				t.Errorf("%q is parsed as %v and printed as %q", text, c, c.String())
			}
		})
	}
}
