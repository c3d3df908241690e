package compile

import (
	"cmp"
	"context"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"rostrum/graph/generated"
)

// appender appends a value's JSON. It returns false where gqlgen would report an error.
type appender func(r *planRun, b []byte, v reflect.Value) ([]byte, bool)

// objectPlan writes the selected fields of one object type from one struct.
type objectPlan struct {
	behind  string // the name of the object if it is behind an interface or union, else empty
	fields  []*fieldPlan
	batches []*fieldPlan // fields with a batch resolver, or with a row that has such a field
}

// fieldPlan writes one field: a constant, a struct field, a method's result or a batch resolver's.
type fieldPlan struct {
	field    graphql.CollectedField
	key      []byte // the alias with its quotes and colon
	constant []byte // the value of __typename
	index    []int  // the struct field
	method   *methodPlan
	batch    *batchPlan
	rows     rowsPlan // of the rows that the value holds, also within lists; nil for scalars
	write    appender
}

// hasBatches reports whether a row within the field's value may have a batch resolver.
func (f *fieldPlan) hasBatches() bool { return f.rows != nil && f.rows.needsLoad() }

// needsLoad implements rowsPlan.
func (p *objectPlan) needsLoad() bool { return len(p.batches) > 0 }

// dependsOnContext reports whether a resolver or the context affects the output. It may then differ
// between clients.
func (p *objectPlan) dependsOnContext() bool {
	for _, f := range p.fields {
		usesContext := f.batch != nil || f.method != nil && f.method.takesContext
		if usesContext || f.rows != nil && f.rows.dependsOnContext() {
			return true
		}
	}
	return false
}

// methodPlan calls a method of the row.
type methodPlan struct {
	index           int
	takesContext    bool
	takesDeprecated bool // the argument includeDeprecated of introspection
	returnsError    bool
	direct          func(row any) *string // calls the method without reflection, which allocates; nil for most methods
	context         *graphql.FieldContext
}

// batchPlan calls a batch resolver with all rows of a level.
type batchPlan struct {
	resolver  func(generated.ResolverRoot) reflect.Value
	rows      reflect.Type // the slice type of its argument
	arguments []batchArgument
}

// batchArgument is an argument of a batch resolver, in the order of the schema. Clients do not see
// all: one that exists for stored operations only is null in theirs.
type batchArgument struct {
	name string
	of   reflect.Type
}

// compiler compiles selections of one operation. Its methods return nil for anything unsupported.
type compiler struct {
	schema *ast.Schema
	op     *graphql.OperationContext
}

// compileValue compiles the values of a schema type with the Go type from. The rows are nil for
// scalars and lists of them.
func (c compiler) compileValue(t *ast.Type, from reflect.Type, selection ast.SelectionSet) (appender, rowsPlan) {
	if t.Elem != nil {
		return c.compileList(t, from, selection)
	}
	inner := from
	if from.Kind() == reflect.Pointer {
		inner = from.Elem()
	}
	write, rows := c.compileNamed(c.schema.Types[t.NamedType], inner, selection)
	if write == nil || inner == from && from.Kind() != reflect.Interface {
		return write, rows
	}
	return func(r *planRun, b []byte, v reflect.Value) ([]byte, bool) {
		if v.IsNil() {
			return append(b, "null"...), !t.NonNull
		}
		return write(r, b, v.Elem())
	}, rows
}

func (c compiler) compileNamed(def *ast.Definition, from reflect.Type, selection ast.SelectionSet) (appender,
	rowsPlan) {
	var object *objectPlan
	switch {
	case def.IsAbstractType() && from.Kind() == reflect.Interface:
		return c.compileAbstract(def, selection)
	case def.IsAbstractType():
		object = c.compilePossible(def, from, selection)
	case def.Kind != ast.Object:
		return scalarAppender(def, from), nil
	default:
		object = c.compileObject(def, from, selection)
	}
	if object == nil {
		return nil, nil
	}
	return object.appendTo, object
}

