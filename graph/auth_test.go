package graph

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"rostrum/errs"
	"rostrum/graph/policy"
	"rostrum/model"
)

func TestKeys(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, key, query string
		status           int
		want             string
	}{
		{"without a key the schema is described", "",
			`{ __typename __schema { queryType { name } } __type(name: "Document") { name } }`, 200, `"name":"Query"`},
		{"without a key only the schema is available", "", `{ __typename documentCount }`, 401,
			`"code":"unauthenticated"`},
		{"a field in a fragment needs a key too", "", `{ ...F } fragment F on Query { ... { count: documentCount } }`,
			401, `"code":"unauthenticated"`},
		{"a wrong key", "nobody's", `{ __typename }`, 401, `"code":"invalid_key"`},
		{"an expired key", expiredKey, `{ __typename }`, 401, `"code":"key_expired"`},
		{"the read scope allows queries", readKey, `{ documentCount }`, 200, `{"data":{"documentCount":2}}`},
		{"the read scope rejects mutations", readKey,
			`mutation { createDocument(input: {title: "a", content: "b"}) { document { id } } }`, 200,
			`"needs":"write"`},
		{"the write scope rejects key management", writeKey, `{ ...F } fragment F on Query { keys { nodes { id } } }`,
			200, `"code":"insufficient_scope"`},
		{"a scope holds below the root", writeKey,
			`{ workspace { ...F } } fragment F on Workspace { members { nodes { user { name email } } } }`, 200,
			`email needs the scope admin`},
		{"a scope holds for nodes", readKey, `{ node(id: "usr_1") { ... on User { auditEntries { totalCount } } } }`,
			200, `"code":"insufficient_scope"`},
		{"the admin scope allows all operations", adminKey, `{ keys { nodes { scopes } } }`, 200,
			`{"data":{"keys":{"nodes":[{"scopes":["ADMIN"]}]}}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := newTestBundle(t)
			r := b.post(t, c.key, c.query)
			r.want(t, c.status, c.want)
			if (r.header.Get("WWW-Authenticate") != "") != (c.status == 401) {
				t.Errorf("WWW-Authenticate: %q", r.header.Get("WWW-Authenticate"))
			}
			if c.status != 200 && b.calls.Load() != 0 {
				t.Error("a resolver ran")
			}
		})
	}
}

// TestScopes checks every root field, so that a new field cannot be public by accident.
func TestScopes(t *testing.T) {
	t.Parallel()
	b := newTestBundle(t)
	schema := b.server.Schema()
	above := map[model.Scope]string{model.ScopeWrite: readKey, model.ScopeAdmin: writeKey}
	for kind, root := range map[ast.Operation]*ast.Definition{
		ast.Query: schema.Query, ast.Mutation: schema.Mutation, ast.Subscription: schema.Subscription,
	} {
		for _, field := range root.Fields {
			if strings.HasPrefix(field.Name, "__") {
				continue
			}
			text := string(kind) + " " + rootSelection(schema, field)
			b.post(t, "", text, "Accept", "application/json, text/event-stream").
				want(t, http.StatusUnauthorized, `"code":"unauthenticated"`)
			need := policy.ScopeOf(kind, field)
			if key := above[need]; key != "" {
				b.post(t, key, text, "Accept", typeResponse).
					want(t, http.StatusForbidden, `"code":"insufficient_scope"`, fmt.Sprintf(`"needs":%q`, need))
			}
		}
	}
	if b.calls.Load() != 0 {
		t.Error("a resolver ran")
	}
}

// rootSelection returns a valid selection of a root field.
func rootSelection(schema *ast.Schema, field *ast.FieldDefinition) string {
	var args []string
	for _, arg := range field.Arguments {
		if arg.Type.NonNull && arg.DefaultValue == nil {
			args = append(args, arg.Name+": $"+arg.Name)
		}
	}
	var vars []string
	for _, arg := range field.Arguments {
		if arg.Type.NonNull && arg.DefaultValue == nil {
			vars = append(vars, fmt.Sprintf("$%s: %s = %s", arg.Name, arg.Type, sampleLiteral(schema, arg.Type)))
		}
	}
	out := field.Name
	if len(args) > 0 {
		out += "(" + strings.Join(args, ", ") + ")"
	}
	if schema.Types[field.Type.Name()].IsCompositeType() {
		out += " { __typename }"
	}
	if len(vars) > 0 {
		return "(" + strings.Join(vars, ", ") + ") { " + out + " }"
	}
	return "{ " + out + " }"
}

// sampleLiteral returns a valid value of an input type.
func sampleLiteral(schema *ast.Schema, typ *ast.Type) string {
	def := schema.Types[typ.Name()]
	switch def.Kind {
	case ast.Enum:
		return def.EnumValues[0].Name
	case ast.InputObject:
		if def.Directives.ForName("oneOf") != nil {
			return "{" + def.Fields[0].Name + ": " + sampleLiteral(schema, def.Fields[0].Type) + "}"
		}
		var fields []string
		for _, f := range def.Fields {
			if f.Type.NonNull && f.DefaultValue == nil {
				fields = append(fields, f.Name+": "+sampleLiteral(schema, f.Type))
			}
		}
		return "{" + strings.Join(fields, ", ") + "}"
	}
	if typ.Name() == "Boolean" {
		return "true"
	}
	return `"x"`
}

func TestErrorCodes(t *testing.T) {
	t.Parallel()
	documented := map[string]string{}
	for _, value := range newTestBundle(t).server.Schema().Types["ErrorCode"].EnumValues {
		documented[strings.ToLower(value.Name)] = value.Description
	}
	for _, code := range errs.Codes() {
		row := errs.Lookup(code)
		if want := fmt.Sprintf("%s REST answers %d.", row.Description, row.Status); documented[string(code)] != want {
			t.Errorf("enum ErrorCode documents %s as %q, want %q", code, documented[string(code)], want)
		}
		delete(documented, string(code))
	}
	if len(documented) > 0 {
		t.Errorf("enum ErrorCode has codes that are missing in errs: %v", documented)
	}
}
