package stored

import (
	"fmt"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"
)

// bodyMember is a member of $body that the request does not send in its body: it is in the path or
// in If-Match, a list of files, or has a fixed value.
type bodyMember struct {
	field     string
	parameter *Parameter // nil: the value is fixed
	value     any
}

// bindMembers assigns the members of $body that @rest names, and the path's names that are no
// variables. It returns an error for a name that $body does not have. An input that has no other
// fields needs no body.
func (op *Operation) bindMembers(in *inputs) error {
	var input *ast.Definition
	if op.Body != nil {
		input = in.schema.Types[op.Body.typ.Name()]
	}
	for i, name := range op.Rule.pathNames() {
		if op.Definition.VariableDefinitions.ForName(name) != nil {
			continue
		}
		p, err := op.bindMember(in, input, name, op.Rule.pathMembers[name])
		if err != nil {
			return err
		}
		p.In, p.Required = InPath, true
		op.Parameters = slices.Insert(op.Parameters, min(i, len(op.Parameters)), p)
	}
	if op.Rule.IfMatch != "" {
		p, err := op.bindMember(in, input, ifMatchVariable, op.Rule.IfMatch)
		if err != nil {
			return err
		}
		p.In, op.IfMatch = InHeader, p
	}
	if op.Rule.Files != "" {
		p, err := op.bindMember(in, input, op.Rule.Files, op.Rule.Files)
		if err != nil {
			return err
		}
		p.In, op.File = InFile, p
	}
	for _, name := range sortedKeys(op.Rule.Set) {
		if input == nil || input.Fields.ForName(name) == nil {
			return fmt.Errorf("set names %q, which $body does not have", name)
		}
		op.members = append(op.members, &bodyMember{field: name, value: op.Rule.Set[name]})
	}
	if len(op.members) > 0 {
		op.Body.decoder = op.Body.decoder.without(op.memberNames())
		if len(op.memberNames()) == len(input.Fields) {
			op.Body = nil
		}
	}
	return nil
}

// bindMember returns the parameter that sets a member of $body: the field of the input, or without
// it the one with the parameter's name.
func (op *Operation) bindMember(in *inputs, input *ast.Definition, name, field string) (*Parameter, error) {
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
	p := in.parameter(name, found.Type, nil)
	p.Description, p.directives = found.Description, found.Directives
	op.members = append(op.members, &bodyMember{field: found.Name, parameter: p})
	for _, argument := range op.Root.Arguments {
		if argument.Value.Kind == ast.Variable && argument.Value.Raw == bodyVariable {
			op.argumentParameters[argument.Name+"/"+found.Name] = p
		}
	}
	return p, nil
}

// memberNames returns the fields of $body that are not part of the request's body.
func (op *Operation) memberNames() []string {
	var names []string
	for _, m := range op.members {
		names = append(names, m.field)
	}
	slices.Sort(names)
	return names
}

// without returns the decoder of an input type that drops the named fields like unknown ones.
func (d *decoder) without(fields []string) *decoder {
	out := &decoder{fields: make(map[string]inputField, len(d.fields))}
	for key, field := range d.fields {
		if !slices.Contains(fields, field.name) {
			out.fields[key] = field
		}
	}
	return out
}

// MoveMembers sets the members of $body that the request does not send in its body.
func (op *Operation) MoveMembers(values map[string]any) {
	if len(op.members) == 0 {
		return
	}
	body, ok := values[bodyVariable].(map[string]any)
	if !ok {
		body = map[string]any{}
		values[bodyVariable] = body
	}
	for _, m := range op.members {
		if m.parameter == nil {
			body[m.field] = m.value
			continue
		}
		if value, given := values[m.parameter.Name]; given {
			body[m.field] = value
			delete(values, m.parameter.Name)
		}
	}
}

// CopyMembers sets variables that are also members of the body. Null, like an absent member, keeps
// the variable's default.
func (op *Operation) CopyMembers(values map[string]any) {
	body, _ := values[bodyVariable].(map[string]any)
	for _, p := range op.copied {
		for name, value := range body {
			if snakeCase(name) == p.Name && value != nil {
				values[p.Name] = value
			}
		}
	}
}
