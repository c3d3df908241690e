package live_test

import (
	"fmt"
	"testing"

	"rostrum/platform/live"
)

// TestSizedCache_limit adds, replaces and reads values, and checks that the bytes stay within the
// limit and that the most recently used values stay.
func TestSizedCache_limit(t *testing.T) {
	t.Parallel()
	c := live.NewSizedCache[string, int](4, 100)
	for i := range 10 {
		c.Add(fmt.Sprint(i), i, 30)
		if c.Bytes() > 100 {
			t.Fatalf("%d bytes after value %d", c.Bytes(), i)
		}
		if _, ok := c.Get("0"); !ok {
			t.Fatalf("value 0 was dropped although it was just used, after value %d", i)
		}
	}
	if c.Len() != 3 || c.Bytes() != 90 {
		t.Errorf("%d values with %d bytes, want 3 with 90", c.Len(), c.Bytes())
	}
	c.Add("0", 5, 10)
	if value, _ := c.Get("0"); value != 5 || c.Bytes() != 70 {
		t.Errorf("the replaced value is %d, and all have %d bytes", value, c.Bytes())
	}
	c.Add("large", 1, 101)
	if _, ok := c.Get("large"); ok || c.Bytes() != 0 {
		t.Errorf("a value above the limit is kept: %t, %d bytes", ok, c.Bytes())
	}
	if _, ok := c.GetOrAdd("new", 7); ok {
		t.Error("a missing value is found")
	}
	if known, ok := c.GetOrAdd("new", 8); !ok || known != 7 {
		t.Errorf("found %d, %t", known, ok)
	}
	for i := range 6 {
		c.Add(fmt.Sprint("small", i), i, 1)
	}
	if c.Len() != 4 {
		t.Errorf("%d values, want at most 4", c.Len())
	}
}
