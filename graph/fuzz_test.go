package graph

import (
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"rostrum/errs"
	"rostrum/graph/generated"
	"rostrum/model"
)

// FuzzCompiled runs random queries over the whole schema on random answers of the rooms both ways: what comes is the same to the byte.
func FuzzCompiled(f *testing.F) {
	for seed := range uint64(400) {
		f.Add(seed, "\x00\x1f\"\\/<>&\t\r\n\u2028\u2029\xff\xc3 \U0001F600")
	}
	checkRooms(f)
	wide := Limits{Complexity: 1_000_000, Repeats: 1000, Tokens: 1_000_000, Depth: 50, Query: time.Minute}
	made := func(interpret bool) *Server {
		s := New(Config{Resolvers: rooms{}, Logger: discard, Limits: wide, Interpret: interpret})
		s.exec.AroundFields(invented)
		return s
	}
	walked, written := made(true), made(false)
	f.Fuzz(func(t *testing.T, seed uint64, text string) {
		g := &generator{Rand: rand.New(rand.NewPCG(seed, 1)), schema: walked.Schema()}
		params := graphql.RawParams{Query: g.query(), Variables: map[string]any{"yes": true, "no": false, "maybe": g.some(2)}}
		lower := g.some(3)
		ctx := context.WithValue(t.Context(), worldKey{}, &world{schema: walked.Schema(), seed: seed, text: text})
		want, got := execute(ctx, walked, params, lower), execute(ctx, written, params, lower)
		if want != got {
			t.Errorf("%s\nvariables %v\ngqlgen   %s\ncompiled %s", params.Query, params.Variables, want, got)
		}
		if strings.Contains(want, "GRAPHQL_") && !strings.Contains(want, "OverlappingFields") && !strings.Contains(want, "conflict") {
			t.Errorf("%s\nis not valid: %s", params.Query, want)
		}
	})
}

// generator writes queries.
type generator struct {
	*rand.Rand
	schema *ast.Schema
	depth  int
}

// some is true once in n times.
func (g *generator) some(n int) bool { return g.IntN(n) == 0 }

func pick[T any](g *rand.Rand, from ...T) T { return from[g.IntN(len(from))] }

func (g *generator) query() string {
	fields := slices.DeleteFunc(slices.Clone(g.schema.Query.Fields), func(f *ast.FieldDefinition) bool { return strings.HasPrefix(f.Name, "__") })
	text := "query($yes: Boolean!, $no: Boolean!, $maybe: Boolean!) {"
	for i := range 1 + g.IntN(3) {
		field := pick(g.Rand, fields...)
		text += fmt.Sprintf(" r%d: %s", i, field.Name) + g.arguments(field.Arguments)
		if def := g.schema.Types[field.Type.Name()]; def.IsCompositeType() {
			text += " " + g.selection(def)
		}
	}
	return text + " t: __typename @skip(if: $no) @include(if: $maybe) ...Q } fragment Q on Query { q: __typename @include(if: $yes) }"
}

// arguments gives those that must be given.
func (g *generator) arguments(list ast.ArgumentDefinitionList) string {
	var given []string
	for _, a := range list {
		if a.Type.NonNull && a.DefaultValue == nil {
			given = append(given, a.Name+": "+g.literal(a.Type))
		}
	}
	if len(given) == 0 {
		return ""
	}
	return "(" + strings.Join(given, ", ") + ")"
}

func (g *generator) literal(t *ast.Type) string {
	def := g.schema.Types[t.Name()]
	switch {
	case t.Elem != nil:
		return "[" + g.literal(t.Elem) + "]"
	case def.Kind == ast.Enum:
		return def.EnumValues[0].Name
	case def.Name == "Int" || def.Name == "Float":
		return "1"
	case def.Name == "Boolean":
		return "true"
	}
	return `"x"`
}

// selection picks fields of a type, some of them under other names, under conditions, or inside fragments.
func (g *generator) selection(def *ast.Definition) string {
	g.depth++
	defer func() { g.depth-- }()
	parts := []string{"__typename"}
	if def.IsAbstractType() {
		for _, possible := range g.schema.GetPossibleTypes(def) {
			if g.some(3) {
				parts = append(parts, "... on "+possible.Name+" "+g.selection(possible))
			}
		}
	}
	for _, f := range def.Fields {
		inner := g.schema.Types[f.Type.Name()]
		if g.some(2) || inner.IsCompositeType() && g.depth > 5 || strings.HasPrefix(f.Name, "__") {
			continue
		}
		part := f.Name
		if g.some(4) {
			part = fmt.Sprintf("a%d: %s", g.IntN(1000), f.Name)
		}
		part += g.arguments(f.Arguments) + pick(g.Rand, "", "", "", " @skip(if: $maybe)", " @include(if: $maybe)", " @skip(if: $yes)", " @include(if: true)")
		if inner.IsCompositeType() {
			part += " " + g.selection(inner)
		}
		parts = append(parts, g.wrapped(def, part))
	}
	g.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
	return "{ " + strings.Join(parts, " ") + " }"
}

