package graph

import (
	"context"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"rostrum/graph/generated"
)

// appender adds a value's JSON. It gives up (false) where gqlgen would report an error, which is then left to gqlgen.
type appender func(r *run, b []byte, v reflect.Value) ([]byte, bool)

// objectPlan writes the selected fields of one object type from one struct.
type objectPlan struct {
	fields  []*fieldPlan
	batched bool // whether rows of it have something to load at once
}

// fieldPlan writes one field: a constant, a struct's field, a method's result, or what a batch resolver gave for the row.
type fieldPlan struct {
	key    []byte // the name with its quotes and colon
	text   []byte // what __typename writes
	index  []int  // the struct's field
	method *methodPlan
	batch  *batchPlan
	object *objectPlan // of a struct's field that holds a single object
	within bool        // whether something is selected of it
	write  appender
}

// own reports whether a resolver or the context has a say in what is written, so that it is not the same for everyone.
func (p *objectPlan) own() bool {
	for _, f := range p.fields {
		if f.batch != nil || f.method != nil && f.method.context || f.within && (f.object == nil || f.object.own()) {
			return true
		}
	}
	return false
}

// methodPlan calls a method of the row.
type methodPlan struct {
	index   int
	context bool // whether it takes the context
	fails   bool // whether it also gives an error
	field   *graphql.FieldContext
}

// batchPlan calls a batch resolver with all rows.
type batchPlan struct {
	resolver func(generated.ResolverRoot) reflect.Value
	rows     reflect.Type // the slice of rows that it takes
	field    *graphql.FieldContext
}

// compilation makes the plan of one selection.
type compilation struct {
	schema *ast.Schema
	op     *graphql.OperationContext
}

// value plans a value of a graph type that comes as a Go type; nil when that cannot be written from here.
func (c compilation) value(t *ast.Type, from reflect.Type, selection ast.SelectionSet) (appender, *objectPlan) {
	if t.Elem != nil {
		return c.list(t, from, selection), nil
	}
	inner := from
	if from.Kind() == reflect.Pointer {
		inner = from.Elem()
	}
	write, object := c.named(c.schema.Types[t.NamedType], inner, selection)
	if write == nil || inner == from {
		return write, object
	}
	return func(r *run, b []byte, v reflect.Value) ([]byte, bool) {
		if v.IsNil() {
			return append(b, "null"...), !t.NonNull
		}
		return write(r, b, v.Elem())
	}, object
}

func (c compilation) named(def *ast.Definition, from reflect.Type, selection ast.SelectionSet) (appender, *objectPlan) {
	if def.Kind != ast.Object {
		return leaf(def, from), nil
	}
	object := c.object(def, from, selection)
	if object == nil {
		return nil, nil
	}
	return object.append, object
}

func (c compilation) list(t *ast.Type, from reflect.Type, selection ast.SelectionSet) appender {
	if from.Kind() != reflect.Slice {
		return nil
	}
	write, object := c.value(t.Elem, from.Elem(), selection)
	if write == nil {
		return nil
	}
	return func(r *run, b []byte, v reflect.Value) ([]byte, bool) {
		if v.IsNil() && !t.NonNull {
			return append(b, "null"...), true
		}
		if object != nil && object.batched && !r.load(object, elements(v)) {
			return b, false
		}
		b = append(b, '[')
		ok := true
		for i := range v.Len() {
			if i > 0 {
				b = append(b, ',')
			}
			if b, ok = write(r, b, v.Index(i)); !ok {
				return b, false
			}
		}
		return append(b, ']'), true
	}
}

func (c compilation) object(def *ast.Definition, from reflect.Type, selection ast.SelectionSet) *objectPlan {
	if from.Kind() != reflect.Struct || strings.HasPrefix(def.Name, "__") {
		return nil
	}
	plan := &objectPlan{}
	var written []string
	for _, f := range graphql.CollectFields(c.op, selection, c.satisfied(def)) {
		if slices.Contains(written, f.Alias) {
			continue
		}
		written = append(written, f.Alias)
		field := c.field(def, from, f)
		if field == nil {
			return nil
		}
		field.key = append(strconv.AppendQuote(nil, f.Alias), ':')
		plan.fields = append(plan.fields, field)
		plan.batched = plan.batched || field.batch != nil || field.object != nil && field.object.batched
	}
	return plan
}

