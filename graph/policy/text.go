package policy

import (
	"context"
	"sync"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"rostrum/errs"
	"rostrum/platform/slot"
)

// countedText is how many bytes of texts an execution reads before it takes them from the budget.
const countedText = 1 << 20

// textClaim is what the texts that a query has read take from a budget.
type textClaim struct {
	held  slot.Claim
	owner string
	limit int // bytes of all texts of the query

	mu        sync.Mutex
	bytes     int // of all texts
	uncounted int // of those that are not taken yet
}

// countTexts counts the texts that the rows of a query bring into memory, until forget is called.
// Rows are read whole before a response is written, so its own limit comes too late. The answer of a
// mutation is not counted: what it did is done.
func (p *Policy) countTexts(ctx context.Context) (forget func()) {
	if graphql.GetOperationContext(ctx).Operation.Operation != ast.Query {
		return func() {}
	}
	claim := p.newTextClaim(slot.TenantOf(ctx), p.limits.Answer)
	ExecutionOf(ctx).reads.Grow = claim.grow
	return claim.held.Release
}

func (p *Policy) newTextClaim(owner string, limit int) *textClaim {
	return &textClaim{held: slot.Claim{Quota: p.texts, Limit: int64(p.limits.TextBytes)}, owner: owner, limit: limit}
}

// grow counts further bytes. It returns errs.LimitExceeded if the texts cannot fit in a response, and
// errs.Unavailable if the workspace or all together hold too many.
func (c *textClaim) grow(bytes int) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.bytes += bytes; c.bytes > c.limit {
		return stopError{answerError(c.limit)}
	}
	if c.uncounted += bytes; c.uncounted < countedText {
		return nil
	}
	if !c.held.Grow(c.owner, int64(c.uncounted)) {
		return stopError{errs.New(errs.Unavailable, "the long texts of queries that are not answered yet take all memory for them; "+
			"retry after a second, and read fewer at the same time").With("retry_after", 1)}
	}
	c.uncounted = 0
	return nil
}
