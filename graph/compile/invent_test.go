package compile_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"sync"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"rostrum/errs"
	"rostrum/graph/compile"
	"rostrum/graph/generated"
	"rostrum/model"
)

// valueGenerator creates values of the types that resolvers return.
type valueGenerator struct {
	*rand.Rand
	world *valueWorld
	depth int
}

func (v *valueGenerator) some(n int) bool { return v.IntN(n) == 0 }

// value returns a value of the type; values below the maximum depth of a query are empty.
func (v *valueGenerator) value(t reflect.Type) reflect.Value {
	v.depth++
	defer func() { v.depth-- }()
	out := reflect.New(t).Elem()
	switch t {
	case reflect.TypeFor[time.Time]():
		zone := pickRandom(v.Rand, time.UTC, time.FixedZone("", 3600))
		out.Set(reflect.ValueOf(pickRandom(v.Rand, time.Time{},
			time.Date(2026, 1, 1, 0, 0, 0, v.IntN(3)*123456000, zone))))
		return out
	case reflect.TypeFor[json.RawMessage]():
		out.SetBytes([]byte(pickRandom(v.Rand, "", "null", `{"a":[1,"<b>"],"b":{}}`, `"x"`, "[1.50]")))
		return out
	}
	switch t.Kind() {
	case reflect.Pointer:
		if v.depth < 12 && !v.some(12) {
			out.Set(reflect.New(t.Elem()))
			out.Elem().Set(v.value(t.Elem()))
		}
	case reflect.Struct:
		v.fill(out)
	case reflect.Slice:
		v.list(out)
	case reflect.Func:
		v.function(out)
	case reflect.Interface:
		if row, ok := v.implementing(t); ok {
			out.Set(row)
		}
	default:
		v.plain(out)
	}
	return out
}

func (v *valueGenerator) plain(out reflect.Value) {
	switch out.Kind() {
	case reflect.String:
		out.SetString(pickRandom(v.Rand, v.world.text, "", "word", fmt.Sprint("id_", v.IntN(1000))))
		def := v.world.schema.Types[out.Type().Name()]
		if def != nil && def.Kind == ast.Enum && out.Type().Implements(reflect.TypeFor[graphql.ContextMarshaler]()) &&
			!v.some(50) {
			out.SetString(strings.ToLower(pickRandom(v.Rand, def.EnumValues...).Name))
			if v.some(10) {
				out.SetString("")
			}
		}
	case reflect.Bool:
		out.SetBool(v.some(2))
	case reflect.Int, reflect.Int64, reflect.Int32:
		out.SetInt(int64(v.IntN(3000) - 1000))
	case reflect.Float64:
		out.SetFloat(pickRandom(v.Rand, 0, 0.5, 1e-7, 1e21, 123456789, -2, math.MaxFloat64, math.SmallestNonzeroFloat64,
			v.Float64()))
		if v.some(60) {
			out.SetFloat(pickRandom(v.Rand, math.NaN(), math.Inf(1)))
		}
	}
}

func (v *valueGenerator) fill(out reflect.Value) {
	for i := range out.NumField() {
		field := out.Type().Field(i)
		switch {
		case !field.IsExported():
		case field.Anonymous && field.Type.Kind() == reflect.Pointer: // embedded rows are never nil
			out.Field(i).Set(reflect.New(field.Type.Elem()))
			out.Field(i).Elem().Set(v.value(field.Type.Elem()))
		default:
			out.Field(i).Set(v.value(field.Type))
		}
	}
	if job, ok := out.Addr().Interface().(*model.Job); ok {
		v.fillJob(job)
	}
	nodes, cursors := out.FieldByName("Nodes"), out.FieldByName("Cursors")
	if nodes.IsValid() && cursors.IsValid() {
		cursors.Set(reflect.MakeSlice(cursors.Type(), nodes.Len(), nodes.Len()))
		for i := range nodes.Len() {
			cursors.Index(i).SetString(fmt.Sprint("cursor_", i))
		}
		out.FieldByName("PerPage").SetInt(20)
	}
}

func (v *valueGenerator) list(out reflect.Value) {
	if v.some(5) || v.depth > 10 {
		return
	}
	n := v.IntN(4)
	out.Set(reflect.MakeSlice(out.Type(), n, n))
	for i := range n {
		element := v.value(out.Type().Elem())
		for element.Kind() == reflect.Pointer && element.IsNil() && !v.some(15) && v.depth < 11 {
			element = v.value(out.Type().Elem())
		}
		out.Index(i).Set(element)
	}
}

// function creates a row's method that always returns the same value, or sometimes an error or a
// panic.
func (v *valueGenerator) function(out reflect.Value) {
	results := make([]reflect.Value, out.Type().NumOut())
	fails, panics := v.some(20), v.some(40)
	for i := range results {
		results[i] = reflect.Zero(out.Type().Out(i))
		if out.Type().Out(i) != reflect.TypeFor[error]() {
			results[i] = v.value(out.Type().Out(i))
		} else if fails {
			results[i] = reflect.ValueOf(errs.New(errs.Conflict, "not now"))
			results[i] = results[i].Convert(reflect.TypeFor[error]())
		}
	}
	out.Set(reflect.MakeFunc(out.Type(), func([]reflect.Value) []reflect.Value {
		if panics {
			panic("not now")
		}
		return results
	}))
}

func (v *valueGenerator) implementing(t reflect.Type) (reflect.Value, bool) {
	var fit []reflect.Type
	for _, known := range knownTypes() {
		if t.NumMethod() > 0 && known.Implements(t) {
			fit = append(fit, known)
		}
	}
	if len(fit) == 0 || t == reflect.TypeFor[error]() || t == reflect.TypeFor[context.Context]() {
		return reflect.Value{}, false
	}
	row := reflect.New(pickRandom(v.Rand, fit...).Elem())
	row.Elem().Set(v.value(row.Type().Elem()))
	return row, true
}

// knownTypes returns the row types that are reachable from the root fields.
var knownTypes = sync.OnceValue(func() []reflect.Type {
	var known []reflect.Type
	seen := map[reflect.Type]bool{}
	var walk func(t reflect.Type)
	walk = func(t reflect.Type) {
		if seen[t] {
			return
		}
		seen[t] = true
		switch t.Kind() {
		case reflect.Pointer:
			if t.Elem().Kind() == reflect.Struct {
				known = append(known, t)
			}
			walk(t.Elem())
		case reflect.Slice:
			walk(t.Elem())
		case reflect.Struct:
			for i := range t.NumField() {
				walk(t.Field(i).Type)
			}
		}
	}
	for _, m := range compile.MethodsOf(reflect.TypeFor[generated.QueryResolver]()) {
		walk(m.Type.Out(0))
	}
	return known
})