// satisfied lists the names under which fragments apply to an object type.
func (c compilation) satisfied(def *ast.Definition) []string {
	names := []string{def.Name}
	for _, abstract := range c.schema.GetImplements(def) {
		names = append(names, abstract.Name)
	}
	return names
}

// field finds what a field is read from in gqlgen's order: its resolver, a method, a field of the struct.
func (c compilation) field(def *ast.Definition, from reflect.Type, f graphql.CollectedField) *fieldPlan {
	if f.Name == "__typename" {
		return &fieldPlan{text: strconv.AppendQuote(nil, def.Name)}
	}
	if len(f.Definition.Arguments) > 0 || len(f.Deferrables) > 0 {
		return nil
	}
	context := &graphql.FieldContext{Object: def.Name, Field: f, IsMethod: true}
	if resolver, ok := resolverOf(def, f); ok {
		return c.batch(from, f, resolver, context)
	}
	if method, ok := find(methods(reflect.PointerTo(from)), f.Name, func(m reflect.Method) string { return m.Name }); ok {
		return c.method(f, method, context)
	}
	return c.member(from, f)
}

func (c compilation) member(from reflect.Type, f graphql.CollectedField) *fieldPlan {
	member, ok := find(reflect.VisibleFields(from), f.Name, func(m reflect.StructField) string { return m.Name })
	if !ok || !member.IsExported() {
		return nil
	}
	write, object := c.value(f.Definition.Type, member.Type, f.Selections)
	if write == nil {
		return nil
	}
	return &fieldPlan{index: member.Index, write: write, object: object, within: len(f.Selections) > 0}
}

func (c compilation) method(f graphql.CollectedField, method reflect.Method, field *graphql.FieldContext) *fieldPlan {
	t := method.Type
	plan := &methodPlan{index: method.Index, field: field}
	plan.context = t.NumIn() == 2 && t.In(1) == reflect.TypeFor[context.Context]()
	plan.fails = t.NumOut() == 2 && t.Out(1) == reflect.TypeFor[error]()
	if t.NumIn() != 1 && !plan.context || t.NumOut() != 1 && !plan.fails {
		return nil
	}
	write, object := c.value(f.Definition.Type, t.Out(0), f.Selections)
	if write == nil || object != nil && object.batched {
		return nil
	}
	return &fieldPlan{method: plan, write: write, within: len(f.Selections) > 0}
}

// batch plans a field whose resolver takes all rows of a list; the resolver of a single row is left to gqlgen.
func (c compilation) batch(from reflect.Type, f graphql.CollectedField, r resolver, field *graphql.FieldContext) *fieldPlan {
	t := r.method.Type
	rows := reflect.SliceOf(reflect.PointerTo(from))
	if t.NumIn() != 2 || t.In(1) != rows || t.NumOut() != 2 || t.Out(0).Kind() != reflect.Slice {
		return nil
	}
	write, _ := c.value(f.Definition.Type, t.Out(0).Elem(), f.Selections)
	if write == nil {
		return nil
	}
	field.IsResolver = true
	return &fieldPlan{write: write, batch: &batchPlan{resolver: r.bind, rows: rows, field: field}}
}

// resolver is a method of the resolvers of one object type.
type resolver struct {
	object int // the method of ResolverRoot that gives the type's resolvers
	method reflect.Method
}

func (r resolver) bind(root generated.ResolverRoot) reflect.Value {
	objects := reflect.ValueOf(&root).Elem().Method(r.object).Call(nil)[0]
	return objects.Method(r.method.Index)
}

func resolverOf(def *ast.Definition, f graphql.CollectedField) (resolver, bool) {
	object, ok := find(methods(reflect.TypeFor[generated.ResolverRoot]()), def.Name, func(m reflect.Method) string { return m.Name })
	if !ok {
		return resolver{}, false
	}
	method, ok := find(methods(object.Type.Out(0)), f.Name, func(m reflect.Method) string { return m.Name })
	return resolver{object.Index, method}, ok
}

func methods(t reflect.Type) []reflect.Method {
	out := make([]reflect.Method, t.NumMethod())
	for i := range out {
		out[i] = t.Method(i)
	}
	return out
}

// find looks a Go name up by a graph name; the two differ in case only.
func find[T any](among []T, name string, nameOf func(T) string) (T, bool) {
	i := slices.IndexFunc(among, func(t T) bool { return strings.EqualFold(nameOf(t), name) })
	if i < 0 {
		var none T
		return none, false
	}
	return among[i], true
}
