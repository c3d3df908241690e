package slot_test

import (
	"testing"

	"rostrum/platform/slot"
)

// TestQuota_take takes from a key's, a workspace's and the process's share. What one of them has
// too little of is taken from none.
func TestQuota_take(t *testing.T) {
	t.Parallel()
	q := slot.NewQuota()
	process, workspace := slot.Share{Limit: 6}, slot.Share{Owner: "workspace", Limit: 4}
	key := func(name string) slot.Share { return slot.Share{Owner: name, Limit: 3} }
	want := func(full *slot.Share, owner string) {
		t.Helper()
		if full == nil || full.Owner != owner {
			t.Fatalf("full is %v, want %q", full, owner)
		}
	}
	first, full := q.Take(3, key("a"), workspace, process)
	if full != nil {
		t.Fatalf("%v is full at the start", full)
	}
	_, full = q.Take(1, key("a"), workspace, process)
	want(full, "a")
	_, full = q.Take(2, key("b"), workspace, process)
	want(full, "workspace")
	if q.Held("b") != 0 {
		t.Error("a refused amount was taken")
	}
	if _, full = q.Take(3, slot.Share{Owner: "other", Limit: 4}, process); full != nil {
		t.Fatalf("another workspace is refused by %q", full.Owner)
	}
	_, full = q.Take(1, key("c"), process)
	want(full, "")
	first()
	first() // gives nothing back twice
	if held := q.Held(""); held != 3 {
		t.Errorf("the process holds %d, want 3", held)
	}
	if _, full = q.Take(5, key("a")); full != nil {
		t.Error("an amount above the limit is refused although nothing is held")
	}
}
