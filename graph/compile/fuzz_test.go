package compile_test

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"log/slog"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"rostrum/errs"
	"rostrum/graph"
	"rostrum/graph/compile"
	"rostrum/graph/generated"
	"rostrum/graph/policy"
	"rostrum/model"
	"rostrum/platform/principal"
)

// FuzzCompiled runs random queries over the whole schema on random values, with and without
// compiled selections. It compares the responses byte by byte.
func FuzzCompiled(f *testing.F) {
	for seed := range uint64(150) {
		f.Add(seed, "\x00\x1f\"\\/<>&\t\r\n\u2028\u2029\xff\xc3 \U0001F600")
	}
	limits := policy.Limits{
		Complexity: math.MaxInt, Rows: math.MaxInt, Breadth: 1000, Repeats: 1000, Text: 10 << 20, Tokens: 1_000_000,
		Depth: 50, Errors: 1_000_000,
		Query: time.Minute,
	}
	newServer := func(interpret bool) *graph.Server {
		logger := slog.New(slog.DiscardHandler)
		s := graph.New(graph.Config{Resolvers: fakeResolvers{}, Policy: policy.Config{Logger: logger, Limits: limits},
			Interpret: interpret})
		s.Executor().AroundFields(inventField)
		return s
	}
	interpreted, compiled := newServer(true), newServer(false)
	f.Fuzz(func(t *testing.T, seed uint64, text string) {
		g := &queryGenerator{Rand: rand.New(rand.NewPCG(seed, 1)), schema: interpreted.Schema(),
			variables: map[string]any{"yes": true, "no": false}}
		g.variables["maybe"] = g.oneIn(2)
		params := graphql.RawParams{Query: g.query(), Variables: g.variables}
		lower := g.oneIn(3)
		ctx := context.WithValue(t.Context(), worldKey{},
			&valueWorld{schema: interpreted.Schema(), seed: seed, text: text})
		want, got := executeQuery(ctx, interpreted, params, lower), executeQuery(ctx, compiled, params, lower)
		if want != got {
			t.Errorf("%s\nvariables %v\ngqlgen   %s\ncompiled %s", params.Query, params.Variables, want, got)
		}
		if strings.Contains(want, "GRAPHQL_") || strings.Contains(want, string(errs.ValidationFailed)) {
			t.Errorf("%s\nvariables %v\nis not valid: %s", params.Query, params.Variables, want)
		}
	})
}

// executeQuery runs an operation and returns its data and sorted errors as text.
func executeQuery(ctx context.Context, s *graph.Server, params graphql.RawParams, lower bool) string {
	ctx = principal.With(graphql.StartOperationTrace(ctx), principal.Principal{Scopes: []model.Scope{model.ScopeAdmin}})
	if lower {
		ctx = model.WithLowerEnums(ctx)
	}
	op, failed := s.Executor().CreateOperationContext(ctx, &params)
	if failed != nil {
		return fmt.Sprint(failed, failed[0].Extensions)
	}
	responses, ctx := s.Executor().DispatchOperation(ctx, op)
	resp := responses(ctx)
	var problems []string
	for _, e := range resp.Errors {
		// gqlgen returns a panic without a location at first
		problems = append(problems, fmt.Sprint(e.Path, e.Message, e.Extensions))
	}
	slices.Sort(problems)
	return string(resp.Data) + strings.Join(problems, "\n")
}

// queryGenerator writes queries.
type queryGenerator struct {
	*rand.Rand
	schema      *ast.Schema
	depth       int
	inputDepth  int
	inVariable  bool     // whether a value of a variable is written, which has no variables
	definitions []string // of the variables of inputs
	variables   map[string]any
	aliases     int  // that were given
	defers      bool // whether to defer some fragments
}

// oneIn returns true once in n times.
func (g *queryGenerator) oneIn(n int) bool { return g.IntN(n) == 0 }

func pickRandom[T any](g *rand.Rand, from ...T) T { return from[g.IntN(len(from))] }

func (g *queryGenerator) query() string {
	fields := slices.DeleteFunc(slices.Clone(g.schema.Query.Fields),
		func(f *ast.FieldDefinition) bool { return strings.HasPrefix(f.Name, "__") })
	text := ""
	for i := range 1 + g.IntN(3) {
		field := pickRandom(g.Rand, fields...)
		text += fmt.Sprintf(" r%d: %s", i, field.Name) + g.arguments(field.Arguments)
		if def := g.schema.Types[field.Type.Name()]; def.IsCompositeType() {
			text += " " + g.selection(def, nil)
		}
	}
	head := "query(" + strings.Join(append([]string{"$yes: Boolean!, $no: Boolean!, $maybe: Boolean!"},
		g.definitions...), ", ") + ") {"
	return head + text + " t: __typename @skip(if: $no) @include(if: $maybe) ...Q } fragment Q on Query { q: __typename @include(if: $yes) }"
}

