package openapi

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/vektah/gqlparser/v2/ast"

	"rostrum/rest/stored"
)

// bodySchema returns the schema of an operation's success.
func (b *builder) bodySchema(op *stored.Operation) *openapi3.SchemaRef {
	typ, set := op.BodyType()
	schema := b.outputSchema(typ, set, op.Name)
	if op.Rule.Wrap == "" {
		return schema
	}
	wrapped := openapi3.NewObjectSchema().WithRequired([]string{op.Rule.Wrap})
	wrapped.Properties = openapi3.Schemas{op.Rule.Wrap: schema}
	return wrapped.NewRef()
}

// outputSchema returns the schema of a value with the selected members.
func (b *builder) outputSchema(typ *ast.Type, set ast.SelectionSet, operation string) *openapi3.SchemaRef {
	if typ.Elem != nil {
		list := openapi3.NewArraySchema()
		list.Items = b.outputSchema(typ.Elem, set, operation)
		list.Type = stored.OrNull(list.Type, !typ.NonNull)
		return list.NewRef()
	}
	definition := b.schema.Types[typ.NamedType]
	if len(set) > 0 {
		return stored.RefOrNull(b.outputObject(definition, set, operation), !typ.NonNull)
	}
	return stored.ScalarSchema(definition, !typ.NonNull).NewRef()
}

// outputObject returns the component of an object type with the selected members; equal selections
// share a component.
func (b *builder) outputObject(definition *ast.Definition, set ast.SelectionSet,
	operation string) *openapi3.SchemaRef {
	members := stored.Members(set)
	shape := definition.Name + signature(members)
	if name, ok := b.shapes[shape]; ok {
		return openapi3.NewSchemaRef(stored.ComponentPrefix+name, b.doc.Components.Schemas[name].Value)
	}
	name := b.componentName(definition.Name, operation)
	b.shapes[shape] = name
	s := openapi3.NewObjectSchema()
	s.Description = definition.Description
	s.Properties = openapi3.Schemas{}
	b.doc.Components.Schemas[name] = s.NewRef()
	for _, member := range members {
		s.Properties[member.Key] = b.memberSchema(member, operation)
		if !member.Optional {
			s.Required = append(s.Required, member.Key)
		}
	}
	slices.Sort(s.Required)
	return openapi3.NewSchemaRef(stored.ComponentPrefix+name, s)
}

// memberSchema returns the schema of an object's member.
func (b *builder) memberSchema(member *stored.Member, operation string) *openapi3.SchemaRef {
	if member.Constant != nil {
		return constantSchema(member.Constant.Value)
	}
	if member.IsText {
		text := stored.ScalarSchema(b.schema.Types["String"], !member.Type.NonNull)
		text.Description = member.Description + " A string of JSON."
		return text.NewRef()
	}
	if member.Keyed != nil {
		return b.keyedSchema(member, operation)
	}
	property := b.outputSchema(member.Type, member.Set, operation)
	if property.Ref == "" {
		property.Value.Description = member.Description
	}
	return property
}

// keyedSchema returns the schema of a list that is written as an object.
func (b *builder) keyedSchema(member *stored.Member, operation string) *openapi3.SchemaRef {
	typ := member.Type
	set := member.Set
	var element *openapi3.SchemaRef
	if member.Keyed.Value != "" {
		value := stored.Members(set).ForKey(member.Keyed.Value)
		element = b.memberSchema(value, operation)
	} else {
		element = b.outputSchema(typ.Elem, stored.Without(set, member.Keyed.By), operation)
	}
	s := openapi3.NewObjectSchema()
	s.Type = stored.OrNull(s.Type, !typ.NonNull)
	s.Description = member.Description
	s.AdditionalProperties = openapi3.AdditionalProperties{Schema: element}
	return s.NewRef()
}

// constantSchema returns the schema of a member that always has the value.
func constantSchema(value any) *openapi3.SchemaRef {
	s := &openapi3.Schema{Description: "Always the same value.", Enum: []any{value}}
	switch value.(type) {
	case string:
		s.Type = &openapi3.Types{openapi3.TypeString}
	case bool:
		s.Type = &openapi3.Types{openapi3.TypeBoolean}
	case int64:
		s.Type = &openapi3.Types{openapi3.TypeInteger}
	case float64:
		s.Type = &openapi3.Types{openapi3.TypeNumber}
	case nil:
		s.Type = &openapi3.Types{openapi3.TypeNull}
	}
	return s.NewRef()
}

// componentName returns a free name: the type's, or the operation's when the type is a GraphQL
// wrapper, or both when these are used for other selections.
func (b *builder) componentName(typ, operation string) string {
	title := strings.ToUpper(operation[:1]) + operation[1:]
	names := []string{typ, title + typ}
	for _, plumbing := range []string{"Payload", "Connection", "EventPage"} {
		if strings.HasSuffix(typ, plumbing) {
			names[0] = title + "Result"
		}
	}
	for n := 2; ; n++ { // the operation may select the type again with other members
		free := slices.IndexFunc(names, func(name string) bool { return b.doc.Components.Schemas[name] == nil })
		if free >= 0 {
			return names[free]
		}
		names = append(names, title+typ+strconv.Itoa(n))
	}
}

// signature returns the same text for selections with the same members.
func signature(members stored.MemberList) string {
	words := make([]string, len(members))
	for i, m := range members {
		words[i] = m.Key
		if m.Constant != nil || m.IsText || m.Keyed != nil {
			words[i] += fmt.Sprint("=", m.Constant, m.IsText, m.Keyed)
		}
		if m.Optional {
			words[i] += "?"
		}
		if len(m.Set) > 0 {
			words[i] += signature(stored.Members(m.Set))
		}
	}
	slices.Sort(words)
	return "{" + strings.Join(words, " ") + "}"
}
