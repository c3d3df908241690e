package graph

import (
	"reflect"
	"slices"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"rostrum/errs"
	"rostrum/model"
)

// readable tells of each scalar with rules of its own why a value breaks them.
var readable = map[string]func(any) error{
	"Time":   func(v any) error { _, err := model.UnmarshalTime(v); return err },
	"URL":    func(v any) error { _, err := model.UnmarshalURL(v); return err },
	"String": func(v any) error { _, err := model.UnmarshalString(v); return err },
	"ID":     func(v any) error { _, err := model.UnmarshalID(v); return err },
	"Upload": func(v any) error { _, err := graphql.UnmarshalUpload(v); return err },
}

// inputs looks at all arguments before anything runs, so that one answer names every bad field; gqlgen would stop at the first.
func (s *Server) inputs(m *measure, variables map[string]any) error {
	check := inputCheck{schema: s.schema}
	for _, f := range m.arguments {
		for _, arg := range f.Arguments {
			value, err := arg.Value.Value(variables)
			if def := f.Definition.Arguments.ForName(arg.Name); err == nil && def != nil {
				check.value(def.Type, def.Directives, value, ast.Path{ast.PathName(arg.Name)})
			}
		}
	}
	if len(check.bad) > 0 {
		return errs.Invalid(check.bad...)
	}
	return nil
}

// inputCheck collects what is wrong with values whose shape the validator has accepted.
type inputCheck struct {
	schema *ast.Schema
	bad    []errs.Field
}

func (c *inputCheck) value(t *ast.Type, rules ast.DirectiveList, value any, path ast.Path) {
	if value == nil {
		return
	}
	if t.Elem != nil {
		c.list(t.Elem, value, path)
		return
	}
	def := c.schema.Types[t.NamedType]
	if def.Kind == ast.InputObject {
		c.object(def, value, path)
		return
	}
	if read := readable[def.Name]; read != nil {
		if err := read(value); err != nil {
			c.refuse("value_error", err.Error(), path)
			return
		}
	}
	c.rules(rules, value, path)
}

// list follows the rule that a single value stands for a list of one.
func (c *inputCheck) list(elem *ast.Type, value any, path ast.Path) {
	values := reflect.ValueOf(value)
	if values.Kind() != reflect.Slice {
		c.value(elem, nil, value, path)
		return
	}
	for i := range values.Len() {
		c.value(elem, nil, values.Index(i).Interface(), append(slices.Clone(path), ast.PathIndex(i)))
	}
}

func (c *inputCheck) object(def *ast.Definition, value any, path ast.Path) {
	fields, _ := value.(map[string]any)
	for _, f := range def.Fields {
		if given, ok := fields[f.Name]; ok {
			c.value(f.Type, f.Directives, given, append(slices.Clone(path), ast.PathName(f.Name)))
		}
	}
}

func (c *inputCheck) rules(rules ast.DirectiveList, value any, path ast.Path) {
	if d := rules.ForName("range"); d != nil {
		if kind, msg := outside(whole(value), bound(d, "min"), bound(d, "max")); kind != "" {
			c.refuse(kind, msg, path)
		}
	}
	text, isText := value.(string)
	if d := rules.ForName("length"); d != nil && isText {
		if kind, msg := mislong(text, bound(d, "min"), bound(d, "max")); kind != "" {
			c.refuse(kind, msg, path)
		}
	}
}

func (c *inputCheck) refuse(kind, msg string, path ast.Path) {
	c.bad = append(c.bad, errs.BodyField(kind, msg, inputSteps(path)...))
}

// bound reads a directive's limit; nil when it sets none.
func bound(d *ast.Directive, name string) *int {
	arg := d.Arguments.ForName(name)
	if arg == nil {
		return nil
	}
	value, err := arg.Value.Value(nil)
	if err != nil || value == nil {
		return nil
	}
	n := whole(value)
	return &n
}