// selection picks fields of a type, some with aliases, directives, or in fragments. The type may be
// a possible one of an abstract type.
func (g *queryGenerator) selection(def, abstract *ast.Definition) string {
	g.depth++
	defer func() { g.depth-- }()
	parts := []string{"__typename"}
	if def.IsAbstractType() {
		for _, possible := range g.schema.GetPossibleTypes(def) {
			if g.oneIn(3) {
				parts = append(parts, "... on "+possible.Name+" "+g.selection(possible, def))
			}
		}
	}
	for _, f := range def.Fields {
		inner := g.schema.Types[f.Type.Name()]
		if g.oneIn(2) || inner.IsCompositeType() && !g.goesDeeper() || strings.HasPrefix(f.Name, "__") {
			continue
		}
		part := f.Name
		if g.oneIn(4) || abstract != nil && g.mayConflict(abstract, f) {
			g.aliases++
			part = fmt.Sprintf("a%d: %s", g.aliases, f.Name)
		}
		part += g.arguments(f.Arguments) + pickRandom(g.Rand, "", "", "", " @skip(if: $maybe)", " @include(if: $maybe)",
			" @skip(if: $yes)", " @include(if: true)")
		if inner.IsCompositeType() {
			part += " " + g.selection(inner, nil)
		}
		parts = append(parts, g.wrapped(def, part))
	}
	g.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
	return "{ " + strings.Join(parts, " ") + " }"
}

// goesDeeper reports whether to select objects within the current one. Deep ones have few, because
// a query that is wide at all levels takes its time in the parser and the validator.
func (g *queryGenerator) goesDeeper() bool { return g.depth < 4 || g.depth < 6 && g.oneIn(4) }

// mayConflict reports whether a field of a possible type can differ from another possible type's
// field of that name, in its type, its arguments or its selection. A query with fields that differ
// under one name is not executed.
func (g *queryGenerator) mayConflict(abstract *ast.Definition, f *ast.FieldDefinition) bool {
	if len(f.Arguments) > 0 || g.schema.Types[f.Type.Name()].IsCompositeType() {
		return true
	}
	return slices.ContainsFunc(g.schema.GetPossibleTypes(abstract), func(other *ast.Definition) bool {
		same := other.Fields.ForName(f.Name)
		return same != nil && same.Type.String() != f.Type.String()
	})
}

func (g *queryGenerator) wrapped(def *ast.Definition, part string) string {
	if g.defers && g.oneIn(4) {
		return g.deferred(def, part)
	}
	switch g.IntN(8) {
	case 0:
		return "... { " + part + " }"
	case 1:
		return "... on " + def.Name + " @include(if: $maybe) { " + part + " }"
	case 2:
		return part + " " + part
	}
	return part
}

// valueWorld seeds the values of one run: the same position always gets the same value.
type valueWorld struct {
	schema *ast.Schema
	seed   uint64
	text   string
}

type worldKey struct{}

func (w *valueWorld) at(place string) *valueGenerator {
	h := fnv.New64a()
	h.Write([]byte(place))
	return &valueGenerator{Rand: rand.New(rand.NewPCG(w.seed, h.Sum64())), world: w}
}

// inventField resolves the root fields with random values.
func inventField(ctx context.Context, next graphql.Resolver) (any, error) {
	field := graphql.GetFieldContext(ctx)
	if field.Object != "Query" || strings.HasPrefix(field.Field.Name, "__") {
		return next(ctx)
	}
	method, ok := compile.FindMethod(compile.MethodsOf(reflect.TypeFor[generated.QueryResolver]()), field.Field.Name)
	if !ok {
		return next(ctx)
	}
	v := ctx.Value(worldKey{}).(*valueWorld).at(field.Field.Alias)
	if v.some(40) {
		return nil, errs.New(errs.Conflict, "not now")
	}
	return v.value(method.Type.Out(0)).Interface(), nil
}

// forAll returns a random value per row, by its id and the field's arguments, or sometimes an
// error.
func forAll[T, R any](ctx context.Context, rows []*R, field string, arguments ...any) ([]T, error) {
	if len(arguments) > 0 {
		text, err := json.Marshal(arguments)
		if err != nil {
			return nil, err
		}
		field += string(text)
	}
	out := make([]T, len(rows))
	w, _ := ctx.Value(worldKey{}).(*valueWorld)
	for i, row := range rows {
		id := "nil"
		if row != nil {
			id = fmt.Sprint(reflect.ValueOf(row).Elem().FieldByName("ID"))
		}
		out[i] = w.at(field + id).value(reflect.TypeFor[T]()).Interface().(T)
	}
	if w != nil && w.at(field).some(20) {
		return out, errs.New(errs.Conflict, "not now")
	}
	return out, nil
}
