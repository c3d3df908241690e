package policy

import (
	"cmp"
	"context"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"rostrum/errs"
	"rostrum/platform/slot"
)

// policyExtension authorizes, limits and times out every operation on every transport.
type policyExtension struct{ p *Policy }

var _ interface {
	graphql.HandlerExtension
	graphql.OperationParameterMutator
	graphql.OperationContextMutator
	graphql.OperationInterceptor
	graphql.ResponseInterceptor
	graphql.FieldInterceptor
} = policyExtension{}

// ExtensionName implements graphql.HandlerExtension.
func (policyExtension) ExtensionName() string { return "Policy" }

// Validate implements graphql.HandlerExtension; every schema is valid.
func (policyExtension) Validate(graphql.ExecutableSchema) error { return nil }

// MutateOperationParameters writes whole numbers of the variables without a fraction. It returns an
// error if an operation's text exceeds a limit, unless the text is in the cache.
func (e policyExtension) MutateOperationParameters(_ context.Context, params *graphql.RawParams) *gqlerror.Error {
	trimFractions(params.Variables)
	if e.p.documents.kept[params.Query] || e.p.cache.contains(params.Query) {
		return nil
	}
	return toGraphError(e.p.checkText(params.Query))
}

// MutateOperationContext returns an error, before a resolver runs, if the operation is over a
// limit, not authorized or has invalid input.
func (e policyExtension) MutateOperationContext(ctx context.Context, op *graphql.OperationContext) *gqlerror.Error {
	op.DisableIntrospection = e.p.config.HideSchema
	a := e.p.analyzeOperation(op)
	if err := e.checkOperation(ctx, op, a); err != nil {
		return toGraphError(err)
	}
	e.p.countUsage(ctx, e.p.usedDeprecated(a, op.Variables))
	return nil
}

func (e policyExtension) checkOperation(ctx context.Context, op *graphql.OperationContext, a *Analysis) error {
	if err := e.p.checkLimits(a); err != nil {
		return err
	}
	if err := authorize(ctx, a.scopes); err != nil {
		return err
	}
	if err := e.p.checkCoercion(ctx, op.Operation, op.Variables); err != nil {
		return err
	}
	if err := e.p.checkComplexity(a, op.Variables); err != nil {
		return err
	}
	return e.p.checkInputs(ctx, a, op.Variables)
}

func toGraphError(err error) *gqlerror.Error {
	if err == nil {
		return nil
	}
	return &gqlerror.Error{Err: err, Message: errs.From(err).Message}
}

// InterceptOperation sets the deadline of queries and mutations.
func (e policyExtension) InterceptOperation(ctx context.Context,
	next graphql.OperationHandler) graphql.ResponseHandler {
	op := graphql.GetOperationContext(ctx)
	switch {
	case op.Operation.Operation == ast.Subscription:
		return e.runStream(ctx, next)
	case op.Operation.Operation == ast.Mutation:
		return e.runMeasured(ctx, next, e.p.mutations, e.p.limits.Mutation)
	case AnalysisOf(op).isRemote, AnalysisOf(op).Deferred:
		return e.runMeasured(ctx, next, e.p.queries, e.p.limits.Mutation)
	default:
		return e.runMeasured(ctx, next, e.p.queries, e.p.limits.Query)
	}
}

// runMeasured is runLimited for an operation that the metrics count.
func (e policyExtension) runMeasured(ctx context.Context, next graphql.OperationHandler, slots *slot.Slots,
	limit time.Duration) graphql.ResponseHandler {
	start := time.Now()
	return e.p.measure(graphql.GetOperationContext(ctx), start, e.runLimited(ctx, next, slots, limit))
}

// operationsPerProcessor is how many queries, and how many mutations, of one workspace run at the
// same time per processor. More would not end sooner, but delay other workspaces.
//
// A wide query, with more than wideQuery fields, takes the slots of two processors, because it
// computes for long and keeps the database busy beside it. So one workspace's wide queries leave
// half of the processors to others. A mutation that waits for another program, for example a text
// model, takes no slot meanwhile ([slot.Leave]).
const (
	operationsPerProcessor = 2
	wideQuery              = 2_000
)

// runLimited runs an operation when its workspace has free slots. Waiting counts toward the limit;
// an operation that does not begin within it is refused with errs.RateLimited.
func (e policyExtension) runLimited(ctx context.Context, next graphql.OperationHandler, slots *slot.Slots,
	limit time.Duration) graphql.ResponseHandler {
	ctx, cancel := context.WithTimeout(ctx, limit)
	held, release, err := slots.Hold(ctx, slotsOf(graphql.GetOperationContext(ctx)))
	if err != nil {
		cancel()
		return graphql.OneShot(e.p.ErrorResponse(ctx, errs.New(errs.RateLimited,
			"the workspace's other operations took all its processor time for %v; send fewer at the same time", limit).
			With("retry_after", 1)))
	}
	stop := context.AfterFunc(ctx, release) // also if the responses are not read to their end
	held = withExecution(held, held, e.p.limits)
	forget := e.p.countTexts(held)
	return callAfterLast(next(held), func() {
		stop()
		forget()
		release()
		cancel()
	})
}

// slotsOf returns how many of its workspace's slots an operation takes.
func slotsOf(op *graphql.OperationContext) int {
	if op.Operation.Operation == ast.Mutation {
		return 1
	}
	if fields, _ := AnalysisOf(op).cost.total(op.Variables); fields > wideQuery {
		return 2 * operationsPerProcessor
	}
	return 1
}

// callAfterLast returns a handler that calls done once no response follows.
func callAfterLast(responses graphql.ResponseHandler, done func()) graphql.ResponseHandler {
	return func(ctx context.Context) *graphql.Response {
		resp := responses(ctx)
		if resp == nil || resp.HasNext == nil || !*resp.HasNext {
			done()
		}
		return resp
	}
}

// InterceptField stops an operation that must not continue, and counts the bytes of its values.
func (policyExtension) InterceptField(ctx context.Context, next graphql.Resolver) (any, error) {
	x := ExecutionOf(ctx)
	if err := x.Err(); err != nil {
		return nil, err
	}
	value, err := next(ctx)
	if err == nil {
		x.AddBytes(sizeOf(value))
		err = cmp.Or(x.sizeErr(), x.textErr(value))
	}
	return value, err
}
