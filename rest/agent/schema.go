package agent

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/vektah/gqlparser/v2/ast"

	"rostrum/rest/openapi"
	"rostrum/rest/stored"
)

// schemaWriter writes the JSON schemas of tools from those of the OpenAPI document.
type schemaWriter struct{ document openapi.Document }

// input returns the schema of a tool's arguments: the parameters in path and query, the members of
// the body, and the headers that the operation knows. Components are written where they are used,
// because some text models read no references.
func (s schemaWriter) input(op *stored.Operation) (json.RawMessage, error) {
	members, required := map[string]any{}, []string{}
	add := func(name, description string, must bool, ref *openapi3.SchemaRef) error {
		if members[name] != nil {
			return fmt.Errorf("the tool of %s has two arguments %s", op.Name, name)
		}
		schema, err := s.inline(ref, nil)
		if err != nil {
			return fmt.Errorf("the argument %s of %s: %w", name, op.Name, err)
		}
		if description != "" {
			schema["description"] = description
		}
		members[name] = schema
		if must {
			required = append(required, name)
		}
		return nil
	}
	for _, p := range op.Parameters {
		if err := add(p.Name, p.Description, p.Required, p.Schema); err != nil {
			return nil, err
		}
	}
	if op.Body != nil {
		body := op.Body.Schema.Value
		for _, name := range slices.Sorted(maps.Keys(body.Properties)) {
			if err := add(name, "", slices.Contains(body.Required, name), body.Properties[name]); err != nil {
				return nil, err
			}
		}
	}
	for name, header := range headersOf(op) {
		p := s.document.Operation(op.Rule.Method, op.Rule.Path).Parameters.GetByInAndName(stored.InHeader, header)
		if err := add(name, p.Description, false, p.Schema); err != nil {
			return nil, err
		}
	}
	slices.Sort(required)
	return json.Marshal(map[string]any{"type": "object", "properties": members, "required": required,
		"additionalProperties": false})
}

// headersOf returns the arguments of an operation that are headers of its request.
func headersOf(op *stored.Operation) map[string]string {
	out := maps.Clone(headerArguments)
	if op.Definition.Operation != ast.Mutation {
		delete(out, "idempotency_key")
	}
	if op.IfMatch == nil {
		delete(out, "if_match")
	}
	return out
}

// output returns the schema of a success, or nil if it is no object: earlier versions of the
// protocol know objects only.
func (s schemaWriter) output(op *stored.Operation) (json.RawMessage, error) {
	body := s.document.Body(op.Name)
	if op.Rule.Status == http.StatusNoContent || body == nil || !body.Value.Type.Is(openapi3.TypeObject) {
		return nil, nil
	}
	w := definitionWriter{s.document.Components.Schemas, map[string]any{}}
	schema, err := w.write(body.Value)
	if err != nil {
		return nil, fmt.Errorf("the answer of %s: %w", op.Name, err)
	}
	if len(w.definitions) > 0 {
		schema["$defs"] = w.definitions
	}
	return json.Marshal(schema)
}

// inline returns a schema in which components stand in place of references to them. It returns an
// error for a component within itself; above holds the names around the schema.
func (s schemaWriter) inline(ref *openapi3.SchemaRef, above []string) (map[string]any, error) {
	if ref.Ref != "" {
		above = append(slices.Clone(above), ref.Ref)
	}
	tree, err := decode(ref.Value)
	if err != nil {
		return nil, err
	}
	err = eachReference(tree, func(name string) (map[string]any, error) {
		if slices.Contains(above, name) {
			return nil, fmt.Errorf("%s is within itself", name)
		}
		component := s.document.Components.Schemas[strings.TrimPrefix(name, stored.ComponentPrefix)]
		return s.inline(openapi3.NewSchemaRef(name, component.Value), above)
	})
	return tree, err
}

// definitionWriter writes schemas whose references are definitions within them.
type definitionWriter struct {
	components  openapi3.Schemas
	definitions map[string]any
}

func (w definitionWriter) write(schema *openapi3.Schema) (map[string]any, error) {
	tree, err := decode(schema)
	if err != nil {
		return nil, err
	}
	return tree, eachReference(tree, func(ref string) (map[string]any, error) {
		name := strings.TrimPrefix(ref, stored.ComponentPrefix)
		if w.definitions[name] == nil {
			w.definitions[name] = true // a component may refer to itself
			if w.definitions[name], err = w.write(w.components[name].Value); err != nil {
				return nil, err
			}
		}
		return map[string]any{"$ref": "#/$defs/" + name}, nil
	})
}

// eachReference replaces the members that refer to a component by what replace returns.
func eachReference(value any, replace func(ref string) (map[string]any, error)) error {
	switch v := value.(type) {
	case map[string]any:
		if ref, ok := v["$ref"].(string); ok {
			other, err := replace(ref)
			clear(v)
			maps.Copy(v, other)
			return err
		}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if err := eachReference(v[name], replace); err != nil {
				return err
			}
		}
	case []any:
		for _, element := range v {
			if err := eachReference(element, replace); err != nil {
				return err
			}
		}
	}
	return nil
}

// decode returns a schema as JSON values.
func decode(schema *openapi3.Schema) (map[string]any, error) {
	text, err := json.Marshal(schema)
	if err != nil {
		return nil, err
	}
	var tree map[string]any
	return tree, json.Unmarshal(text, &tree)
}
