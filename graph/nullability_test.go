package graph

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"rostrum/graph/generated"
)

// derivedFields are objects with resolvers that run no statement and return no error.
var derivedFields = []string{"Draft.metadata"}

// TestNullability checks that a failed part leaves the rest of a response: what runs a statement of
// its own may be null.
func TestNullability(t *testing.T) {
	t.Parallel()
	schema := FullSchema()
	for _, root := range []*ast.Definition{schema.Query, schema.Mutation} {
		for _, field := range root.Fields {
			if field.Type.NonNull && !strings.HasPrefix(field.Name, "__") {
				t.Errorf("%s.%s is a root field and must be nullable", root.Name, field.Name)
			}
		}
	}
	edges := 0
	for typeName, fieldName := range resolvedFields() {
		for _, name := range fieldName {
			field := fieldNamed(schema.Types[typeName], name)
			if field == nil {
				t.Errorf("%s has no field %s", typeName, name)
				continue
			}
			if kind := schema.Types[field.Type.Name()].Kind; kind == ast.Scalar || kind == ast.Enum {
				continue
			}
			if edges++; field.Type.NonNull && !slices.Contains(derivedFields, typeName+"."+field.Name) {
				t.Errorf("%s.%s has a resolver of its own and must be nullable", typeName, field.Name)
			}
		}
	}
	if edges < 100 {
		t.Errorf("the schema has %d edges, which cannot be all", edges)
	}
	for _, def := range schema.Types {
		for _, field := range def.Fields {
			if field.Type.NonNull && field.Directives.ForName("semanticNonNull") != nil {
				t.Errorf("%s.%s is non-null and needs no @semanticNonNull", def.Name, field.Name)
			}
		}
	}
}

// resolvedFields returns the names of the fields that have a resolver, by type.
func resolvedFields() map[string][]string {
	out := map[string][]string{}
	root := reflect.TypeFor[generated.ResolverRoot]()
	for i := range root.NumMethod() {
		name := root.Method(i).Name
		if name == "Query" || name == "Mutation" || name == "Subscription" {
			continue
		}
		resolver := root.Method(i).Type.Out(0)
		for j := range resolver.NumMethod() {
			out[name] = append(out[name], resolver.Method(j).Name)
		}
	}
	return out
}

// fieldNamed returns the field with the Go name.
func fieldNamed(def *ast.Definition, name string) *ast.FieldDefinition {
	if def == nil {
		return nil
	}
	for _, field := range def.Fields {
		if strings.EqualFold(field.Name, name) {
			return field
		}
	}
	return nil
}
