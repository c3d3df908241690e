package compat_test

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/formatter"
	"github.com/vektah/gqlparser/v2/validator"

	"rostrum/domain/operation/compat"
)

// TestCheck_random checks 200 random operations after each of 500 random edits of the schema. What
// breaks is found independently of the checker: a response that the edited schema can send must be
// one that the client could receive before, and variables that it could send must still be accepted.
func TestCheck_random(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(56, 2))
	text := readSchema(t)
	before := loadSchema(text)
	var operations []string
	for len(operations) < 200 {
		if op := writeOperation(r, before); !isInvalid(before, op) {
			operations = append(operations, op)
		}
	}
	broken, whole, used := 0, 0, usedTypes(before, operations)
	for i := range 500 {
		after := editSchema(t, r, text)
		changed := changedTypes(before, after)
		for _, op := range operations {
			isTouched := slices.ContainsFunc(changed, func(name string) bool { return used[op][name] })
			want, got := isTouched && breaks(before, after, op), compat.Check(before, after, op)
			if want != (len(got) > 0) {
				t.Fatalf("edit %d of %v breaks %s: %v, and the checker says %v", i, changed, op, want, got)
			}
			if want {
				broken++
			} else {
				whole++
			}
		}
	}
	t.Logf("%d broken, %d whole", broken, whole)
	if broken < 2000 || whole < 50_000 {
		t.Errorf("the edits break %d operations and leave %d whole: too few to compare", broken, whole)
	}
}

// changedTypes returns the names of the types that an edit has changed or removed.
func changedTypes(before, after *ast.Schema) []string {
	var changed []string
	for name, def := range before.Types {
		if now := after.Types[name]; now == nil || printed(def) != printed(now) {
			changed = append(changed, name)
		}
	}
	return changed
}

func printed(def *ast.Definition) string {
	var b strings.Builder
	formatter.NewFormatter(&b).FormatSchemaDocument(&ast.SchemaDocument{Definitions: ast.DefinitionList{def}})
	return b.String()
}

// usedTypes returns the types that each operation may meet. An edit of others cannot break it.
func usedTypes(schema *ast.Schema, operations []string) map[string]map[string]bool {
	all := map[string]map[string]bool{}
	for _, text := range operations {
		used := map[string]bool{"Query": true, "Mutation": true}
		added := map[string]bool{}
		var add func(name string)
		add = func(name string) {
			def := schema.Types[name]
			if added[name] {
				return
			}
			added[name], used[name] = true, true
			if def.IsAbstractType() {
				for _, other := range schema.GetPossibleTypes(def) {
					used[other.Name] = true
				}
			}
			if def.Kind == ast.InputObject {
				for _, field := range def.Fields {
					add(field.Type.Name())
				}
			}
		}
		doc, _ := compat.Load(schema, text)
		for _, v := range doc.Operations[0].VariableDefinitions {
			add(v.Type.Name())
		}
		events := &validator.Events{}
		events.OnInlineFragment(func(_ *validator.Walker, f *ast.InlineFragment) { add(f.TypeCondition) })
		events.OnField(func(_ *validator.Walker, f *ast.Field) {
			if f.Definition == nil {
				return
			}
			add(f.Definition.Type.Name())
			for _, a := range f.Definition.Arguments {
				add(a.Type.Name())
			}
		})
		validator.Walk(schema, doc, events)
		all[text] = used
	}
	return all
}

func isInvalid(schema *ast.Schema, op string) bool {
	_, invalid := compat.Load(schema, op)
	return len(invalid) > 0
}

// breaks reports whether an operation breaks, by responses and variables that are generated.
func breaks(before, after *ast.Schema, text string) bool {
	former, _ := compat.Load(before, text)
	doc, invalid := compat.Load(after, text)
	if len(invalid) > 0 {
		return true
	}
	op := doc.Operations[0]
	for _, v := range former.Operations[0].VariableDefinitions {
		for _, value := range (inputs{before}).values(v.Type, 0) {
			if !isAccepted(after, op, v.Variable, value) {
				return true
			}
		}
	}
	root := func(schema *ast.Schema) *ast.Definition {
		if op.Operation == ast.Mutation {
			return schema.Mutation
		}
		return schema.Query
	}
	sets := []ast.SelectionSet{op.SelectionSet}
	server, client := newResponses(after), newResponses(before)
	for _, response := range server.objects(root(after), placed(sets, root(after).Name)) {
		if !client.acceptsObject(root(before), response, sets) {
			return true
		}
	}
	return false
}

