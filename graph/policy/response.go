package policy

import (
	"context"
	"fmt"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"rostrum/errs"
	"rostrum/model"
)

// CostHeader is the request header that adds the cost of an operation to its response.
const CostHeader = "X-Query-Cost"

// InterceptResponse notes the reads of texts under embargo, and limits the bytes and errors of a
// response. It adds the operation's cost if the
// client requests it.
func (e policyExtension) InterceptResponse(ctx context.Context, next graphql.ResponseHandler) *graphql.Response {
	op, x := graphql.GetOperationContext(ctx), ExecutionOf(ctx)
	if x != nil && op.Operation.Operation == ast.Subscription {
		x.reset()
	}
	resp := next(ctx)
	if resp == nil {
		return nil
	}
	if err := e.noteReads(ctx, x); err != nil {
		resp.Data, resp.Errors = []byte("null"), gqlerror.List{e.p.PresentError(ctx, err)}
	}
	if len(resp.Data) > e.p.limits.Answer || x.sizeErr() != nil {
		resp.Data, resp.Errors = []byte("null"), gqlerror.List{e.p.PresentError(ctx, answerError(e.p.limits.Answer))}
	}
	resp.Errors = e.p.limitErrors(resp.Errors, x.takeOmitted())
	if a := AnalysisOf(op); a != nil && op.Headers.Get(CostHeader) == "1" {
		if resp.Extensions == nil {
			resp.Extensions = map[string]any{}
		}
		resp.Extensions["cost"] = e.p.reportCost(a, op.Variables)
	}
	return resp
}

// noteReads notes which texts under embargo the response may have words of. If it returns an error,
// the response must not be sent.
func (e policyExtension) noteReads(ctx context.Context, x *Execution) error {
	if x == nil || e.p.config.NoteReads == nil {
		return nil
	}
	documents, drafts := x.reads.Take()
	if len(documents)+len(drafts) == 0 {
		return nil
	}
	return e.p.config.NoteReads(model.WithReads(ctx, nil), documents, drafts)
}

// presentListed presents an error of a running operation, or returns nil if the response lists
// enough errors.
func (p *Policy) presentListed(ctx context.Context, err error) *gqlerror.Error {
	if !ExecutionOf(ctx).admitsError(ctx, err, p.limits.Errors) {
		return nil
	}
	return p.PresentError(ctx, err)
}

// limitErrors shortens a list of errors to the limit. The last entry then states how many are left
// out.
func (p *Policy) limitErrors(list gqlerror.List, omitted int) gqlerror.List {
	if over := len(list) - p.limits.Errors; over > 0 {
		list, omitted = list[:p.limits.Errors], omitted+over
	}
	if omitted == 0 {
		return list
	}
	failure := errs.New(errs.LimitExceeded, "%s not listed", countMore(omitted, "error")).
		With("limit", p.limits.Errors).With("omitted", omitted)
	return append(list, &gqlerror.Error{Err: failure, Message: failure.Message, Extensions: errorExtensions(failure)})
}

// countMore returns a phrase such as "3 more errors are".
func countMore(n int, noun string) string {
	if n == 1 {
		return "1 more " + noun + " is"
	}
	return fmt.Sprintf("%d more %ss are", n, noun)
}

// costReport is the cost of an operation, as extensions.cost has it.
type costReport struct {
	Complexity    measuredLimit `json:"complexity"`
	Rows          measuredLimit `json:"rows"`
	Depth         measuredLimit `json:"depth"`
	Breadth       measuredLimit `json:"breadth"`
	Repeats       measuredLimit `json:"repeats"`
	Introspection measuredLimit `json:"introspection"`
}

// measuredLimit is a measure of an operation and its limit.
type measuredLimit struct {
	Value int `json:"value"`
	Limit int `json:"limit"`
}

// reportCost returns an operation's cost. If its text alone is too large, it has no rows and
// introspection.
func (p *Policy) reportCost(a *Analysis, variables map[string]any) costReport {
	fields, rows := a.cost.total(variables)
	return costReport{
		Complexity:    measuredLimit{max(fields, a.shape.fields), p.limits.Complexity},
		Rows:          measuredLimit{rows, p.limits.Rows},
		Depth:         measuredLimit{a.shape.depth, p.limits.Depth},
		Breadth:       measuredLimit{a.shape.breadth, p.limits.Breadth},
		Repeats:       measuredLimit{a.shape.repeats, p.limits.Repeats},
		Introspection: measuredLimit{p.countIntrospection(a, variables), p.limits.Introspection},
	}
}
