package main

import (
	"slices"
	"testing"
)

func TestCounts(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]counts{"16": {16}, "16,64": {16, 64}, "": nil, "0": nil, "16,": nil, "a": nil} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			var c counts
			err := c.Set(text)
			if (err == nil) != (want != nil) {
				t.Errorf("Set(%q) gives %v", text, err)
			}
			if err == nil && (!slices.Equal(c, want) || c.String() != text) {
				t.Errorf("%q is read as %v and written as %q", text, c, c.String())
			}
		})
	}
}
