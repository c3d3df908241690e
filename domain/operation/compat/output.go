package compat

import (
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// scope is a selection with the type around it, as each schema declares it.
type scope struct {
	set           ast.SelectionSet
	before, after string
}

// selected is a field of a response with the type that is declared around it.
type selected struct {
	*ast.Field
	before, after string
}

// compareSelected compares what the scopes select from an object of the types was and is, for each
// concrete type that it may have now.
func (c *comparison) compareSelected(was, is *ast.Definition, scopes []scope) {
	former := map[string]bool{}
	for _, t := range c.before.GetPossibleTypes(was) {
		former[t.Name] = true
	}
	for _, t := range c.after.GetPossibleTypes(is) {
		switch {
		case !was.IsAbstractType():
			c.compareObject(was, t, scopes)
		case former[t.Name]:
			c.compareObject(c.before.Types[t.Name], t, scopes)
		default:
			c.compareObject(nil, t, scopes)
		}
	}
}

// compareObject compares the fields of an object with these concrete types. was is nil for a type
// that the interface or union around it has gained; it is compared with what that declares.
func (c *comparison) compareObject(was, is *ast.Definition, scopes []scope) {
	if c.isKnown(keyOf(was, is, scopes)) {
		return
	}
	now := c.collect(c.after, is, scopes, nil)
	if was != nil {
		former := c.collect(c.before, was, scopes, nil)
		for _, key := range former.keys {
			if now.byKey[key] == nil {
				c.add(is.Name+"."+former.byKey[key][0].Name, "is not in the response any more, because the type around it has changed")
			}
		}
		now.keys = slices.DeleteFunc(now.keys, func(key string) bool { return former.byKey[key] == nil })
	}
	for _, key := range now.keys {
		c.compareField(was, is, now.byKey[key])
	}
}

// compareField compares a field of the response, which the text may select several times.
func (c *comparison) compareField(was, is *ast.Definition, fields []selected) {
	name := fields[0].Name
	switch {
	case name == "__typename" && was != nil && was.Name != is.Name:
		c.add(was.Name, "is %s now, and __typename is selected", is.Name)
	case strings.HasPrefix(name, "__"):
	case was != nil:
		c.compareFields(is, was.Fields.ForName(name), fields)
	default:
		for _, f := range fields {
			c.compareFields(is, fieldOf(c.before, f.before, name), fields)
		}
	}
}

// compareFields compares a former field with that of an object now.
func (c *comparison) compareFields(is *ast.Definition, former *ast.FieldDefinition, fields []selected) {
	name := fields[0].Name
	now := is.Fields.ForName(name)
	if former == nil || now == nil {
		return
	}
	element := is.Name + "." + name
	if neverNull(former) && !neverNull(now) {
		c.add(element, "was %s and may be null now", nullability(former))
	}
	c.compareType(element, former.Type, now.Type, former.Type.NonNull && !neverNull(now))
	was, will := c.before.Types[former.Type.Name()], c.after.Types[now.Type.Name()]
	if !was.IsCompositeType() || !will.IsCompositeType() {
		return
	}
	scopes := make([]scope, len(fields))
	for i, f := range fields {
		scopes[i] = scope{f.SelectionSet, typeName(fieldOf(c.before, f.before, name), was),
			typeName(fieldOf(c.after, f.after, name), will)}
	}
	c.compareSelected(was, will, scopes)
}

// compareType compares the types of a field. isSaid is true if the difference of the outer
// nullability is in the breaks already.
func (c *comparison) compareType(element string, was, is *ast.Type, isSaid bool) {
	switch {
	case (was.Elem == nil) != (is.Elem == nil):
		c.add(element, "was %s and is %s now", was, is)
	case was.NonNull && !is.NonNull && !isSaid:
		c.add(element, "was %s and may be null now", was)
	case was.Elem != nil:
		c.compareType(element, was.Elem, is.Elem, false)
	default:
		former, now := c.before.Types[was.NamedType], c.after.Types[is.NamedType]
		isSame := former.Kind == now.Kind && (former.Kind != ast.Scalar || former.Name == now.Name)
		if former.IsLeafType() && !isSame {
			c.add(element, "was %s and is %s now", was, is)
		}
	}
}

// fieldsOfObject are the fields of an object by their key in the response, in order.
type fieldsOfObject struct {
	keys  []string
	byKey map[string][]selected
}

// collect adds the fields that the scopes select from an object of a concrete type.
func (c *comparison) collect(schema *ast.Schema, object *ast.Definition, scopes []scope,
	into *fieldsOfObject) *fieldsOfObject {
	if into == nil {
		into = &fieldsOfObject{byKey: map[string][]selected{}}
	}
	for _, s := range scopes {
		for _, selection := range s.set {
			condition, set := "", ast.SelectionSet(nil)
			switch selection := selection.(type) {
			case *ast.Field:
				if into.byKey[selection.Alias] == nil {
					into.keys = append(into.keys, selection.Alias)
				}
				into.byKey[selection.Alias] = append(into.byKey[selection.Alias], selected{selection, s.before, s.after})
				continue
			case *ast.InlineFragment:
				condition, set = selection.TypeCondition, selection.SelectionSet
			case *ast.FragmentSpread:
				fragment := c.doc.Fragments.ForName(selection.Name)
				condition, set = fragment.TypeCondition, fragment.SelectionSet
			}
			inner := scope{set, s.before, s.after}
			if condition != "" {
				inner.before, inner.after = condition, condition
			}
			if condition == "" || applies(schema, condition, object) {
				c.collect(schema, object, []scope{inner}, into)
			}
		}
	}
	return into
}

// applies reports whether a fragment on the named type selects from an object.
func applies(schema *ast.Schema, condition string, object *ast.Definition) bool {
	def := schema.Types[condition]
	return def != nil && slices.ContainsFunc(schema.GetPossibleTypes(def),
		func(t *ast.Definition) bool { return t.Name == object.Name })
}

// fieldOf returns a field of a type, or nil.
func fieldOf(schema *ast.Schema, typeName, field string) *ast.FieldDefinition {
	if def := schema.Types[typeName]; def != nil {
		return def.Fields.ForName(field)
	}
	return nil
}

// typeName returns the name of a field's type, or of the given one without the field.
func typeName(field *ast.FieldDefinition, otherwise *ast.Definition) string {
	if field == nil {
		return otherwise.Name
	}
	return field.Type.Name()
}

// neverNull reports whether a field is null at most together with an error.
func neverNull(field *ast.FieldDefinition) bool {
	return field.Type.NonNull || field.Directives.ForName("semanticNonNull") != nil
}

// nullability returns the type of a field that is never null, as the schema has it.
func nullability(field *ast.FieldDefinition) string {
	if field.Type.NonNull {
		return field.Type.String()
	}
	return field.Type.String() + " @semanticNonNull"
}

// keyOf returns a text that is the same for the same types and selections.
func keyOf(was, is *ast.Definition, scopes []scope) string {
	var b strings.Builder
	if was != nil {
		b.WriteString(was.Name)
	}
	b.WriteString(" " + is.Name)
	for _, s := range scopes {
		fmt.Fprintf(&b, " %s %s %p", s.before, s.after, s.set)
	}
	return b.String()
}
