package rest

import (
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/vektah/gqlparser/v2/ast"
)

// body is the schema of an operation's success.
func (b *builder) body(op *operation) *openapi3.SchemaRef {
	typ, set := op.root.Definition.Type, op.root.SelectionSet
	if op.rule.Unwrap != "" {
		only := collectFields(set, false, nil).member(op.rule.Unwrap)
		typ, set = only.definition.Type, only.set
		if op.rule.Unwrap == op.rule.When { // what a parameter asks for is there when it asks
			typ = &ast.Type{NamedType: typ.NamedType, Elem: typ.Elem, NonNull: true}
		}
	}
	if op.missing404 && op.rule.Unwrap == "" {
		typ = &ast.Type{NamedType: typ.NamedType, Elem: typ.Elem, NonNull: true}
	}
	schema := b.output(typ, set, op.name)
	if op.rule.Wrap == "" {
		return schema
	}
	wrapped := openapi3.NewObjectSchema().WithRequired([]string{op.rule.Wrap})
	wrapped.Properties = openapi3.Schemas{op.rule.Wrap: schema}
	return wrapped.NewRef()
}

// output is the schema of a value of the type of which the set is selected.
func (b *builder) output(typ *ast.Type, set ast.SelectionSet, operation string) *openapi3.SchemaRef {
	if typ.Elem != nil {
		list := openapi3.NewArraySchema()
		list.Items = b.output(typ.Elem, set, operation)
		list.Type = orNull(list.Type, !typ.NonNull)
		return list.NewRef()
	}
	definition := b.schema.Types[typ.NamedType]
	if len(set) > 0 {
		return nullable(b.object(definition, set, operation), !typ.NonNull)
	}
	s := scalarSchema(definition)
	if !typ.NonNull {
		if s.Type == nil { // any JSON; a validator takes null for a value that must be named
			s.Type = &openapi3.Types{openapi3.TypeObject, openapi3.TypeArray, openapi3.TypeString, openapi3.TypeNumber, openapi3.TypeBoolean}
		}
		s.Type = orNull(s.Type, true)
		if len(s.Enum) > 0 {
			s.Enum = append(s.Enum, nil)
		}
	}
	return s.NewRef()
}

// object is the component of an object type with what is selected of it; the same selection gives the same component.
func (b *builder) object(definition *ast.Definition, set ast.SelectionSet, operation string) *openapi3.SchemaRef {
	fields := collectFields(set, false, nil)
	shape := definition.Name + fields.signature()
	if name, ok := b.shapes[shape]; ok {
		return openapi3.NewSchemaRef(componentPrefix+name, b.doc.Components.Schemas[name].Value)
	}
	name := b.componentName(definition.Name, operation)
	b.shapes[shape] = name
	s := openapi3.NewObjectSchema()
	s.Description = definition.Description
	s.Properties = openapi3.Schemas{}
	b.doc.Components.Schemas[name] = s.NewRef()
	for _, member := range fields {
		property := b.output(member.definition.Type, member.set, operation)
		if property.Ref == "" {
			property.Value.Description = member.definition.Description
		}
		s.Properties[member.key] = property
		if !member.optional {
			s.Required = append(s.Required, member.key)
		}
	}
	slices.Sort(s.Required)
	return openapi3.NewSchemaRef(componentPrefix+name, s)
}

// componentName is the type's own name, or the operation's where the type says nothing to REST or its name has another shape already.
func (b *builder) componentName(typ, operation string) string {
	title := strings.ToUpper(operation[:1]) + operation[1:]
	for _, plumbing := range []string{"Payload", "Connection", "EventPage"} {
		if strings.HasSuffix(typ, plumbing) {
			return title + "Response"
		}
	}
	if _, taken := b.doc.Components.Schemas[typ]; taken {
		return title + typ
	}
	return typ
}

// selected is one member of an answer's object.
type selected struct {
	key        string
	definition *ast.FieldDefinition
	set        ast.SelectionSet
	optional   bool // a directive may leave it out
}

type selectedFields []*selected

func (f selectedFields) member(key string) *selected {
	i := slices.IndexFunc(f, func(s *selected) bool { return s.key == key })
	if i < 0 {
		return nil
	}
	return f[i]
}

// signature is the same for selections that give the same members.
func (f selectedFields) signature() string {
	words := make([]string, len(f))
	for i, s := range f {
		words[i] = s.key
		if s.optional {
			words[i] += "?"
		}
		if len(s.set) > 0 {
			words[i] += collectFields(s.set, false, nil).signature()
		}
	}
	slices.Sort(words)
	return "{" + strings.Join(words, " ") + "}"
}

// collectFields lists the selection's members with fragments spread out; one that is selected twice is merged.
func collectFields(set ast.SelectionSet, optional bool, found selectedFields) selectedFields {
	for _, selection := range set {
		switch s := selection.(type) {
		case *ast.Field:
			found = found.add(s, optional || conditional(s.Directives))
		case *ast.InlineFragment:
			found = collectFields(s.SelectionSet, true, found)
		case *ast.FragmentSpread:
			found = collectFields(s.Definition.SelectionSet, optional || conditional(s.Directives), found)
		}
	}
	return found
}

func (f selectedFields) add(field *ast.Field, optional bool) selectedFields {
	if known := f.member(field.Alias); known != nil {
		known.optional = known.optional && optional
		known.set = append(slices.Clone(known.set), field.SelectionSet...)
		return f
	}
	return append(f, &selected{field.Alias, field.Definition, field.SelectionSet, optional})
}

func conditional(directives ast.DirectiveList) bool {
	return directives.ForName("skip") != nil || directives.ForName("include") != nil
}
