package graph

import (
	"context"
	"io"
	"reflect"
	"sync"
	"sync/atomic"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/errs"
	"rostrum/graph/generated"
	"rostrum/model"
)

const (
	keptPlans      = 32 // plans that one operation keeps, for its fields and the values of its conditions
	keptConditions = 8  // conditions above which an operation is left to gqlgen
)

// compiled writes objects and lists of plain fields straight from the rows, by a plan that is made once per operation, in place
// of gqlgen's walk over every field of every row. The bytes are the same; what a plan cannot write is left to gqlgen.
type compiled struct {
	s         *Server
	resolvers generated.ResolverRoot
}

var _ interface {
	graphql.HandlerExtension
	graphql.FieldInterceptor
} = compiled{}

// ExtensionName names the writer to gqlgen.
func (compiled) ExtensionName() string { return "CompiledSelections" }

// Validate accepts every schema.
func (compiled) Validate(graphql.ExecutableSchema) error { return nil }

// InterceptField gives gqlgen an object or list that is already written, where it can be.
func (c compiled) InterceptField(ctx context.Context, next graphql.Resolver) (any, error) {
	field := graphql.GetFieldContext(ctx)
	stream := field.Object == c.s.schema.Subscription.Name
	if instead := ctx.Value(insteadKey{}); stream && instead != nil {
		return instead, nil
	}
	value, err := next(ctx)
	if err != nil || value == nil || len(field.Field.Selections) == 0 {
		return value, err
	}
	if stream {
		return c.follow(ctx, field, value), nil
	}
	if text, ok := c.write(ctx, field, reflect.ValueOf(value)); ok {
		return text, nil
	}
	return value, nil
}

// text is an answer's part that is written.
type text []byte

// MarshalGQL copies the part into the answer.
func (t text) MarshalGQL(w io.Writer) { _, _ = w.Write(t) }

// write runs the field's plan.
func (c compiled) write(ctx context.Context, field *graphql.FieldContext, v reflect.Value) (out text, ok bool) {
	if v.Kind() == reflect.Pointer && v.IsNil() {
		return nil, false
	}
	p := c.plan(ctx, field, v.Type())
	if p == nil || p.write == nil || p.from != v.Type() {
		return nil, false
	}
	return c.run(ctx, p, nil, v)
}

// run writes a value behind what stands before it. A panic of a method or resolver gives up like any failure, and gqlgen's own call reports it.
func (c compiled) run(ctx context.Context, p *plan, before text, v reflect.Value) (out text, ok bool) {
	defer func() {
		if panicked := recover(); panicked != nil {
			c.s.logFailure(ctx, errs.From(recovered(ctx, panicked)))
			out, ok = nil, false
		}
	}()
	r := &run{ctx: ctx, lower: model.LowerEnums(ctx), resolvers: c.resolvers}
	if p.object != nil && p.object.batched && !r.load(p.object, []reflect.Value{v.Elem()}) {
		return nil, false
	}
	out, ok = p.write(r, append(make([]byte, 0, p.length.Load()), before...), v)
	p.length.Store(int64(len(out) + len(out)/8))
	return out, ok
}

// plan is how one field of an operation is written under one set of conditions; write is nil when it cannot be.
type plan struct {
	from   reflect.Type
	write  appender
	object *objectPlan
	length atomic.Int64 // bytes to make room for, from the last run
}

// plans are those that an operation has, found by the field's place and the conditions that hold.
type plans struct {
	mu    sync.RWMutex
	known map[planKey]*plan
}

type planKey struct {
	place string
	holds uint8
}

func (c compiled) plan(ctx context.Context, field *graphql.FieldContext, from reflect.Type) *plan {
	op := graphql.GetOperationContext(ctx)
	m := c.s.measures.of(op.Operation)
	if m.deferred || len(m.conditions) > keptConditions {
		return nil
	}
	key := planKey{place(field), holding(m.conditions, op.Variables)}
	m.plans.mu.RLock()
	known := m.plans.known[key]
	m.plans.mu.RUnlock()
	if known != nil {
		return known
	}
	made := &plan{from: from}
	made.write, made.object = compilation{c.s.schema, op}.value(field.Field.Definition.Type, from, field.Field.Selections)
	m.plans.keep(key, made)
	return made
}

