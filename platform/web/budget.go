package web

import (
	"context"
	"net/http"

	"rostrum/errs"
	"rostrum/platform/slot"
)

// jsonCopies is how often a JSON body counts. It is in memory as text, as values, as arguments and in
// the statement that stores it.
const jsonCopies = 4

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
	claim := &Claim{owner: workspaceID, copies: jsonCopies}
	if b != nil {
		claim.held = &slot.Claim{Quota: b.held, Limit: b.limit}
	}
	return claim
}

// Claim is what the body of a request, or a message of a socket, takes from a budget.
type Claim struct {
	held   *slot.Claim // nil has room for everything
	owner  string
	copies int64
}

// Grow takes further bytes. It returns errs.Unavailable if the workspace or all together hold too
// many.
func (c *Claim) Grow(bytes int) error {
	if c.held == nil || bytes <= 0 || c.held.Grow(c.owner, int64(bytes)*c.copies) {
		return nil
	}
	return errs.New(errs.Unavailable, "the requests that are not answered yet take all memory for bodies; "+
		"retry after a second, and send fewer large ones at the same time").With("retry_after", 1)
}

// Release gives all bytes back.
func (c *Claim) Release() {
	if c.held != nil {
		c.held.Release()
	}
}