func (c compiler) compileList(t *ast.Type, from reflect.Type, selection ast.SelectionSet) (appender, rowsPlan) {
	if from.Kind() != reflect.Slice {
		return nil, nil
	}
	write, rows := c.compileValue(t.Elem, from.Elem(), selection)
	if write == nil {
		return nil, nil
	}
	return func(r *planRun, b []byte, v reflect.Value) ([]byte, bool) {
		if v.IsNil() && !t.NonNull {
			return append(b, "null"...), true
		}
		b = append(b, '[')
		var ok bool
		for i := range v.Len() {
			if r.execution.Err() != nil {
				return b, false
			}
			if i > 0 {
				b = append(b, ',')
			}
			if b, ok = write(r, b, v.Index(i)); !ok {
				return b, false
			}
		}
		return append(b, ']'), true
	}, rows
}

func (c compiler) compileObject(def *ast.Definition, from reflect.Type, selection ast.SelectionSet) *objectPlan {
	if from.Kind() != reflect.Struct {
		return nil
	}
	object := &objectPlan{}
	var aliases []string
	for _, f := range graphql.CollectFields(c.op, selection, c.typeNames(def)) {
		if slices.Contains(aliases, f.Alias) {
			continue
		}
		aliases = append(aliases, f.Alias)
		field := c.compileField(def, from, f)
		if field == nil {
			return nil
		}
		field.field, field.key = f, append(strconv.AppendQuote(nil, f.Alias), ':')
		object.fields = append(object.fields, field)
		if field.batch != nil || field.hasBatches() {
			object.batches = append(object.batches, field)
		}
	}
	return object
}

// typeNames returns the type conditions of fragments that apply to an object type.
func (c compiler) typeNames(def *ast.Definition) []string {
	names := []string{def.Name}
	for _, abstract := range c.schema.GetImplements(def) {
		names = append(names, abstract.Name)
	}
	return names
}

// compileField looks a field's source up in gqlgen's order: its resolver, a method, a struct field.
func (c compiler) compileField(def *ast.Definition, from reflect.Type, f graphql.CollectedField) *fieldPlan {
	if f.Name == "__typename" {
		return &fieldPlan{constant: strconv.AppendQuote(nil, def.Name)}
	}
	if len(f.Deferrables) > 0 {
		return nil
	}
	if resolver, ok := findResolver(def, f); ok {
		return c.compileBatch(def, from, f, resolver)
	}
	if len(f.Definition.Arguments) > 0 && !isIntrospection(def) {
		return nil
	}
	name := cmp.Or(generated.MemberNames[def.Name+"."+f.Name], f.Name)
	if method, ok := findByName(methodList.of(reflect.PointerTo(from)), name,
		func(m reflect.Method) string { return m.Name }); ok {
		return c.compileMethod(f, method, &graphql.FieldContext{Object: def.Name, Field: f, IsMethod: true})
	}
	return c.compileMember(from, name, f)
}

// isIntrospection reports whether a type describes the schema. Such a type's only argument is
// includeDeprecated.
func isIntrospection(def *ast.Definition) bool { return strings.HasPrefix(def.Name, "__") }

func (c compiler) compileMember(from reflect.Type, name string, f graphql.CollectedField) *fieldPlan {
	member, ok := findByName(fieldList.of(from), name, func(m reflect.StructField) string { return m.Name })
	if !ok || !member.IsExported() {
		return nil
	}
	write, rows := c.compileValue(f.Definition.Type, member.Type, f.Selections)
	if write == nil {
		return nil
	}
	return &fieldPlan{index: member.Index, write: write, rows: rows}
}

func (c compiler) compileMethod(f graphql.CollectedField, method reflect.Method,
	field *graphql.FieldContext) *fieldPlan {
	t := method.Type
	call := &methodPlan{index: method.Index, context: field}
	call.takesContext = t.NumIn() == 2 && t.In(1) == reflect.TypeFor[context.Context]()
	call.returnsError = t.NumOut() == 2 && t.Out(1) == reflect.TypeFor[error]()
	call.direct = directMethod(method.Name, t.In(0))
	call.takesDeprecated = t.NumIn() == 2 && t.In(1) == reflect.TypeFor[bool]() &&
		f.Definition.Arguments.ForName("includeDeprecated") != nil
	if t.NumIn() != 1 && !call.takesContext && !call.takesDeprecated || t.NumOut() != 1 && !call.returnsError {
		return nil
	}
	write, rows := c.compileValue(f.Definition.Type, t.Out(0), f.Selections)
	if write == nil {
		return nil
	}
	return &fieldPlan{method: call, write: write, rows: rows}
}