func (g *generator) wrapped(def *ast.Definition, part string) string {
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

// world is what one run's answers are made from: the same place has the same answer, whoever asks.
type world struct {
	schema *ast.Schema
	seed   uint64
	text   string
}

type worldKey struct{}

func (w *world) at(place string) *inventor {
	h := fnv.New64a()
	h.Write([]byte(place))
	return &inventor{Rand: rand.New(rand.NewPCG(w.seed, h.Sum64())), world: w}
}

// invented answers the fields of the root, and those of other types that are asked for row by row, in the place of the rooms.
func invented(ctx context.Context, next graphql.Resolver) (any, error) {
	field := graphql.GetFieldContext(ctx)
	if field.Object != "Query" || strings.HasPrefix(field.Field.Name, "__") {
		return next(ctx)
	}
	method, ok := find(methods(reflect.TypeFor[generated.QueryResolver]()), field.Field.Name, func(m reflect.Method) string { return m.Name })
	if !ok {
		return next(ctx)
	}
	v := ctx.Value(worldKey{}).(*world).at(field.Field.Alias)
	if v.some(40) {
		return nil, errs.New(errs.Conflict, "not now")
	}
	return v.value(method.Type.Out(0)).Interface(), nil
}

// rooms answers what is asked for all rows at once.
type rooms struct{ generated.ResolverRoot }

func (rooms) Document() generated.DocumentResolver   { return documentRoom{} }
func (rooms) Executive() generated.ExecutiveResolver { return executiveRoom{} }
func (rooms) Link() generated.LinkResolver           { return linkRoom{} }
func (rooms) Persona() generated.PersonaResolver     { return personaRoom{} }
func (rooms) AutoTag() generated.AutoTagResolver     { return autoTagRoom{} }

type (
	documentRoom  struct{ generated.DocumentResolver }
	executiveRoom struct{ generated.ExecutiveResolver }
	linkRoom      struct{ generated.LinkResolver }
	personaRoom   struct{ generated.PersonaResolver }
	autoTagRoom   struct{ generated.AutoTagResolver }
)

func (documentRoom) AutoTags(ctx context.Context, rows []*model.Document) ([][]*model.DocumentAutoTag, error) {
	return forAll[[]*model.DocumentAutoTag](ctx, rows, "autoTags")
}

func (documentRoom) HiddenBy(ctx context.Context, rows []*model.Document) ([][]*model.HiddenReason, error) {
	return forAll[[]*model.HiddenReason](ctx, rows, "hiddenBy")
}

func (documentRoom) AppliedAutoTags(ctx context.Context, rows []*model.Document) ([][]*model.AppliedAutoTag, error) {
	return forAll[[]*model.AppliedAutoTag](ctx, rows, "appliedAutoTags")
}

func (documentRoom) Reactions(ctx context.Context, rows []*model.Document) ([][]*model.Reaction, error) {
	return forAll[[]*model.Reaction](ctx, rows, "reactions")
}

func (executiveRoom) Documents(ctx context.Context, rows []*model.Executive) ([][]*model.Document, error) {
	return forAll[[]*model.Document](ctx, rows, "documents")
}

func (linkRoom) ShortURL(ctx context.Context, rows []*model.Link) ([]string, error) {
	return forAll[string](ctx, rows, "shortUrl")
}

func (linkRoom) Variants(ctx context.Context, rows []*model.Link) ([][]*model.LinkVariant, error) {
	return forAll[[]*model.LinkVariant](ctx, rows, "variants")
}

func (linkRoom) Conversions(ctx context.Context, rows []*model.Link) ([][]*model.ConversionCount, error) {
	return forAll[[]*model.ConversionCount](ctx, rows, "conversions")
}

func (personaRoom) Refinements(ctx context.Context, rows []*model.Persona) ([][]*model.PersonaRefinement, error) {
	return forAll[[]*model.PersonaRefinement](ctx, rows, "refinements")
}

func (autoTagRoom) Examples(ctx context.Context, rows []*model.AutoTag) ([][]*model.AutoTagExample, error) {
	return forAll[[]*model.AutoTagExample](ctx, rows, "examples")
}

// forAll answers each row by what it is, and now and then fails for all.
func forAll[T, R any](ctx context.Context, rows []*R, field string) ([]T, error) {
	out := make([]T, len(rows))
	w, _ := ctx.Value(worldKey{}).(*world)
	for i, row := range rows {
		id := "nil"
		if row != nil {
			id = reflect.ValueOf(row).Elem().FieldByName("ID").String()
		}
		out[i] = w.at(field + id).value(reflect.TypeFor[T]()).Interface().(T)
	}
	if w != nil && w.at(field).some(20) {
		return out, errs.New(errs.Conflict, "not now")
	}
	return out, nil
}

// checkRooms fails for a resolver of the schema that rooms above does not answer.
func checkRooms(f *testing.F) {
	root := reflect.ValueOf(rooms{})
	for i := range root.NumMethod() {
		name := root.Type().Method(i).Name
		if name == "Query" || name == "Mutation" || name == "Subscription" {
			continue
		}
		func() {
			defer func() {
				if recover() != nil {
					f.Errorf("the type rooms of this test must answer all fields of %s", name)
				}
			}()
			room := root.Method(i).Call(nil)[0].Elem()
			for j := range room.NumMethod() {
				m := room.Method(j)
				m.Call([]reflect.Value{reflect.ValueOf(f.Context()), reflect.Zero(m.Type().In(1))})
			}
		}()
	}
}
