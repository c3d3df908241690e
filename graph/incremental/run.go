package incremental

import (
	"context"
	"slices"
	"strconv"
	"sync"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"rostrum/graph/policy"
)

// maxDeferred is how many fragments one operation may defer.
const maxDeferred = 50

// Extension is the gqlgen extension that runs operations with @defer.
type Extension struct{ policy *policy.Policy }

var _ interface {
	graphql.HandlerExtension
	graphql.OperationInterceptor
} = Extension{}

// New returns the extension. It must come after that of the policy.
func New(p *policy.Policy) Extension { return Extension{p} }

// ExtensionName implements graphql.HandlerExtension.
func (Extension) ExtensionName() string { return "IncrementalDelivery" }

// Validate implements graphql.HandlerExtension; every schema is valid.
func (Extension) Validate(graphql.ExecutableSchema) error { return nil }

// InterceptOperation runs an operation with @defer part by part, if the context has a [Delivery],
// and otherwise as a whole. Other operations run as they are.
func (e Extension) InterceptOperation(ctx context.Context, next graphql.OperationHandler) graphql.ResponseHandler {
	op := graphql.GetOperationContext(ctx)
	if !policy.AnalysisOf(op).Deferred {
		return next(ctx)
	}
	s, delivery := splitOf(op), deliveryOf(ctx)
	if delivery == nil || len(s.parts) == 1 {
		return next(graphql.WithOperationContext(ctx, s.whole.contextOf(op)))
	}
	if n := len(s.parts) - 1; n > maxDeferred {
		return graphql.OneShot(e.policy.ErrorResponse(ctx, policy.ExceedsLimit("number of deferred fragments", n, maxDeferred)))
	}
	r := &run{ctx: ctx, e: e, op: op, s: s, next: next, delivery: delivery, waiting: map[int][]*pending{}}
	return func(context.Context) *graphql.Response {
		if !r.started {
			r.started = true
			return r.first()
		}
		return r.following()
	}
}

// splitKey is the key of a split among the attachments of an analysis: the values of the conditions.
type splitKey struct{ conditions uint8 }

// splitOf returns the parts of an operation. They are kept if all conditions have values.
func splitOf(op *graphql.OperationContext) *split {
	analysis := policy.AnalysisOf(op)
	bits, ok := analysis.ConditionBits(op.Variables)
	for _, name := range analysis.Conditions {
		_, isSet := op.Variables[name].(bool)
		ok = ok && isSet
	}
	if !ok {
		return newSplit(op)
	}
	return analysis.Attachment(splitKey{bits}, func() any { return newSplit(op) }).(*split) //nolint:forcetypeassert // stored here
}

// contextOf returns the part's operation in the place of the whole one.
func (p *part) contextOf(op *graphql.OperationContext) *graphql.OperationContext {
	of := &graphql.OperationContext{
		RawQuery: op.RawQuery, Variables: op.Variables, OperationName: op.OperationName, Doc: p.doc,
		Extensions: op.Extensions, Headers: op.Headers, Operation: p.operation,
		DisableIntrospection: op.DisableIntrospection, RecoverFunc: op.RecoverFunc,
		ResolverMiddleware: op.ResolverMiddleware, RootResolverMiddleware: op.RootResolverMiddleware,
		Stats: graphql.Stats{
			OperationStart: op.Stats.OperationStart, Read: op.Stats.Read, Parsing: op.Stats.Parsing,
			Validation: op.Stats.Validation,
		},
	}
	p.analysis.AttachTo(of)
	return of
}

// run is one run of an operation in parts. It is not safe for use by several goroutines.
type run struct {
	ctx      context.Context
	e        Extension
	op       *graphql.OperationContext
	s        *split
	next     graphql.OperationHandler
	delivery *Delivery
	started  bool
	waiting  map[int][]*pending // what the client has been told to wait for, by part
	lastID   int                // counts the ids of the client
	kept     sync.Map           // the values of shared fields, by path
}

