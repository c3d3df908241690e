package slot

import "sync"

// ownerPart is which part of a claimed quota one owner may hold: half.
const ownerPart = 2

// Claim is what one request takes from a quota bit by bit. It is safe for concurrent use.
type Claim struct {
	Quota *Quota
	Limit int64 // of all owners together

	mu    sync.Mutex
	taken []func()
}

// Grow takes a further amount for an owner, or for nobody. It takes nothing and returns false if the
// owner or all together would hold too much.
func (c *Claim) Grow(owner string, amount int64) bool {
	shares := []Share{{Limit: c.Limit}}
	if owner != "" {
		shares = append(shares, Share{Owner: owner, Limit: c.Limit / ownerPart})
	}
	release, full := c.Quota.Take(amount, shares...)
	if full != nil {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.taken = append(c.taken, release)
	return true
}

// Release gives all of it back.
func (c *Claim) Release() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, release := range c.taken {
		release()
	}
	c.taken = nil
}