// Names of parties are computed for each row of the longest lists.
type (
	companyNamer   interface{ CompanyName() *string }
	executiveNamer interface{ ExecutiveName() *string }
)

// directMethod returns a function that calls the method on rows of a pointer type. It is nil unless
// an interface above has the method.
func directMethod(name string, row reflect.Type) func(row any) *string {
	switch {
	case name == "CompanyName" && row.Implements(reflect.TypeFor[companyNamer]()):
		return func(row any) *string { return row.(companyNamer).CompanyName() } //nolint:forcetypeassert // checked above
	case name == "ExecutiveName" && row.Implements(reflect.TypeFor[executiveNamer]()):
		return func(row any) *string { return row.(executiveNamer).ExecutiveName() } //nolint:forcetypeassert // checked above
	}
	return nil
}

// compileBatch compiles a field with a resolver that takes all rows of a level. It does not support
// a resolver of a single row.
func (c compiler) compileBatch(def *ast.Definition, from reflect.Type, f graphql.CollectedField,
	r resolverMethod) *fieldPlan {
	t, arguments := r.method.Type, def.Fields.ForName(f.Name).Arguments
	list := reflect.SliceOf(reflect.PointerTo(from))
	if t.NumIn() != 2+len(arguments) || t.In(1) != list || t.NumOut() != 2 ||
		t.Out(0).Kind() != reflect.Slice {
		return nil
	}
	write, rows := c.compileValue(f.Definition.Type, t.Out(0).Elem(), f.Selections)
	if write == nil {
		return nil
	}
	batch := &batchPlan{resolver: r.bindTo, rows: list}
	for i, argument := range arguments {
		batch.arguments = append(batch.arguments, batchArgument{argument.Name, t.In(2 + i)})
	}
	return &fieldPlan{write: write, rows: rows, batch: batch}
}

// resolverMethod is a method of the resolvers of one object type.
type resolverMethod struct {
	object int // the index of the ResolverRoot method that returns the type's resolvers
	method reflect.Method
}

func (r resolverMethod) bindTo(root generated.ResolverRoot) reflect.Value {
	objects := reflect.ValueOf(&root).Elem().Method(r.object).Call(nil)[0]
	return objects.Method(r.method.Index)
}

func findResolver(def *ast.Definition, f graphql.CollectedField) (resolverMethod, bool) {
	methodName := func(m reflect.Method) string { return m.Name }
	object, ok := findByName(methodList.of(reflect.TypeFor[generated.ResolverRoot]()), def.Name, methodName)
	if !ok {
		return resolverMethod{}, false
	}
	method, ok := findByName(methodList.of(object.Type.Out(0)), f.Name, methodName)
	return resolverMethod{object.Index, method}, ok
}

// memberList holds a type's methods or fields, because a type has up to hundreds and compilation
// asks for one at a time.
type memberList[T any] struct {
	byType sync.Map // reflect.Type → []T
	list   func(reflect.Type) []T
}

// of returns the members of a type. Callers do not change the list.
func (m *memberList[T]) of(t reflect.Type) []T {
	if known, ok := m.byType.Load(t); ok {
		return known.([]T) //nolint:forcetypeassert // stored below
	}
	members := m.list(t)
	m.byType.Store(t, members)
	return members
}

var (
	methodList = memberList[reflect.Method]{list: func(t reflect.Type) []reflect.Method {
		return slices.Collect(t.Methods())
	}}
	fieldList = memberList[reflect.StructField]{list: reflect.VisibleFields}
)

// findByName returns the item with the Go name of a schema name; the two differ in case only.
func findByName[T any](items []T, name string, nameOf func(T) string) (T, bool) {
	i := slices.IndexFunc(items, func(t T) bool { return strings.EqualFold(nameOf(t), name) })
	if i < 0 {
		var zero T
		return zero, false
	}
	return items[i], true
}
