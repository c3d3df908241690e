package compile

import (
	"context"
	"reflect"
	"sync"
	"sync/atomic"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/dbx"
	"rostrum/graph/generated"
	"rostrum/graph/policy"
)

// planRun is one execution of a plan.
type planRun struct {
	ctx        context.Context
	lowerEnums bool
	resolvers  generated.ResolverRoot
	execution  *policy.Execution
	maxBytes   int // bytes of the output above which the run ends
	maxText    int // bytes of a text above which the run ends
	onPanic    func(ctx context.Context, panicked any)

	mu     sync.Mutex // of loaded while resolvers run
	loaded map[*fieldPlan]*loadedValues
}

// loadedValues holds a field's values for all rows of a level. They are consumed in the order in
// which the rows are written.
type loadedValues struct {
	values []reflect.Value
	next   int
}

// load implements rowsPlan. It calls each batch resolver once for all rows of its level. The
// context has the rows' field.
func (p *objectPlan) load(ctx context.Context, r *planRun, rows []reflect.Value) bool {
	if len(rows) == 0 {
		return true
	}
	return r.together(ctx, len(p.batches), func(ctx context.Context, i int) bool {
		f := p.batches[i]
		field, err := p.childContext(ctx, f.field)
		if err != nil {
			return false
		}
		inner := graphql.WithFieldContext(ctx, field)
		values, ok := r.fieldValues(inner, f, rows)
		return ok && (!f.hasBatches() || f.rows.load(inner, r, flattenRows(values)))
	})
}

// childContext returns the context of a field of the rows, whose own field the context has.
func (p *objectPlan) childContext(ctx context.Context, field graphql.CollectedField) (*graphql.FieldContext, error) {
	if p.behind != "" {
		return generated.ObjectField(ctx, p.behind, field)
	}
	return graphql.GetFieldContext(ctx).Child(ctx, field)
}

// together calls load for 0 to n-1, and reports whether all calls succeeded. Several calls run at
// the same time, so that the server receives their statements together. A call that panics has
// failed.
func (r *planRun) together(ctx context.Context, n int, load func(ctx context.Context, i int) bool) bool {
	if n < 2 {
		return n == 0 || load(ctx, 0)
	}
	var failed atomic.Bool
	dbx.Together(ctx, n, func(ctx context.Context, i int) {
		defer func() {
			if panicked := recover(); panicked != nil {
				failed.Store(true)
				r.onPanic(ctx, panicked)
			}
		}()
		if !load(ctx, i) {
			failed.Store(true)
		}
	})
	return !failed.Load()
}

