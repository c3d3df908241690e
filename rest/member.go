package rest

import (
	"fmt"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"
)

// bodyMember is a member of $body that the request does not send in its body: it is in the path or
// in If-Match, or has a fixed value.
type bodyMember struct {
	field     string
	parameter *parameter // nil: the value is fixed
	value     any
}

// bindMembers assigns the members of $body that @rest names, and the path's names that are no
// variables. It returns an error for a name that $body does not have. An input that has no other
// fields needs no body.
func (op *storedOperation) bindMembers(coders decoderSet) error {
	var input *ast.Definition
	if op.body != nil {
		input = coders.schema.Types[op.body.variable.Type.Name()]
	}
	for i, name := range op.rule.pathNames() {
		if op.definition.VariableDefinitions.ForName(name) != nil {
			continue
		}
		p, err := op.bindMember(input, name, op.rule.pathMembers[name], coders)
		if err != nil {
			return err
		}
		p.in = inPath
		op.parameters = slices.Insert(op.parameters, min(i, len(op.parameters)), p)
	}
	if op.rule.IfMatch != "" {
		p, err := op.bindMember(input, ifMatchVariable, op.rule.IfMatch, coders)
		if err != nil {
			return err
		}
		p.in, op.ifMatch = inHeader, p
	}
	for _, name := range sortedKeys(op.rule.Set) {
		if input == nil || input.Fields.ForName(name) == nil {
			return fmt.Errorf("set names %q, which $body does not have", name)
		}
		op.members = append(op.members, &bodyMember{field: name, value: op.rule.Set[name]})
	}
	if len(op.members) > 0 {
		op.body.coder = op.body.coder.without(op.memberNames())
		if len(op.memberNames()) == len(input.Fields) {
			op.body = nil
		}
	}
	return nil
}

// bindMember returns the parameter that sets a member of $body: the field of the input, or without
// it the one with the parameter's name.
func (op *storedOperation) bindMember(input *ast.Definition, name, field string, coders decoderSet) (*parameter,
	error) {
	if input == nil {
		return nil, fmt.Errorf("%q is neither a variable nor a member of $body, which the operation does not have",
			name)
	}
	i := slices.IndexFunc(input.Fields, func(f *ast.FieldDefinition) bool {
		return f.Name == field || field == "" && snakeCase(f.Name) == name
	})
	if i < 0 {
		return nil, fmt.Errorf("%q is neither a variable nor a member of %s", name, input.Name)
	}
	found := input.Fields[i]
	p := &parameter{
		name: name, description: found.Description, directives: found.Directives, coder: coders.decoderFor(found.Type),
		variable: &ast.VariableDefinition{Variable: name, Type: found.Type},
	}
	op.members = append(op.members, &bodyMember{field: found.Name, parameter: p})
	for _, argument := range op.root.Arguments {
		if argument.Value.Kind == ast.Variable && argument.Value.Raw == bodyVariable {
			op.argumentParameters[argument.Name+"/"+found.Name] = p
		}
	}
	return p, nil
}

// memberNames returns the fields of $body that are not part of the request's body.
func (op *storedOperation) memberNames() []string {
	var names []string
	for _, m := range op.members {
		names = append(names, m.field)
	}
	slices.Sort(names)
	return names
}

// without returns the decoder of an input type that drops the named fields like unknown ones.
func (c *inputDecoder) without(fields []string) *inputDecoder {
	out := &inputDecoder{fields: make(map[string]inputField, len(c.fields))}
	for key, field := range c.fields {
		if !slices.Contains(fields, field.name) {
			out.fields[key] = field
		}
	}
	return out
}

// moveMembers sets the members of $body that the request does not send in its body.
func (in *requestInput) moveMembers(op *storedOperation) {
	if len(op.members) == 0 {
		return
	}
	body, ok := in.values[bodyVariable].(map[string]any)
	if !ok {
		body = map[string]any{}
		in.values[bodyVariable] = body
	}
	for _, m := range op.members {
		if m.parameter == nil {
			body[m.field] = m.value
			continue
		}
		if value, given := in.values[m.parameter.name]; given {
			body[m.field] = value
			delete(in.values, m.parameter.name)
		}
	}
}
