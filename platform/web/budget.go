package web

import (
	"context"
	"net/http"
	"sync"

	"rostrum/errs"
	"rostrum/platform/slot"
)

const (
	// bodyShare is which share of the budget one workspace may hold: half.
	bodyShare = 2
	// jsonCopies is how often a JSON body counts. It is in memory as text, as values, as arguments
	// and in the statement that stores it.
	jsonCopies = 4
)

// BodyBudget limits the bytes of all requests that have not been answered, for each workspace and
// in total. It is safe for concurrent use.
type BodyBudget struct {
	limit int64
	held  *slot.Quota
}

// NewBodyBudget returns a budget of this many bytes.
func NewBodyBudget(limit int64) *BodyBudget { return &BodyBudget{limit, slot.NewQuota()} }

type claimKey struct{}

// Limit returns a handler whose requests take the bytes of their bodies from the budget until they
// are answered.
func (b *BodyBudget) Limit(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Body == nil || r.Body == http.NoBody {
			next.ServeHTTP(w, r)
			return
		}
		claim := b.Claim("")
		defer claim.Release()
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), claimKey{}, claim)))
	})
}

// Claim returns a claim of no bytes yet for a workspace, or for a client without one. A nil budget
// has room for everything.
func (b *BodyBudget) Claim(workspaceID string) *Claim {
	return &Claim{budget: b, owner: workspaceID, copies: jsonCopies}
}

// Claim is what the body of a request, or a message of a socket, takes from a budget.
type Claim struct {
	budget *BodyBudget
	owner  string
	copies int64

	mu    sync.Mutex
	taken []func()
}

// Grow takes further bytes. It returns errs.Unavailable if the workspace or all together hold too
// many.
func (c *Claim) Grow(bytes int) error {
	if c.budget == nil || bytes <= 0 {
		return nil
	}
	shares := []slot.Share{{Limit: c.budget.limit}}
	if c.owner != "" {
		shares = append(shares, slot.Share{Owner: c.owner, Limit: c.budget.limit / bodyShare})
	}
	release, full := c.budget.held.Take(int64(bytes)*c.copies, shares...)
	if full != nil {
		return errs.New(errs.Unavailable, "the requests that are not answered yet take all memory for bodies; "+
			"retry after a second, and send fewer large ones at the same time").With("retry_after", 1)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.taken = append(c.taken, release)
	return nil
}

// Release gives all bytes back.
func (c *Claim) Release() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, release := range c.taken {
		release()
	}
	c.taken = nil
}
