package rest_test

import (
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"rostrum/errs"
	"rostrum/graph"
	"rostrum/model"
	"rostrum/platform/principal"
	"rostrum/rest"
)

// maxRows holds the largest page of each variable that sets one.
var maxRows = map[string]int{"per_page": 100, "limit": 200, "first": 100, "last": 100}

// TestLimits runs every stored operation with the largest page that it accepts through the policy
// of the graph, without resolving it.
func TestLimits(t *testing.T) {
	t.Parallel()
	server := graph.New(graph.Config{})
	adapter, err := rest.New(rest.Config{Schema: server.FullSchema(), Executor: server.StoredExecutor()})
	if err != nil {
		t.Fatal(err)
	}
	server.WrapQueryCache(adapter.QueryCache)
	ctx := principal.With(t.Context(), principal.Principal{WorkspaceID: "wsp_1",
		Scopes: []model.Scope{model.ScopeAdmin}})
	for name, text := range adapter.Operations() {
		doc := gqlparser.MustLoadQueryWithRules(server.FullSchema(), text, nil)
		variables := map[string]any{}
		for _, v := range doc.Operations[0].VariableDefinitions {
			if rows := maxRows[v.Variable]; rows > 0 {
				variables[v.Variable] = rows
			} else if v.Type.NonNull {
				variables[v.Variable] = sampleValue(server.FullSchema(), v.Type)
			}
		}
		_, failed := server.Executor().CreateOperationContext(graphql.StartOperationTrace(ctx),
			&graphql.RawParams{Query: text, Variables: variables})
		// the policy checks other rules after its limits
		if failed != nil && !errs.Is(failed[0].Err, errs.ValidationFailed) {
			t.Errorf("%s: %v", name, failed)
		}
	}
}

// sampleValue returns a value of an input type with its required fields.
func sampleValue(schema *ast.Schema, t *ast.Type) any {
	if t.Elem != nil {
		return []any{sampleValue(schema, t.Elem)}
	}
	switch def := schema.Types[t.NamedType]; {
	case def.Kind == ast.Enum:
		return def.EnumValues[0].Name
	case def.Kind == ast.InputObject:
		fields := map[string]any{}
		for _, f := range def.Fields {
			if f.Type.NonNull && f.DefaultValue == nil {
				fields[f.Name] = sampleValue(schema, f.Type)
			}
		}
		return fields
	case def.Name == "Int" || def.Name == "Float":
		return 1
	case def.Name == "Boolean":
		return true
	case def.Name == "URL":
		return "https://example.com/"
	case def.Name == "Time":
		return "2026-01-01T00:00:00Z"
	case def.Name == "Upload":
		return graphql.Upload{}
	}
	return "text"
}
