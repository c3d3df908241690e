package policy

import (
	"testing"

	"rostrum/errs"
	"rostrum/platform/slot"
)

// TestTextClaim_grow reads texts of several queries of two workspaces.
func TestTextClaim_grow(t *testing.T) {
	t.Parallel()
	const mega = 1 << 20
	p := &Policy{limits: Limits{TextBytes: 16 * mega}, texts: slot.NewQuota()}
	claim := func(owner string) *textClaim { return p.newTextClaim(owner, 10*mega) }
	grow := func(name string, c *textClaim, bytes int, want errs.Code) {
		t.Helper()
		err := c.grow(bytes)
		if want == "" && err != nil || want != "" && (!errs.Is(err, want) || !isStop(err)) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
	first, second, other := claim("a"), claim("a"), claim("b")
	for range 10 {
		grow("a page", first, mega/2, "")
	}
	grow("over the half of a workspace", second, 5*mega, errs.Unavailable)
	grow("short texts", claim("a"), mega/2, "")
	grow("of another workspace", other, 7*mega, "")
	grow("over the limit of a response", other, 4*mega, errs.LimitExceeded)
	grow("over all", claim("c"), 6*mega, errs.Unavailable)
	first.held.Release()
	first.held.Release()
	grow("after the first is answered", claim("a"), 6*mega, "")
	if held := p.texts.Held(""); held != 13*mega {
		t.Errorf("%d bytes are held", held)
	}
}