// first runs the operation without its deferred fragments. It returns nil if the operation must
// stop.
func (r *run) first() *graphql.Response {
	resp := r.runPart(0)
	if resp == nil {
		return nil
	}
	f := &finder{s: r.s}
	read, err := f.find(resp.Data, "", nil)
	if err != nil {
		return r.e.policy.ErrorResponse(r.ctx, err)
	}
	if resp.Data != nil {
		resp.Data = appendValue(nil, read)
	}
	r.delivery.data = read
	return r.deliver(resp, payload{pending: r.addPending(f.found)})
}

// following runs the next part whose fragment applies to an object. It returns nil after the last.
func (r *run) following() *graphql.Response {
	for i := range r.s.parts {
		if waiting := r.waiting[i]; len(waiting) > 0 {
			delete(r.waiting, i)
			return r.runDeferred(i, waiting)
		}
	}
	return nil
}

// runDeferred runs a deferred fragment for the objects that wait for it. One that the response does
// not have has failed.
func (r *run) runDeferred(i int, waiting []*pending) *graphql.Response {
	resp := r.runPart(i)
	if resp == nil {
		resp = r.e.policy.ErrorResponse(r.ctx, context.Cause(r.ctx))
	}
	f := &finder{s: r.s}
	if _, err := f.find(resp.Data, "", nil); err != nil {
		resp = r.e.policy.ErrorResponse(r.ctx, err)
		f.found = nil
	}
	objects, delivered := map[string]*object{}, map[string]bool{}
	nested := slices.DeleteFunc(f.found, func(at found) bool {
		if at.part == i {
			objects[at.path.String()] = at.object
		}
		return at.part == i
	})
	var p payload
	for _, at := range waiting {
		path := at.path.String()
		p.completed = append(p.completed, &completed{pending: at, object: objects[path]})
		delivered[path] = objects[path] != nil
	}
	p.assignErrors(resp.Errors)
	p.pending = r.addPending(slices.DeleteFunc(nested, func(at found) bool { return !isWithin(at.path, delivered) }))
	return r.deliver(&graphql.Response{}, p)
}

// isWithin reports whether a path is one of the given ones or below it.
func isWithin(path ast.Path, paths map[string]bool) bool {
	for n := range len(path) + 1 {
		if paths[path[:n].String()] {
			return true
		}
	}
	return false
}

// runPart returns the response of a part; nil if the operation must stop.
func (r *run) runPart(i int) *graphql.Response {
	op := r.s.parts[i].contextOf(r.op)
	op.ResolverMiddleware = func(ctx context.Context, next graphql.Resolver) (any, error) {
		return r.op.ResolverMiddleware(ctx, r.keeping(next))
	}
	ctx := graphql.WithOperationContext(r.ctx, op)
	return r.next(ctx)(ctx)
}

// keeping returns the resolver of a field with the value that an earlier part has kept.
func (r *run) keeping(next graphql.Resolver) graphql.Resolver {
	return func(ctx context.Context) (any, error) {
		field := graphql.GetFieldContext(ctx)
		position := policy.AliasPath(field)
		if !r.s.shared[position] {
			return next(ctx)
		}
		path := field.Path().String()
		if kept, ok := r.kept.Load(path); ok {
			return kept, nil
		}
		own := field.Field.Selections
		field.Field.Selections = r.s.selections[position]
		value, err := next(ctx)
		field.Field.Selections = own
		if err == nil {
			r.kept.Store(path, value)
		}
		return value, err
	}
}

// addPending returns the objects as those that the client waits for from now on.
func (r *run) addPending(list []found) []*pending {
	var added []*pending
	for _, at := range list {
		p := &pending{id: strconv.Itoa(r.lastID), path: at.path, label: r.s.parts[at.part].label}
		r.lastID++
		r.waiting[at.part] = append(r.waiting[at.part], p)
		added = append(added, p)
	}
	return added
}

// deliver adds to the response whether another follows, and gives the payload to the transport.
func (r *run) deliver(resp *graphql.Response, p payload) *graphql.Response {
	more := len(r.waiting) > 0
	resp.HasNext = &more
	r.delivery.payload = p
	return resp
}