func (p *plans) keep(key planKey, made *plan) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.known) >= keptPlans || p.known == nil {
		p.known = map[planKey]*plan{}
	}
	p.known[key] = made
}

// place names a field by the types and names on the way to it: what is selected below it follows from that.
func place(field *graphql.FieldContext) string {
	var name []byte
	for at := field; at != nil; at = at.Parent {
		if at.Field.Field != nil {
			name = append(append(append(append(name, at.Object...), '.'), at.Field.Alias...), ' ')
		}
	}
	return string(name)
}

// holding tells which of the conditions hold, one bit each.
func holding(conditions []string, variables map[string]any) uint8 {
	var bits uint8
	for i, name := range conditions {
		if variables[name] == true {
			bits |= 1 << i
		}
	}
	return bits
}

// run is one use of a plan.
type run struct {
	ctx       context.Context
	lower     bool
	resolvers generated.ResolverRoot
	loaded    map[*fieldPlan]*loaded
}

// loaded is what a batch resolver gave for the rows, taken in the order in which they are written.
type loaded struct {
	results reflect.Value
	next    int
}

// load calls the batch resolvers of the rows, and of the single objects that they hold, once for all.
func (r *run) load(object *objectPlan, rows []reflect.Value) bool {
	for _, f := range object.fields {
		switch {
		case f.batch != nil:
			if !r.call(f, rows) {
				return false
			}
		case f.object != nil && f.object.batched:
			if !r.load(f.object, held(f, rows)) {
				return false
			}
		}
	}
	return true
}

func (r *run) call(f *fieldPlan, rows []reflect.Value) bool {
	in := reflect.MakeSlice(f.batch.rows, len(rows), len(rows))
	for i, row := range rows {
		in.Index(i).Set(row.Addr())
	}
	field := *f.batch.field
	ctx := graphql.WithFieldContext(r.ctx, &field)
	out := f.batch.resolver(r.resolvers).Call([]reflect.Value{reflect.ValueOf(ctx), in})
	if !out[1].IsNil() || out[0].Len() != len(rows) {
		return false
	}
	if r.loaded == nil {
		r.loaded = map[*fieldPlan]*loaded{}
	}
	r.loaded[f] = &loaded{results: out[0]}
	return true
}

// held are the objects that the rows have in a field.
func held(f *fieldPlan, rows []reflect.Value) []reflect.Value {
	out := make([]reflect.Value, 0, len(rows))
	for _, row := range rows {
		v := row.FieldByIndex(f.index)
		if v.Kind() == reflect.Pointer {
			v = v.Elem()
		}
		if v.IsValid() {
			out = append(out, v)
		}
	}
	return out
}

// elements are the objects of a list.
func elements(list reflect.Value) []reflect.Value {
	out := make([]reflect.Value, 0, list.Len())
	for i := range list.Len() {
		v := list.Index(i)
		if v.Kind() == reflect.Pointer {
			v = v.Elem()
		}
		if v.IsValid() {
			out = append(out, v)
		}
	}
	return out
}

func (p *objectPlan) append(r *run, b []byte, row reflect.Value) ([]byte, bool) {
	b = append(b, '{')
	ok := true
	for i, f := range p.fields {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, f.key...)
		if b, ok = f.append(r, b, row); !ok {
			return b, false
		}
	}
	return append(b, '}'), true
}

func (f *fieldPlan) append(r *run, b []byte, row reflect.Value) ([]byte, bool) {
	switch {
	case f.text != nil:
		return append(b, f.text...), true
	case f.batch != nil:
		l := r.loaded[f]
		l.next++
		return f.write(r, b, l.results.Index(l.next-1))
	case f.method != nil:
		v, ok := f.method.call(r.ctx, row)
		if !ok {
			return b, false
		}
		return f.write(r, b, v)
	case len(f.index) == 1:
		return f.write(r, b, row.Field(f.index[0]))
	}
	return f.write(r, b, row.FieldByIndex(f.index))
}

func (m *methodPlan) call(ctx context.Context, row reflect.Value) (reflect.Value, bool) {
	var in []reflect.Value
	if m.context {
		field := *m.field
		in = []reflect.Value{reflect.ValueOf(graphql.WithFieldContext(ctx, &field))}
	}
	out := row.Addr().Method(m.index).Call(in)
	return out[0], !m.fails || out[1].IsNil()
}
