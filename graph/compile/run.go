package compile

import (
	"context"
	"reflect"

	"github.com/99designs/gqlgen/graphql"

	"rostrum/graph/generated"
	"rostrum/graph/policy"
)

// planRun is one execution of a plan.
type planRun struct {
	ctx        context.Context
	lowerEnums bool
	resolvers  generated.ResolverRoot
	batches    map[*fieldPlan]*batchResult
	execution  *policy.Execution
	maxBytes   int // bytes of the output above which the run ends
}

// batchResult holds the results of a batch resolver, which are consumed in the order in which the rows are written.
type batchResult struct {
	results reflect.Value
	next    int
}

// loadBatches calls the batch resolvers of the rows and of the single objects within them, each once. It reports false if one failed.
func (r *planRun) loadBatches(object *objectPlan, rows []reflect.Value) bool {
	for _, f := range object.fields {
		switch {
		case f.batch != nil:
			if !r.callBatch(f, rows) {
				return false
			}
		case f.object != nil && f.object.hasBatches:
			if !r.loadBatches(f.object, memberObjects(f, rows)) {
				return false
			}
		}
	}
	return true
}

func (r *planRun) callBatch(f *fieldPlan, rows []reflect.Value) bool {
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
	if r.batches == nil {
		r.batches = map[*fieldPlan]*batchResult{}
	}
	r.batches[f] = &batchResult{results: out[0]}
	return true
}

// memberObjects returns the objects that the rows hold in a field, without nulls.
func memberObjects(f *fieldPlan, rows []reflect.Value) []reflect.Value {
	out := make([]reflect.Value, 0, len(rows))
	for _, row := range rows {
		out = appendObject(out, row.FieldByIndex(f.index))
	}
	return out
}

// listObjects returns the objects of a list, without nulls.
func listObjects(list reflect.Value) []reflect.Value {
	out := make([]reflect.Value, 0, list.Len())
	for i := range list.Len() {
		out = appendObject(out, list.Index(i))
	}
	return out
}

func appendObject(objects []reflect.Value, v reflect.Value) []reflect.Value {
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	if v.IsValid() {
		objects = append(objects, v)
	}
	return objects
}

func (p *objectPlan) appendTo(r *planRun, b []byte, row reflect.Value) ([]byte, bool) {
	b = append(b, '{')
	ok := true
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
	case f.batch != nil:
		batch := r.batches[f]
		batch.next++
		return f.write(r, b, batch.results.Index(batch.next-1))
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

// callOn returns the method's result; ok is false if the method returned an error.
func (m *methodPlan) callOn(ctx context.Context, row reflect.Value) (result reflect.Value, ok bool) {
	var in []reflect.Value
	if m.takesContext {
		field := *m.field
		in = []reflect.Value{reflect.ValueOf(graphql.WithFieldContext(ctx, &field))}
	}
	if m.takesDeprecated {
		in = []reflect.Value{reflect.ValueOf(m.deprecatedArgument(ctx))}
	}
	out := row.Addr().Method(m.index).Call(in)
	return out[0], !m.returnsError || out[1].IsNil()
}

// deprecatedArgument returns the argument includeDeprecated of the field.
func (m *methodPlan) deprecatedArgument(ctx context.Context) bool {
	arguments := m.field.Field.ArgumentMap(graphql.GetOperationContext(ctx).Variables)
	include, _ := arguments["includeDeprecated"].(bool)
	return include
}
