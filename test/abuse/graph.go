package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
)

// inputDepth is how deep the fields of inputs are varied, and selectionDepth how deep the fields of
// objects are selected.
const (
	inputDepth     = 3
	selectionDepth = 2
)

// graphGenerator generates operations from the schema.
type graphGenerator struct {
	schema       *ast.Schema
	own, foreign []string
	inputs       []input
}

// graphInputs returns operations for every argument and input field of the root fields.
func graphInputs(text string, own, foreign []string) ([]input, error) {
	schema, err := gqlparser.LoadSchema(&ast.Source{Input: text})
	if err != nil {
		return nil, fmt.Errorf("parse the schema: %w", err)
	}
	g := &graphGenerator{schema: schema, own: own, foreign: foreign}
	roots := map[ast.Operation]*ast.Definition{ast.Query: schema.Query, ast.Mutation: schema.Mutation,
		ast.Subscription: schema.Subscription}
	for _, kind := range []ast.Operation{ast.Query, ast.Mutation, ast.Subscription} {
		for _, field := range roots[kind].Fields {
			if !strings.HasPrefix(field.Name, "__") {
				g.addField(kind, field)
			}
		}
	}
	return g.inputs, nil
}

// addField adds operations in which one argument of the field varies and the other required
// arguments are valid.
func (g *graphGenerator) addField(kind ast.Operation, field *ast.FieldDefinition) {
	required := map[string]json.RawMessage{}
	for _, arg := range field.Arguments {
		if arg.Type.NonNull && arg.DefaultValue == nil {
			required[arg.Name] = g.sample(arg.Type, 0)
		}
	}
	selection := g.selection(field.Type, selectionDepth)
	g.addOperation(kind, operationText(kind, field, required, "", selection), encode(required), kindValid)
	for _, arg := range field.Arguments {
		values := g.variants(arg.Type, arg.Directives, inputDepth)
		if isCursor(arg.Name) {
			values = append(values, cursorValues(g.own, g.foreign)...)
		}
		text := operationText(kind, field, required, arg.Name, selection)
		for _, v := range values {
			g.addOperation(kind, text, withMember(required, arg.Name, v.text), v.kind)
		}
	}
}

// operationText returns the JSON of an operation's text, with variables for the required arguments
// and for the varied one, unless it is empty.
func operationText(kind ast.Operation, field *ast.FieldDefinition, required map[string]json.RawMessage, varied,
	selection string) string {
	var declared, passed []string
	for _, arg := range field.Arguments {
		if _, ok := required[arg.Name]; ok || arg.Name == varied {
			declared = append(declared, "$"+arg.Name+": "+arg.Type.String())
			passed = append(passed, arg.Name+": $"+arg.Name)
		}
	}
	return strconv.Quote(string(kind) + " Abuse" + parenthesized(declared) + " { " + field.Name +
		parenthesized(passed) + selection + " }")
}

// addOperation adds an operation with the text, which is JSON, and the variables.
func (g *graphGenerator) addOperation(kind ast.Operation, text string, variables json.RawMessage, of string) {
	header := http.Header{"Content-Type": {"application/json"}}
	if kind == ast.Subscription {
		header.Set("Accept", "text/event-stream")
	}
	g.inputs = append(g.inputs, input{
		kind: "GraphQL, " + of, method: http.MethodPost, path: "/graphql", header: header,
		stream: kind == ast.Subscription,
		body:   []byte(`{"query":` + text + `,"variables":` + string(variables) + `}`),
	})
}

func parenthesized(parts []string) string {
	if len(parts) == 0 {
		return ""
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// selection returns the fields without required arguments, so that a response shows the data of its
// objects.
func (g *graphGenerator) selection(typ *ast.Type, depth int) string {
	def := g.schema.Types[typ.Name()]
	if def.Kind == ast.Scalar || def.Kind == ast.Enum {
		return ""
	}
	fields := []string{"__typename"}
	for _, field := range def.Fields {
		nested := g.schema.Types[field.Type.Name()]
		leaf := nested.Kind == ast.Scalar || nested.Kind == ast.Enum
		needed := slices.ContainsFunc(field.Arguments,
			func(a *ast.ArgumentDefinition) bool { return a.Type.NonNull && a.DefaultValue == nil })
		if strings.HasPrefix(field.Name, "__") || needed || !leaf && depth == 0 {
			continue
		}
		fields = append(fields, field.Name+g.selection(field.Type, depth-1))
	}
	return " { " + strings.Join(fields, " ") + " }"
}

// variants returns values for a type: wrong types, the limits of its directives, ids, and the
// variants of its fields.
func (g *graphGenerator) variants(typ *ast.Type, directives ast.DirectiveList, depth int) []value {
	if typ.Elem != nil {
		return append(wrongTypes(), wrapped(g.variants(typ.Elem, directives, depth), inList)...)
	}
	values := append(wrongTypes(), directiveLimits(directives)...)
	def := g.schema.Types[typ.Name()]
	switch {
	case typ.Name() == "ID":
		values = append(values, idValues(g.own, g.foreign)...)
	case def.Kind == ast.InputObject && depth > 0:
		valid := g.sampleFields(def, 0)
		for _, field := range def.Fields {
			of := g.variants(field.Type, field.Directives, depth-1)
			values = append(values, wrapped(of, func(member json.RawMessage) json.RawMessage {
				return withMember(valid, field.Name, member)
			})...)
		}
	}
	return values
}

// directiveLimits returns the values at the limits of @length and @range.
func directiveLimits(directives ast.DirectiveList) []value {
	limits := func(d *ast.Directive) (list []int) {
		for _, arg := range d.Arguments {
			if n, err := strconv.Atoi(arg.Value.Raw); err == nil {
				list = append(list, n)
			}
		}
		return list
	}
	var values []value
	if d := directives.ForName("length"); d != nil {
		values = append(values, textLimits(limits(d)...)...)
	}
	if d := directives.ForName("range"); d != nil {
		values = append(values, numberLimits(limits(d)...)...)
	}
	return values
}

// sample returns a valid value of a type.
func (g *graphGenerator) sample(typ *ast.Type, depth int) json.RawMessage {
	def := g.schema.Types[typ.Name()]
	switch {
	case typ.Elem != nil:
		return inList(g.sample(typ.Elem, depth))
	case def.Kind == ast.InputObject && depth < 2*inputDepth:
		return encode(g.sampleFields(def, depth+1))
	case def.Kind == ast.Enum:
		return encode(def.EnumValues[0].Name)
	}
	switch typ.Name() {
	case "ID":
		return encode(g.own[0])
	case "URL":
		return encode("https://example.com/")
	case "Time":
		return encode("2099-01-01T00:00:00Z")
	case "Int", "Float":
		return encode(1)
	case "Boolean":
		return encode(true)
	case "JSON":
		return encode(map[string]int{"a": 1})
	}
	return encode("text")
}

// sampleFields returns valid values of an input's required fields.
func (g *graphGenerator) sampleFields(def *ast.Definition, depth int) map[string]json.RawMessage {
	fields := map[string]json.RawMessage{}
	for _, field := range def.Fields {
		if field.Type.NonNull && field.DefaultValue == nil {
			fields[field.Name] = g.sample(field.Type, depth)
		}
	}
	return fields
}
