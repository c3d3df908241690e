package rest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/vektah/gqlparser/v2/ast"
)

// resultType returns the type of the field's value in a response without errors.
func resultType(field *ast.FieldDefinition) *ast.Type {
	if field.Type.NonNull || field.Directives.ForName("semanticNonNull") == nil {
		return field.Type
	}
	return &ast.Type{NamedType: field.Type.NamedType, Elem: field.Type.Elem, NonNull: true}
}

// bodySchema returns the schema of an operation's success.
func (b *documentBuilder) bodySchema(op *storedOperation) *openapi3.SchemaRef {
	typ, set := resultType(op.root.Definition), op.root.SelectionSet
	if op.rule.Unwrap != "" {
		only := collectFields(set, false, nil).fieldByKey(op.rule.Unwrap)
		typ, set = resultType(only.definition), only.set
		if op.rule.Unwrap == op.rule.When { // present whenever the parameter selects it
			typ = &ast.Type{NamedType: typ.NamedType, Elem: typ.Elem, NonNull: true}
		}
	}
	if op.missing404 && op.rule.Unwrap == "" {
		typ = &ast.Type{NamedType: typ.NamedType, Elem: typ.Elem, NonNull: true}
	}
	schema := b.outputSchema(typ, set, op.name)
	if op.rule.Wrap == "" {
		return schema
	}
	wrapped := openapi3.NewObjectSchema().WithRequired([]string{op.rule.Wrap})
	wrapped.Properties = openapi3.Schemas{op.rule.Wrap: schema}
	return wrapped.NewRef()
}

// outputSchema returns the schema of a value with the selected members.
func (b *documentBuilder) outputSchema(typ *ast.Type, set ast.SelectionSet, operation string) *openapi3.SchemaRef {
	if typ.Elem != nil {
		list := openapi3.NewArraySchema()
		list.Items = b.outputSchema(typ.Elem, set, operation)
		list.Type = orNull(list.Type, !typ.NonNull)
		return list.NewRef()
	}
	definition := b.schema.Types[typ.NamedType]
	if len(set) > 0 {
		return nullableSchema(b.outputObject(definition, set, operation), !typ.NonNull)
	}
	s := scalarSchema(definition)
	if !typ.NonNull {
		if s.Type == nil {
			allowAny(s)
		}
		s.Type = orNull(s.Type, true)
		if len(s.Enum) > 0 {
			s.Enum = append(s.Enum, nil)
		}
	}
	return s.NewRef()
}

// outputObject returns the component of an object type with the selected members; equal selections
// share a component.
func (b *documentBuilder) outputObject(definition *ast.Definition, set ast.SelectionSet,
	operation string) *openapi3.SchemaRef {
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
		s.Properties[member.key] = b.memberSchema(member, operation)
		if !member.optional {
			s.Required = append(s.Required, member.key)
		}
	}
	slices.Sort(s.Required)
	return openapi3.NewSchemaRef(componentPrefix+name, s)
}

// memberSchema returns the schema of an object's member.
func (b *documentBuilder) memberSchema(member *selectedField, operation string) *openapi3.SchemaRef {
	if member.constant != nil {
		return constantSchema(member.constant.Value)
	}
	if member.isText {
		text := scalarSchema(b.schema.Types["String"])
		text.Type = orNull(text.Type, !resultType(member.definition).NonNull)
		text.Description = member.definition.Description + " A string of JSON."
		return text.NewRef()
	}
	if member.keyed != nil {
		return b.keyedSchema(member, operation)
	}
	property := b.outputSchema(resultType(member.definition), member.set, operation)
	if property.Ref == "" {
		property.Value.Description = member.definition.Description
	}
	return property
}

// keyedSchema returns the schema of a list that is written as an object.
func (b *documentBuilder) keyedSchema(member *selectedField, operation string) *openapi3.SchemaRef {
	typ := resultType(member.definition)
	set := member.set
	var element *openapi3.SchemaRef
	if member.keyed.value != "" {
		value := collectFields(set, false, nil).fieldByKey(member.keyed.value)
		element = b.memberSchema(value, operation)
	} else {
		element = b.outputSchema(typ.Elem, withoutMember(set, member.keyed.by), operation)
	}
	s := openapi3.NewObjectSchema()
	s.Type = orNull(s.Type, !typ.NonNull)
	s.Description = member.definition.Description
	s.AdditionalProperties = openapi3.AdditionalProperties{Schema: element}
	return s.NewRef()
}

// withoutMember returns the selection, with its fragments expanded, without a member.
func withoutMember(set ast.SelectionSet, name string) ast.SelectionSet {
	var out ast.SelectionSet
	for _, f := range collectDirect(set, nil) {
		if f.Alias != name {
			out = append(out, f)
		}
	}
	return out
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

// componentName returns the type's name, or the operation's when the type is a GraphQL wrapper or
// its name is used for another selection.
func (b *documentBuilder) componentName(typ, operation string) string {
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

// selectedField is one member of an object in a response.
type selectedField struct {
	key        string
	definition *ast.FieldDefinition
	set        ast.SelectionSet
	optional   bool      // a directive may omit it
	constant   *constant // not nil: the value of each response
	isText     bool      // the value is a string of JSON
	keyed      *keyedBy  // not nil: the list is written as an object
}

type selectedFields []*selectedField

func (f selectedFields) fieldByKey(key string) *selectedField {
	i := slices.IndexFunc(f, func(s *selectedField) bool { return s.key == key })
	if i < 0 {
		return nil
	}
	return f[i]
}

// signature returns the same text for selections with the same members.
func (f selectedFields) signature() string {
	words := make([]string, len(f))
	for i, s := range f {
		words[i] = s.key
		if s.constant != nil || s.isText || s.keyed != nil {
			words[i] += fmt.Sprint("=", s.constant, s.isText, s.keyed)
		}
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

// collectFields returns the selection's members with fragments expanded; a member that is selected
// twice is merged.
func collectFields(set ast.SelectionSet, optional bool, found selectedFields) selectedFields {
	for _, selection := range set {
		switch s := selection.(type) {
		case *ast.Field:
			if headerOf(s) != "" {
				continue
			}
			optional := optional || isConditional(s.Directives)
			if isLifted(s) {
				found = collectFields(s.SelectionSet, optional || !resultType(s.Definition).NonNull, found)
				continue
			}
			found = found.addField(s, optional)
		case *ast.InlineFragment:
			found = collectFields(s.SelectionSet, true, found)
		case *ast.FragmentSpread:
			found = collectFields(s.Definition.SelectionSet, optional || isConditional(s.Directives), found)
		}
	}
	return found
}

func (f selectedFields) addField(field *ast.Field, optional bool) selectedFields {
	if known := f.fieldByKey(field.Alias); known != nil {
		known.optional = known.optional && optional
		known.set = append(slices.Clone(known.set), field.SelectionSet...)
		return f
	}
	definition := *field.Definition
	if field.Directives.ForName("nonNull") != nil {
		definition.Type = ast.NonNullNamedType(definition.Type.NamedType, definition.Type.Position)
	}
	return append(f, &selectedField{
		key: field.Alias, definition: &definition, set: field.SelectionSet, optional: optional,
		constant: constantOf(field), isText: isJSONText(field), keyed: keyedOf(field),
	})
}

func isConditional(directives ast.DirectiveList) bool {
	return directives.ForName("skip") != nil || directives.ForName("include") != nil
}
