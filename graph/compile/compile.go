package compile

import (
	"context"
	"io"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/introspection"
	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"rostrum/errs"
	"rostrum/graph/generated"
	"rostrum/graph/policy"
	"rostrum/model"
	"rostrum/platform/live"
)

// Extension is the gqlgen extension that runs compiled selections.
type Extension struct {
	schema    *ast.Schema
	resolvers generated.ResolverRoot
	executor  graphql.GraphExecutor
	policy    *policy.Policy
	events    *eventCache
	schemas   *lru.Cache[*plan, encoded] // answers of __schema

	compiled, interpreted atomic.Int64 // selections
}

const (
	cachedSchemas   = 4       // answers of __schema that are kept
	maxCachedSchema = 2 << 20 // bytes of an answer above which it is not kept
	maxReusedText   = 1 << 20 // bytes of a buffer above which it is not used again
)

var _ interface {
	graphql.HandlerExtension
	graphql.FieldInterceptor
} = (*Extension)(nil)

// New returns the extension of an executor that runs the schema with the resolvers.
func New(schema *ast.Schema, resolvers generated.ResolverRoot, executor graphql.GraphExecutor,
	p *policy.Policy) *Extension {
	return &Extension{
		schema: schema, resolvers: resolvers, executor: executor, policy: p,
		events:  live.NewSizedCache[eventKey, *sharedEvent](cachedEvents, cachedEventBytes),
		schemas: newCache[*plan, encoded](cachedSchemas),
	}
}

func newCache[K comparable, V any](size int) *lru.Cache[K, V] {
	cache, err := lru.New[K, V](size)
	if err != nil {
		panic(err) // only a size below 1 fails
	}
	return cache
}

// ExtensionName implements graphql.HandlerExtension.
func (*Extension) ExtensionName() string { return "CompiledSelections" }

// Validate implements graphql.HandlerExtension; every schema is valid.
func (*Extension) Validate(graphql.ExecutableSchema) error { return nil }

// InterceptField returns the encoded object or list of a field, or its value if it cannot be
// compiled.
func (e *Extension) InterceptField(ctx context.Context, next graphql.Resolver) (any, error) {
	field := graphql.GetFieldContext(ctx)
	isSubscription := field.Object == e.schema.Subscription.Name
	if replacement := ctx.Value(replacementKey{}); isSubscription && replacement != nil {
		return replacement, nil
	}
	value, err := next(ctx)
	if err != nil || value == nil || len(field.Field.Selections) == 0 {
		return value, err
	}
	if isSubscription {
		return e.encodeEvents(ctx, field, value), nil
	}
	if text, ok := e.encodeField(ctx, field, reflect.ValueOf(value)); ok {
		return text, nil
	}
	return value, nil
}

// encoded is JSON that is part of a response.
type encoded []byte

// MarshalGQL implements graphql.Marshaler.
func (t encoded) MarshalGQL(w io.Writer) { _, _ = w.Write(t) }

// Size returns the number of bytes, which the policy counts.
func (t encoded) Size() int { return len(t) }

// reusedText is JSON in a buffer that is reused after gqlgen has copied it into the response.
// gqlgen copies it once.
type reusedText struct{ encoded }

var reusedTexts = sync.Pool{New: func() any { return new(reusedText) }}

// MarshalGQL implements graphql.Marshaler.
func (t *reusedText) MarshalGQL(w io.Writer) {
	t.encoded.MarshalGQL(w)
	if cap(t.encoded) <= maxReusedText {
		reusedTexts.Put(t)
	}
}

// encodeField executes the field's plan; ok is false without a plan for the value.
func (e *Extension) encodeField(ctx context.Context, field *graphql.FieldContext,
	v reflect.Value) (out graphql.Marshaler, ok bool) {
	if v.Kind() == reflect.Pointer && v.IsNil() {
		return nil, false
	}
	p := e.planOf(ctx, field, v.Type())
	if p == nil || p.write == nil {
		return nil, false
	}
	if v.Type() == reflect.TypeFor[*introspection.Schema]() {
		return e.encodeSchema(ctx, p, v)
	}
	text, _ := reusedTexts.Get().(*reusedText)
	text.encoded, ok = e.execute(ctx, p, text.encoded[:0], v)
	return text, ok
}

// encodeSchema returns the answer of __schema. For an operation without variables it is always the
// same, so it is kept.
func (e *Extension) encodeSchema(ctx context.Context, p *plan, v reflect.Value) (encoded, bool) {
	if known, ok := e.schemas.Get(p); ok {
		return known, true
	}
	out, ok := e.execute(ctx, p, nil, v)
	if ok && len(out) <= maxCachedSchema && len(graphql.GetOperationContext(ctx).Operation.VariableDefinitions) == 0 {
		e.schemas.Add(p, slices.Clone(out)) // without the rest of the buffer
	}
	return out, ok
}

// execute appends a value to the prefix. If a method or resolver panics, ok is false, and gqlgen's
// own call reports the panic.
func (e *Extension) execute(ctx context.Context, p *plan, prefix encoded, v reflect.Value) (out encoded, ok bool) {
	defer func() {
		if panicked := recover(); panicked != nil {
			e.logPanic(ctx, panicked)
			out, ok = nil, false
		}
	}()
	r := &planRun{ctx: ctx, lowerEnums: model.LowerEnums(ctx), resolvers: e.resolvers,
		execution: policy.ExecutionOf(ctx), onPanic: e.logPanic}
	r.maxBytes, r.maxText = r.execution.RemainingBytes(), r.execution.MaxText()
	if p.rows != nil && p.rows.needsLoad() && !p.rows.load(ctx, r, appendRows(nil, v)) {
		return nil, false
	}
	out, ok = p.write(r, prefix, v)
	if len(out) > r.maxBytes {
		r.execution.AddBytes(len(out)) // stops gqlgen's walk
		return nil, false
	}
	return out, ok
}

func (e *Extension) logPanic(ctx context.Context, panicked any) {
	e.policy.LogFailure(ctx, errs.From(policy.PanicError(ctx, panicked)))
}
