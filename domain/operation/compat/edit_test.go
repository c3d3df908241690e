package compat_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/formatter"
	"github.com/vektah/gqlparser/v2/parser"
)

// editor changes a schema document at random.
type editor struct {
	*rand.Rand
	doc *ast.SchemaDocument
}

// editSchema returns a schema that differs from the text in one random edit.
func editSchema(t *testing.T, r *rand.Rand, text string) *ast.Schema {
	t.Helper()
	for {
		doc, err := parser.ParseSchema(&ast.Source{Input: text})
		if err != nil {
			t.Fatal(err)
		}
		e := editor{r, doc}
		edits := []func(){e.removeField, e.addField, e.addArgument, e.removeArgument, e.requireArgument, e.flipField,
			e.flipField, e.flipField, e.changeValues, e.changeValues, e.changeLeaf, e.wrapType, e.renameType, e.renameField, e.changeUnion,
			e.changeInterface, e.changeSemantic, e.removeType, e.addInput, e.widenType}
		edits[r.IntN(len(edits))]()
		var b strings.Builder
		formatter.NewFormatter(&b).FormatSchemaDocument(doc)
		if schema := loadSchema(b.String()); schema != nil {
			return schema
		}
	}
}

func one[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

// definition returns a random definition of one of the kinds.
func (e editor) definition(kinds ...ast.DefinitionKind) *ast.Definition {
	for {
		if def := one(e.Rand, e.doc.Definitions); slices.Contains(kinds, def.Kind) {
			return def
		}
	}
}

// fields returns a random field of a type, and those that an edit changes with it: the same field of
// the types that implement an interface, or of the interfaces around it.
func (e editor) fields(kinds ...ast.DefinitionKind) []*ast.FieldDefinition {
	def := e.definition(kinds...)
	field := one(e.Rand, def.Fields)
	fields := []*ast.FieldDefinition{field}
	for _, other := range e.doc.Definitions {
		shared := slices.Contains(other.Interfaces, def.Name) || e.IntN(2) == 0 && slices.Contains(def.Interfaces, other.Name)
		if same := other.Fields.ForName(field.Name); shared && same != nil {
			fields = append(fields, same)
		}
	}
	return fields
}

// holders returns the definitions that have one of the fields.
func (e editor) removeFields(fields []*ast.FieldDefinition) {
	for _, def := range e.doc.Definitions {
		def.Fields = slices.DeleteFunc(def.Fields, func(f *ast.FieldDefinition) bool { return slices.Contains(fields, f) })
	}
}

func (e editor) removeField() { e.removeFields(e.fields(ast.Object, ast.Interface, ast.InputObject)) }

func (e editor) addField() {
	def := e.definition(ast.Object)
	def.Fields = append(def.Fields, &ast.FieldDefinition{Name: "extra", Type: ast.NamedType("String", nil)})
}

func (e editor) addInput() {
	def := e.definition(ast.InputObject)
	field := &ast.FieldDefinition{Name: "extra", Type: &ast.Type{NamedType: "Int", NonNull: e.IntN(3) > 0}}
	if e.IntN(2) == 0 {
		field.DefaultValue = &ast.Value{Kind: ast.IntValue, Raw: "1"}
	}
	def.Fields = append(def.Fields, field)
}

func (e editor) addArgument() {
	for _, field := range e.fields(ast.Object) {
		field.Arguments = append(field.Arguments, &ast.ArgumentDefinition{Name: "extra",
			Type: &ast.Type{NamedType: "Int", NonNull: e.IntN(2) == 0}})
	}
}

// argument returns a field with a random argument.
func (e editor) argument() (*ast.FieldDefinition, *ast.ArgumentDefinition) {
	for {
		if field := e.fields(ast.Object)[0]; len(field.Arguments) > 0 {
			return field, one(e.Rand, field.Arguments)
		}
	}
}

func (e editor) removeArgument() {
	field, argument := e.argument()
	field.Arguments = slices.DeleteFunc(field.Arguments, func(a *ast.ArgumentDefinition) bool { return a == argument })
}

func (e editor) requireArgument() {
	_, argument := e.argument()
	argument.Type.NonNull = !argument.Type.NonNull
}

func (e editor) flipField() {
	fields, inner := e.fields(ast.Object, ast.Object, ast.Interface, ast.InputObject), e.IntN(3) == 0
	is := e.IntN(2) == 0
	for _, field := range fields {
		target := field.Type
		if target.Elem != nil && inner {
			target = target.Elem
		}
		target.NonNull = is
	}
}

func (e editor) changeValues() {
	def := e.definition(ast.Enum)
	if e.IntN(3) == 0 {
		def.EnumValues = append(def.EnumValues, &ast.EnumValueDefinition{Name: "EXTRA"})
		return
	}
	def.EnumValues = slices.Delete(def.EnumValues, 0, 1)
}

func (e editor) changeLeaf() {
	to := map[string]string{"String": "Int", "Int": "Boolean", "Float": "Int", "ID": "String", "Boolean": "String", "Time": "String"}
	for _, field := range e.fields(ast.Object, ast.Interface, ast.InputObject) {
		named := field.Type
		for named.Elem != nil {
			named = named.Elem
		}
		if name := to[named.NamedType]; name != "" {
			named.NamedType, field.DefaultValue = name, nil
		}
	}
}

// widenType changes a scalar to one that takes its values too.
func (e editor) widenType() {
	for _, field := range e.fields(ast.InputObject) {
		switch field.Type.NamedType {
		case "String":
			field.Type.NamedType = "ID"
		case "Int":
			field.Type.NamedType = "Float"
		}
	}
}

func (e editor) wrapType() {
	for _, field := range e.fields(ast.Object, ast.InputObject) {
		inner := *field.Type
		field.Type, field.DefaultValue = &ast.Type{Elem: &inner, NonNull: inner.NonNull}, nil
	}
}

func (e editor) renameType() {
	def := e.definition(ast.Object, ast.Interface, ast.Enum, ast.InputObject, ast.Union)
	if def.Name == "Query" || def.Name == "Mutation" {
		return
	}
	from, to := def.Name, def.Name+"New"
	def.Name = to
	rename := func(names []string) {
		if i := slices.Index(names, from); i >= 0 {
			names[i] = to
		}
	}
	for _, other := range e.doc.Definitions {
		rename(other.Interfaces)
		rename(other.Types)
	}
	e.eachType(func(t *ast.Type) {
		if t.NamedType == from {
			t.NamedType = to
		}
	})
}

// eachType calls do with every named type of a field or argument.
func (e editor) eachType(do func(*ast.Type)) {
	visit := func(t *ast.Type) {
		for t.Elem != nil {
			t = t.Elem
		}
		do(t)
	}
	for _, def := range e.doc.Definitions {
		for _, field := range def.Fields {
			visit(field.Type)
			for _, argument := range field.Arguments {
				visit(argument.Type)
			}
		}
	}
}

func (e editor) renameField() {
	for _, field := range e.fields(ast.Object, ast.Interface, ast.InputObject) {
		field.Name += "New"
	}
}

func (e editor) changeUnion() {
	def := e.definition(ast.Union)
	if e.IntN(2) == 0 {
		def.Types = append(def.Types, e.definition(ast.Object).Name)
		return
	}
	i := e.IntN(len(def.Types))
	def.Types = slices.Delete(def.Types, i, i+1)
}

func (e editor) changeInterface() {
	def := e.definition(ast.Object)
	if len(def.Interfaces) == 0 || e.IntN(4) == 0 {
		def.Interfaces = append(def.Interfaces, e.definition(ast.Interface).Name)
		return
	}
	i := e.IntN(len(def.Interfaces))
	def.Interfaces = slices.Delete(def.Interfaces, i, i+1)
}

func (e editor) changeSemantic() {
	for {
		field := e.fields(ast.Object)[0]
		if field.Directives.ForName("semanticNonNull") != nil {
			field.Directives = nil
			return
		}
		if e.IntN(8) == 0 {
			field.Directives = ast.DirectiveList{{Name: "semanticNonNull"}}
			return
		}
	}
}

// removeType removes a type with everything that has it.
func (e editor) removeType() {
	gone := e.definition(ast.Object, ast.Enum, ast.InputObject)
	e.doc.Definitions = slices.DeleteFunc(e.doc.Definitions, func(d *ast.Definition) bool { return d == gone })
	for _, def := range e.doc.Definitions {
		def.Types = slices.DeleteFunc(def.Types, func(name string) bool { return name == gone.Name })
		def.Fields = slices.DeleteFunc(def.Fields, func(f *ast.FieldDefinition) bool { return f.Type.Name() == gone.Name })
		for _, field := range def.Fields {
			field.Arguments = slices.DeleteFunc(field.Arguments,
				func(a *ast.ArgumentDefinition) bool { return a.Type.Name() == gone.Name })
		}
	}
}

// writer writes random operations that are valid in a schema.
type writer struct {
	*rand.Rand
	schema    *ast.Schema
	variables []string
}

// writeOperation returns a random operation.
func writeOperation(r *rand.Rand, schema *ast.Schema) string {
	w := &writer{Rand: r, schema: schema}
	kind, root := "query", schema.Query
	if r.IntN(6) == 0 {
		kind, root = "mutation", schema.Mutation
	}
	selection := w.selection(root, 0)
	if len(w.variables) == 0 {
		return fmt.Sprintf("%s A %s", kind, selection)
	}
	return fmt.Sprintf("%s A(%s) %s", kind, strings.Join(w.variables, ", "), selection)
}

func (w *writer) selection(def *ast.Definition, depth int) string {
	var parts []string
	if def.Name != "Query" && def.Name != "Mutation" && w.IntN(4) == 0 {
		parts = append(parts, "__typename")
	}
	for range 1 + w.IntN(3) {
		if part := w.field(def, depth); part != "" {
			parts = append(parts, part)
		}
	}
	if types := w.conditions(def); len(types) > 0 {
		for range w.IntN(3) {
			other := one(w.Rand, types)
			parts = append(parts, fmt.Sprintf("... on %s %s", other.Name, w.selection(other, depth+1)))
		}
	}
	if len(parts) == 0 {
		return "{ __typename }"
	}
	return "{ " + strings.Join(parts, " ") + " }"
}

// conditions returns the types that a fragment inside an interface or union may have.
func (w *writer) conditions(def *ast.Definition) []*ast.Definition {
	if !def.IsAbstractType() {
		return nil
	}
	types := slices.Clone(w.schema.GetPossibleTypes(def))
	for _, t := range w.schema.GetPossibleTypes(def) {
		for _, name := range t.Interfaces {
			types = append(types, w.schema.Types[name])
		}
	}
	return types
}

func (w *writer) field(def *ast.Definition, depth int) string {
	if len(def.Fields) == 0 {
		return ""
	}
	field := one(w.Rand, def.Fields)
	inner := w.schema.Types[field.Type.Name()]
	if strings.HasPrefix(field.Name, "__") || inner.IsCompositeType() && depth > 2 {
		return ""
	}
	text := field.Name
	if w.IntN(6) == 0 {
		text = fmt.Sprintf("a%d: %s", w.IntN(100), field.Name)
	}
	var arguments []string
	for _, a := range field.Arguments {
		if a.Type.NonNull && a.DefaultValue == nil || w.IntN(2) == 0 {
			arguments = append(arguments, a.Name+": "+w.value(a.Type, 0))
		}
	}
	if len(arguments) > 0 {
		text += "(" + strings.Join(arguments, ", ") + ")"
	}
	if inner.IsCompositeType() {
		text += " " + w.selection(inner, depth+1)
	}
	return text
}

// value returns a variable or a literal of a type.
func (w *writer) value(t *ast.Type, depth int) string {
	if w.IntN(2) == 0 {
		name := fmt.Sprintf("$v%d", len(w.variables))
		w.variables = append(w.variables, name+": "+t.String())
		return name
	}
	if t.Elem != nil {
		return "[" + w.value(t.Elem, depth+1) + "]"
	}
	switch def := w.schema.Types[t.NamedType]; {
	case def.Kind == ast.Enum:
		return one(w.Rand, def.EnumValues).Name
	case def.Kind == ast.InputObject:
		var fields []string
		for _, field := range def.Fields {
			if field.Type.NonNull && field.DefaultValue == nil || depth < 2 && w.IntN(3) == 0 {
				fields = append(fields, field.Name+": "+w.value(field.Type, depth+1))
			}
		}
		return "{" + strings.Join(fields, ", ") + "}"
	case t.NamedType == "Int" || t.NamedType == "Float":
		return "7"
	}
	return `"a"`
}