// isAccepted reports whether a variable may have a value; absent is no value.
func isAccepted(schema *ast.Schema, op *ast.OperationDefinition, name string, value any) bool {
	only := *op
	only.VariableDefinitions = ast.VariableDefinitionList{op.VariableDefinitions.ForName(name)}
	given := map[string]any{name: value}
	if value == (absent{}) {
		given = nil
	}
	_, err := validator.VariableValues(schema, &only, given)
	return err == nil
}

// inputs generates the values of variables.
type inputs struct{ *ast.Schema }

// absent is a variable or member that is not given.
type absent struct{}

// values returns values of a type, which differ in one thing each from the first one.
func (g inputs) values(t *ast.Type, depth int) []any {
	var list []any
	switch {
	case t.Elem != nil:
		for _, value := range g.values(t.Elem, depth+1) {
			if value != (absent{}) {
				list = append(list, []any{value})
			}
		}
	default:
		list = g.named(g.Types[t.NamedType], depth)
	}
	if !t.NonNull {
		list = append(list, nil, absent{})
	}
	return list
}

func (g inputs) named(def *ast.Definition, depth int) []any {
	var list []any
	switch {
	case def.Kind == ast.Enum:
		for _, value := range def.EnumValues {
			list = append(list, value.Name)
		}
	case def.Kind == ast.InputObject:
		return g.objects(def, depth)
	case def.Name == "Int":
		list = append(list, 7)
	case def.Name == "Float":
		list = append(list, 1.5)
	case def.Name == "Boolean":
		list = append(list, true)
	case def.Name == "ID":
		list = append(list, "a", 7)
	default:
		list = append(list, "a")
	}
	return list
}

// objects returns input objects: one with all fields, and one for each further value of a field.
func (g inputs) objects(def *ast.Definition, depth int) []any {
	first, choices := map[string]any{}, map[string][]any{}
	for _, field := range def.Fields {
		if depth > 3 && !field.Type.NonNull {
			continue
		}
		choices[field.Name] = g.values(field.Type, depth+1)
		if field.Type.NonNull && field.DefaultValue != nil {
			choices[field.Name] = append(choices[field.Name], absent{})
		}
		first[field.Name] = choices[field.Name][0]
	}
	list := []any{first}
	for _, name := range slices.Sorted(maps.Keys(choices)) {
		for _, value := range choices[name][1:] {
			other := maps.Clone(first)
			if other[name] = value; value == (absent{}) {
				delete(other, name)
			}
			list = append(list, other)
		}
	}
	return list
}

// responses generates and accepts responses of a schema.
type responses struct {
	*ast.Schema
	known map[string][]*ast.Definition // the types of objects, by type
}

func newResponses(schema *ast.Schema) responses {
	return responses{schema, map[string][]*ast.Definition{}}
}

// null is null, alone or together with an error.
type null struct{ withError bool }

// leaf is a value of a scalar or enum, or the name of a type.
type leaf struct{ typeName string }

// object is an object of a concrete type, by the keys of the response.
type object struct {
	typeName string
	members  map[string]member
}

// member is a value of an object, and where the text selects it.
type member struct {
	value  any
	fields []field
}

// field is a field of the text inside the type around it.
type field struct {
	*ast.Field
	around string
}

// place is a selection inside the type around it.
type place struct {
	set    ast.SelectionSet
	around string
}

func placed(sets []ast.SelectionSet, around string) []place {
	places := make([]place, len(sets))
	for i, set := range sets {
		places[i] = place{set, around}
	}
	return places
}

// selected returns the fields that are selected from an object, by key.
func (s responses) selected(def *ast.Definition, places []place) map[string][]field {
	byKey := map[string][]field{}
	var visit func(place)
	visit = func(at place) {
		for _, selection := range at.set {
			switch selection := selection.(type) {
			case *ast.Field:
				byKey[selection.Alias] = append(byKey[selection.Alias], field{selection, at.around})
			case *ast.InlineFragment:
				inner := s.Types[selection.TypeCondition]
				isInside := selection.TypeCondition == def.Name || slices.Contains(def.Interfaces, selection.TypeCondition)
				if inner != nil && (isInside || slices.Contains(inner.Types, def.Name)) {
					visit(place{selection.SelectionSet, selection.TypeCondition})
				}
			}
		}
	}
	for _, at := range places {
		visit(at)
	}
	return byKey
}

// concrete returns the types of the objects of a type.
func (s responses) concrete(def *ast.Definition) []*ast.Definition {
	if known := s.known[def.Name]; known != nil {
		return known
	}
	var list []*ast.Definition
	for _, name := range slices.Sorted(maps.Keys(s.Types)) {
		t := s.Types[name]
		if t.Kind == ast.Object && (t == def || slices.Contains(def.Types, name) || slices.Contains(t.Interfaces, def.Name)) {
			list = append(list, t)
		}
	}
	s.known[def.Name] = list
	return list
}

