package graph

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"rostrum/graph/policy"
	"rostrum/platform/idempotency"
	"rostrum/platform/principal"
)

// Runner runs operations of clients for jobs, as the principal of the context. Policy, limits,
// slots and audit are those of a request; only the rate limit is not, because a job has none.
type Runner struct{ *Server }

// CheckText returns an error if the caller may not run the text, or it is over a limit of texts.
func (r Runner) CheckText(ctx context.Context, text string) error {
	if err := r.policy.ResolveDocument(ctx, &policy.Request{RawParams: graphql.RawParams{Query: text}}); err != nil {
		return err
	}
	return r.policy.CheckText(text)
}

// CheckOperation returns the error with which an operation would be refused before it runs. It
// waits for nothing, and shares no more than the caller with an operation that calls it.
func (r Runner) CheckOperation(ctx context.Context, text string, variables map[string]any) error {
	caller, err := principal.From(ctx)
	if err != nil {
		return err
	}
	apart := graphql.StartOperationTrace(principal.With(context.Background(), caller))
	_, refusal := r.prepare(apart, text, variables, nil)
	if refusal == nil {
		return nil
	}
	return refusal[0]
}

// RunOperation runs an operation and returns its data. With an idempotency key it runs at most
// once; later calls return the stored answer.
func (r Runner) RunOperation(ctx context.Context, text string, variables map[string]any,
	key string) (json.RawMessage, gqlerror.List) {
	header := http.Header{}
	if key != "" {
		header.Set(idempotency.Header, key)
	}
	ctx = graphql.StartOperationTrace(ctx)
	op, refusal := r.prepare(ctx, text, variables, header)
	if refusal != nil {
		return nil, refusal
	}
	next, ctx := r.exec.DispatchOperation(ctx, op)
	response := next(ctx)
	if response == nil { // the context has ended
		return nil, r.policy.ErrorResponse(ctx, context.Cause(ctx)).Errors
	}
	return response.Data, response.Errors
}

// prepare returns an operation that the policy lets run, or why it does not.
func (r Runner) prepare(ctx context.Context, text string, variables map[string]any,
	header http.Header) (*graphql.OperationContext, gqlerror.List) {
	now := graphql.Now()
	op, refusal := r.exec.CreateOperationContext(ctx, &graphql.RawParams{Query: text, Variables: variables, Headers: header,
		ReadTime: graphql.TraceTiming{Start: now, End: now}})
	if refusal == nil {
		return op, nil
	}
	return nil, r.exec.DispatchError(graphql.WithOperationContext(ctx, op), refusal).Errors
}