// fieldValues returns a field's values for all rows. Results of resolvers and methods are stored
// until they are written.
func (r *planRun) fieldValues(ctx context.Context, f *fieldPlan, rows []reflect.Value) (values []reflect.Value,
	ok bool) {
	switch {
	case f.batch != nil:
		values, ok = f.batch.call(ctx, r.resolvers, rows)
	case f.method != nil:
		values, ok = f.method.callOnRows(ctx, rows)
	default:
		values = make([]reflect.Value, len(rows))
		for i, row := range rows {
			values[i] = row.FieldByIndex(f.index)
		}
		return values, true
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.loaded == nil {
		r.loaded = map[*fieldPlan]*loadedValues{}
	}
	r.loaded[f] = &loadedValues{values: values}
	return values, ok
}

// call calls the resolver with the rows and the arguments of the context's field.
func (p *batchPlan) call(ctx context.Context, resolvers generated.ResolverRoot,
	rows []reflect.Value) (values []reflect.Value, ok bool) {
	list := reflect.MakeSlice(p.rows, len(rows), len(rows))
	for i, row := range rows {
		list.Index(i).Set(pointerTo(row))
	}
	in := []reflect.Value{reflect.ValueOf(ctx), list}
	field := graphql.GetFieldContext(ctx)
	for _, argument := range p.arguments {
		value := reflect.ValueOf(field.Args[argument.name])
		if !value.IsValid() {
			value = reflect.Zero(argument.of)
		}
		in = append(in, value)
	}
	out := p.resolver(resolvers).Call(in)
	if !out[1].IsNil() || out[0].Len() != len(rows) {
		return nil, false
	}
	values = make([]reflect.Value, len(rows))
	for i := range values {
		values[i] = out[0].Index(i)
	}
	return values, true
}

// pointerTo returns a pointer to a row, or to a copy of one that a method returned as a value.
func pointerTo(row reflect.Value) reflect.Value {
	if row.CanAddr() {
		return row.Addr()
	}
	copied := reflect.New(row.Type())
	copied.Elem().Set(row)
	return copied
}

// flattenRows returns the rows that the values hold, also within lists, without nulls.
func flattenRows(values []reflect.Value) []reflect.Value {
	size := len(values)
	for _, v := range values {
		if v.Kind() == reflect.Slice {
			size += v.Len()
		}
	}
	out := make([]reflect.Value, 0, size)
	for _, v := range values {
		out = appendRows(out, v)
	}
	return out
}

func appendRows(rows []reflect.Value, v reflect.Value) []reflect.Value {
	switch v.Kind() {
	case reflect.Interface:
		return appendRows(rows, v.Elem())
	case reflect.Pointer:
		if v.IsNil() {
			return rows
		}
		return append(rows, v.Elem())
	case reflect.Slice:
		for i := range v.Len() {
			rows = appendRows(rows, v.Index(i))
		}
		return rows
	case reflect.Invalid: // an interface that holds nothing
		return rows
	}
	return append(rows, v)
}

func (p *objectPlan) appendTo(r *planRun, b []byte, row reflect.Value) ([]byte, bool) {
	b = append(b, '{')
	var ok bool
	for i, f := range p.fields {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, f.key...)
		if b, ok = f.appendTo(r, b, row); !ok || len(b) > r.maxBytes {
			return b, false
		}
	}
	return append(b, '}'), true
}

func (f *fieldPlan) appendTo(r *planRun, b []byte, row reflect.Value) ([]byte, bool) {
	switch {
	case f.constant != nil:
		return append(b, f.constant...), true
	case f.batch != nil || f.method != nil && f.hasBatches():
		loaded := r.loaded[f]
		loaded.next++
		return f.write(r, b, loaded.values[loaded.next-1])
	case f.method != nil:
		v, ok := f.method.callOn(r.ctx, row)
		if !ok {
			return b, false
		}
		return f.write(r, b, v)
	case len(f.index) == 1:
		return f.write(r, b, row.Field(f.index[0]))
	}
	return f.write(r, b, row.FieldByIndex(f.index))
}

// callOnRows returns the method's results for all rows; ok is false if it returned an error.
func (m *methodPlan) callOnRows(ctx context.Context, rows []reflect.Value) (results []reflect.Value, ok bool) {
	for _, row := range rows {
		result, ok := m.callOn(ctx, row)
		if !ok {
			return nil, false
		}
		results = append(results, result)
	}
	return results, true
}

// callOn returns the method's result; ok is false if the method returned an error.
func (m *methodPlan) callOn(ctx context.Context, row reflect.Value) (result reflect.Value, ok bool) {
	if m.direct != nil {
		return reflect.ValueOf(m.direct(pointerTo(row).Interface())), true
	}
	var in []reflect.Value
	if m.takesContext {
		field := *m.context
		in = []reflect.Value{reflect.ValueOf(graphql.WithFieldContext(ctx, &field))}
	}
	if m.takesDeprecated {
		in = []reflect.Value{reflect.ValueOf(m.deprecatedArgument(ctx))}
	}
	out := pointerTo(row).Method(m.index).Call(in)
	return out[0], !m.returnsError || out[1].IsNil()
}

// deprecatedArgument returns the argument includeDeprecated of the field.
func (m *methodPlan) deprecatedArgument(ctx context.Context) bool {
	arguments := m.context.Field.ArgumentMap(graphql.GetOperationContext(ctx).Variables)
	include, _ := arguments["includeDeprecated"].(bool)
	return include
}
