package policy

import (
	"cmp"
	"context"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"rostrum/errs"
)

// policyExtension authorizes, limits and times out every operation on every transport.
type policyExtension struct{ p *Policy }

var _ interface {
	graphql.HandlerExtension
	graphql.OperationContextMutator
	graphql.OperationInterceptor
} = policyExtension{}

// ExtensionName implements graphql.HandlerExtension.
func (policyExtension) ExtensionName() string { return "Policy" }

// Validate implements graphql.HandlerExtension; every schema is valid.
func (policyExtension) Validate(graphql.ExecutableSchema) error { return nil }

// MutateOperationContext returns an error, before a resolver runs, if the operation is over a limit, not authorized or has invalid input.
func (e policyExtension) MutateOperationContext(ctx context.Context, op *graphql.OperationContext) *gqlerror.Error {
	op.DisableIntrospection = e.p.config.HideSchema
	a := e.p.Analyze(op.Operation)
	err := cmp.Or(
		e.p.checkLimits(a), authorize(ctx, a.scopes), e.p.checkComplexity(a, op.Variables), e.p.checkInputs(ctx, a, op.Variables),
		checkEstimates(a, op.Variables),
	)
	if err != nil {
		return &gqlerror.Error{Err: err, Message: errs.From(err).Message}
	}
	return nil
}

// InterceptOperation sets the deadline of queries and mutations. An operation with @defer ignores the client's cancellation, because
// gqlgen blocks forever on its deferred parts if their context ends first.
func (e policyExtension) InterceptOperation(ctx context.Context, next graphql.OperationHandler) graphql.ResponseHandler {
	op := graphql.GetOperationContext(ctx)
	ctx = context.WithValue(ctx, failureLogKey{}, &failureLog{})
	switch {
	case op.Operation.Operation == ast.Subscription:
		return next(ctx)
	case e.p.Analyze(op.Operation).Deferred:
		return next(context.WithoutCancel(ctx))
	case op.Operation.Operation == ast.Mutation:
		return runWithTimeout(ctx, e.p.limits.Mutation, next)
	default:
		return runWithTimeout(ctx, e.p.limits.Query, next)
	}
}

func runWithTimeout(ctx context.Context, timeout time.Duration, next graphql.OperationHandler) graphql.ResponseHandler {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	responses := next(ctx)
	return func(ctx context.Context) *graphql.Response {
		defer cancel()
		return responses(ctx)
	}
}
