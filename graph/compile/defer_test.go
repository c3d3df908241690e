package compile_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"rostrum/errs"
	"rostrum/graph"
	"rostrum/graph/incremental"
	"rostrum/graph/policy"
	"rostrum/model"
	"rostrum/platform/principal"
)

// deferred returns a part in a deferred fragment, sometimes beside the same part outside of it.
func (g *queryGenerator) deferred(def *ast.Definition, part string) string {
	g.aliases++
	condition := pickRandom(g.Rand, "", "", ", if: $yes", ", if: $maybe", ", if: false")
	fragment := fmt.Sprintf(`... on %s @defer(label: "l%d"%s) { %s }`, def.Name, g.aliases, condition, part)
	switch g.IntN(4) {
	case 0:
		return part + " " + fragment
	case 1:
		return fmt.Sprintf(`... @defer { __typename %s }`, fragment)
	}
	return fragment
}

// FuzzDefer runs random queries with @defer over the whole schema. In both formats the merged
// deliveries must equal the response of the same query without deliveries. Where that has errors,
// each value that both have must be equal. An operation with too many fragments is refused.
func FuzzDefer(f *testing.F) {
	for seed := range uint64(150) {
		f.Add(seed)
	}
	s := graph.New(graph.Config{Resolvers: fakeResolvers{}, Policy: policy.Config{
		Logger: slog.New(slog.DiscardHandler), Limits: policy.Limits{
			Complexity: math.MaxInt, Rows: math.MaxInt, Breadth: 1000, Repeats: 1000, Text: 10 << 20, Tokens: 1_000_000,
			Depth: 50, Errors: 1_000_000, Query: time.Minute,
		},
	}})
	s.Executor().AroundFields(inventField)
	f.Fuzz(func(t *testing.T, seed uint64) {
		g := &queryGenerator{Rand: rand.New(rand.NewPCG(seed, 3)), schema: s.Schema(), depth: 2,
			variables: map[string]any{"yes": true, "no": false}, defers: true}
		g.variables["maybe"] = g.oneIn(2)
		params := graphql.RawParams{Query: g.query(), Variables: g.variables}
		ctx := context.WithValue(t.Context(), worldKey{}, &valueWorld{schema: s.Schema(), seed: seed, text: "text"})
		// Errors follow the data; a null ends at another place in a part.
		want := json.NewDecoder(strings.NewReader(executeQuery(ctx, s, params, false)))
		var whole any
		if err := want.Decode(&whole); err != nil {
			t.Fatal(err)
		}
		equal := reflect.DeepEqual
		if want.More() {
			equal = agree
		}
		for _, format := range []incremental.Format{incremental.Spec2022, incremental.SpecV02} {
			got, texts := mergeDeliveries(ctx, t, s, params, format)
			if len(texts) > 0 && !equal(got, whole) {
				t.Errorf("format %d\n%s\nvariables %v\nmerged %v\nwhole  %v\n%s", format, params.Query, params.Variables, got, whole,
					strings.Join(texts, "\n"))
			}
		}
	})
}

// agree reports whether two values are equal as far as both have them.
func agree(a, b any) bool {
	if a == nil || b == nil {
		return true
	}
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		for name, value := range a {
			ok = ok && agree(value, b[name])
		}
		return ok
	case []any:
		b, ok := b.([]any)
		ok = ok && len(a) == len(b)
		for i := range a {
			ok = ok && agree(a[i], b[i])
		}
		return ok
	}
	return reflect.DeepEqual(a, b)
}

// delivery is a response after the first in both formats.
type delivery struct {
	Pending []struct {
		ID   string
		Path []any
	}
	Incremental []struct {
		ID            string
		Path, SubPath []any
		Data          map[string]any
		Errors        []any
	}
	Completed []struct {
		ID     string
		Errors []any
	}
	Data    any
	HasNext bool
}

// mergeDeliveries runs an operation and merges its responses as clients do. It returns no texts for
// an operation with more fragments than are delivered.
func mergeDeliveries(ctx context.Context, t *testing.T, s *graph.Server, params graphql.RawParams,
	format incremental.Format) (merged any, texts []string) {
	ctx = principal.With(graphql.StartOperationTrace(ctx), principal.Principal{Scopes: []model.Scope{model.ScopeAdmin}})
	ctx, d := incremental.WithDelivery(ctx, format)
	op, failed := s.Executor().CreateOperationContext(ctx, &params)
	if failed != nil {
		t.Fatal(failed)
	}
	responses, inner := s.Executor().DispatchOperation(ctx, op)
	resp := responses(inner)
	if resp.Data == nil && strings.Contains(resp.Errors[0].Message, "deferred fragments") {
		if code := resp.Errors[0].Extensions["code"]; code != string(errs.LimitExceeded) {
			t.Errorf("too many fragments are refused with %v", code)
		}
		return nil, nil
	}
	read := delivery{}
	decodeText(t, fmt.Appendf(nil, `{"data":%s,"pending":%s}`, resp.Data, orNull(d.Pending())), &read)
	merged = read.Data
	texts = append(texts, string(resp.Data)+string(d.Pending()))
	pending := map[string][]any{}
	for {
		for _, p := range read.Pending {
			pending[p.ID] = p.Path
		}
		if resp.HasNext == nil || !*resp.HasNext {
			break
		}
		if resp = responses(inner); resp == nil {
			t.Fatalf("no response after %v", texts)
		}
		body, err := d.Encode(resp)
		if err != nil {
			t.Fatal(err)
		}
		read = delivery{}
		decodeText(t, body, &read)
		texts = append(texts, string(body))
		for _, part := range read.Incremental {
			path := part.Path
			if format == incremental.SpecV02 {
				path = append(append([]any{}, pending[part.ID]...), part.SubPath...)
			}
			mergePart(t, at(merged, path), part.Data, format == incremental.SpecV02)
		}
		for _, done := range read.Completed {
			delete(pending, done.ID)
		}
	}
	if len(pending) > 0 {
		t.Errorf("%v is never completed", pending)
	}
	return merged, texts
}

func orNull(text json.RawMessage) json.RawMessage {
	if text == nil {
		return json.RawMessage("null")
	}
	return text
}

func decodeText(t *testing.T, text []byte, into any) {
	t.Helper()
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
}

// at returns the value at a path, which must exist.
func at(value any, path []any) any {
	for _, element := range path {
		switch element := element.(type) {
		case string:
			value = value.(map[string]any)[element]
		case float64:
			value = value.([]any)[int(element)]
		}
	}
	return value
}

// mergePart adds a part to an object. If nothing may be delivered twice, a known member fails.
func mergePart(t *testing.T, into any, data map[string]any, once bool) {
	object, ok := into.(map[string]any)
	if !ok {
		t.Fatalf("%v is for %v, which is no object", data, into)
	}
	for name, value := range data {
		known, has := object[name]
		if has && once {
			t.Fatalf("%s of %v is delivered again", name, object)
		}
		if has {
			value = mergeValue(t, known, value)
		}
		object[name] = value
	}
}

func mergeValue(t *testing.T, known, value any) any {
	switch value := value.(type) {
	case map[string]any:
		if _, ok := known.(map[string]any); ok {
			mergePart(t, known, value, false)
			return known
		}
	case []any:
		list, ok := known.([]any)
		for i := range value {
			if ok && i < len(list) {
				value[i] = mergeValue(t, list[i], value[i])
			}
		}
	}
	return value
}