// objects returns objects of a type: one, and one for each further value of a member.
func (s responses) objects(def *ast.Definition, places []place) []object {
	byKey := s.selected(def, places)
	first, choices := object{def.Name, map[string]member{}}, map[string][]any{}
	for key, fields := range byKey {
		choices[key] = s.fieldValues(def, fields)
		first.members[key] = member{choices[key][0], fields}
	}
	list := []object{first}
	for key, values := range choices {
		for _, value := range values[1:] {
			other := object{def.Name, maps.Clone(first.members)}
			other.members[key] = member{value, byKey[key]}
			list = append(list, other)
		}
	}
	return list
}

func (s responses) fieldValues(def *ast.Definition, fields []field) []any {
	if fields[0].Name == "__typename" {
		return []any{leaf{def.Name}}
	}
	selected := def.Fields.ForName(fields[0].Name)
	var places []place
	for _, f := range fields {
		places = append(places, place{f.SelectionSet, selected.Type.Name()})
	}
	return s.values(selected.Type, selected.Directives.ForName("semanticNonNull") != nil, places)
}

// values returns values of a type, which differ in one thing each from the first one.
func (s responses) values(t *ast.Type, isSemantic bool, places []place) []any {
	var list []any
	def := s.Types[t.Name()]
	switch {
	case t.Elem != nil:
		for _, value := range s.values(t.Elem, false, places) {
			list = append(list, []any{value})
		}
	case def.IsLeafType():
		list = append(list, leaf{valuesOf(def)})
	default:
		for _, concrete := range s.concrete(def) {
			for _, value := range s.objects(concrete, places) {
				list = append(list, value)
			}
		}
	}
	if !t.NonNull {
		list = append(list, null{isSemantic})
	}
	return list
}

// valuesOf names the values of a leaf type. Clients must expect values of an enum that they do not
// know, so all enums are alike.
func valuesOf(def *ast.Definition) string {
	if def.Kind == ast.Enum {
		return "enum"
	}
	return def.Name
}

// accepts reports whether a client may receive a value for a type.
func (s responses) accepts(t *ast.Type, isSemantic bool, value any, sets []ast.SelectionSet) bool {
	def := s.Types[t.Name()]
	switch value := value.(type) {
	case null:
		return !t.NonNull && (value.withError || !isSemantic)
	case []any:
		return t.Elem != nil && s.accepts(t.Elem, false, value[0], sets)
	case leaf:
		return t.Elem == nil && valuesOf(def) == value.typeName
	case object:
		return t.Elem == nil && s.acceptsComposite(def, value, sets)
	}
	return false
}

func (s responses) acceptsComposite(def *ast.Definition, value object, sets []ast.SelectionSet) bool {
	if def.Kind == ast.Object {
		return s.acceptsObject(def, value, sets)
	}
	for _, concrete := range s.concrete(def) {
		if concrete.Name == value.typeName {
			return s.acceptsAs(concrete, value, placed(sets, def.Name))
		}
	}
	// The client does not know the type, and reads what the types around the fields declare.
	for _, m := range value.members {
		for _, f := range m.fields {
			around := f.around
			if s.Types[around] == nil || s.Types[around].Fields.ForName(f.Name) == nil {
				around = def.Name
			}
			if !s.acceptsMember(s.Types[around], m) {
				return false
			}
		}
	}
	return true
}

func (s responses) acceptsObject(def *ast.Definition, value object, sets []ast.SelectionSet) bool {
	return s.acceptsAs(def, value, placed(sets, def.Name))
}

// acceptsAs reports whether a client may receive an object of a concrete type, with all that it
// selects from that.
func (s responses) acceptsAs(def *ast.Definition, value object, places []place) bool {
	for key, fields := range s.selected(def, places) {
		m, ok := value.members[key]
		if !ok || fields[0].Name == "__typename" && m.value != (leaf{def.Name}) {
			return false
		}
		if !s.acceptsMember(def, m) {
			return false
		}
	}
	return true
}

func (s responses) acceptsMember(around *ast.Definition, m member) bool {
	selected := around.Fields.ForName(m.fields[0].Name)
	if selected == nil || strings.HasPrefix(selected.Name, "__") {
		return true
	}
	sets := make([]ast.SelectionSet, len(m.fields))
	for i, f := range m.fields {
		sets[i] = f.SelectionSet
	}
	return s.accepts(selected.Type, selected.Directives.ForName("semanticNonNull") != nil, m.value, sets)
}
