package policy

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"rostrum/errs"
	"rostrum/model"
)

// unmarshalers parse the scalars that have rules of their own.
var unmarshalers = map[string]func(any) (any, error){
	"Int":        unmarshalInt,
	"Time":       func(v any) (any, error) { return model.UnmarshalTime(v) },
	"URL":        func(v any) (any, error) { return model.UnmarshalURL(v) },
	"String":     func(v any) (any, error) { return model.UnmarshalString(v) },
	"ID":         func(v any) (any, error) { return model.UnmarshalID(v) },
	"Upload":     func(v any) (any, error) { return graphql.UnmarshalUpload(v) },
	"JSONObject": func(v any) (any, error) { return model.UnmarshalJSONObject(v) },
	"JSON":       func(v any) (any, error) { return model.UnmarshalJSON(v) },
}

// unmarshalInt returns a number that the validator has accepted, or an error if it exceeds 32 bits.
func unmarshalInt(v any) (any, error) {
	if !isInt32(v) {
		return nil, fmt.Errorf("%v is not an Int", v)
	}
	return v, nil
}

// checkInputs returns an error that names every invalid argument; gqlgen would stop at the first.
// It enforces @range, @length and @filled, but not for REST, which has checked the variables
// against OpenAPI.
func (p *Policy) checkInputs(ctx context.Context, a *Analysis, variables map[string]any) error {
	if isInputChecked(ctx) {
		return nil
	}
	check := inputCheck{schema: p.schema, limit: p.limits.Errors}
	for _, f := range a.arguments {
		for _, arg := range f.Arguments {
			value, err := arg.Value.Value(variables)
			if def := f.Definition.Arguments.ForName(arg.Name); err == nil && def != nil {
				check.checkValue(def.Type, def.Directives, value, ast.Path{ast.PathName(arg.Name)})
			}
		}
	}
	return check.err()
}

// inputCheck collects the errors of values that have passed the validator's type check.
type inputCheck struct {
	schema  *ast.Schema
	limit   int // fields that the error names
	invalid errs.FieldErrors
	omitted int // further invalid fields
}

// err returns an error that names the collected fields and states how many more there are, or nil.
func (c *inputCheck) err() error {
	err := c.invalid.Err()
	if c.omitted == 0 {
		return err
	}
	failure := errs.From(err).With("omitted", c.omitted)
	failure.Message += "; " + countMore(c.omitted, "field") + " invalid"
	return failure
}

func (c *inputCheck) checkValue(t *ast.Type, directives ast.DirectiveList, value any, path ast.Path) {
	if value == nil {
		return
	}
	if t.Elem != nil {
		c.checkList(t.Elem, value, path)
		return
	}
	def := c.schema.Types[t.NamedType]
	if def.Kind == ast.InputObject {
		c.checkObject(def, value, path)
		return
	}
	if unmarshal := unmarshalers[def.Name]; unmarshal != nil {
		parsed, err := unmarshal(value)
		if err != nil {
			c.addError("value_error", err.Error(), path)
			return
		}
		value = parsed
	}
	c.checkDirectives(directives, value, path)
}

// checkList checks the elements; GraphQL accepts a single value as a list of one element.
func (c *inputCheck) checkList(elem *ast.Type, value any, path ast.Path) {
	values := reflect.ValueOf(value)
	if values.Kind() != reflect.Slice {
		c.checkValue(elem, nil, value, path)
		return
	}
	for i := range values.Len() {
		c.checkValue(elem, nil, values.Index(i).Interface(), append(slices.Clone(path), ast.PathIndex(i)))
	}
}

func (c *inputCheck) checkObject(def *ast.Definition, value any, path ast.Path) {
	fields, _ := value.(map[string]any)
	isFilled := def.Directives.ForName("filled") != nil
	for _, f := range def.Fields {
		given, ok := fields[f.Name]
		if !ok {
			continue
		}
		fieldPath := append(slices.Clone(path), ast.PathName(f.Name))
		if isFilled && c.addEmpty(given, fieldPath) {
			continue
		}
		c.checkValue(f.Type, f.Directives, given, fieldPath)
	}
}

// addEmpty adds an error for a blank text, and for each blank element of a list. It reports whether
// there is one.
func (c *inputCheck) addEmpty(value any, path ast.Path) bool {
	if text, isText := value.(string); isText && strings.TrimSpace(text) == "" {
		c.addError("empty", "must not be empty", path)
		return true
	}
	values := reflect.ValueOf(value)
	found := false
	for i := 0; values.Kind() == reflect.Slice && i < values.Len(); i++ {
		if _, isText := values.Index(i).Interface().(string); isText {
			found = c.addEmpty(values.Index(i).Interface(), append(slices.Clone(path), ast.PathIndex(i))) || found
		}
	}
	return found
}

// checkDirectives applies @range and @length. A number that is not an Int is left to gqlgen's
// error.
func (c *inputCheck) checkDirectives(directives ast.DirectiveList, value any, path ast.Path) {
	if d := directives.ForName("range"); d != nil {
		if n, ok := toInt(value); ok {
			if kind, msg := checkRange(n, intArgument(d, "min"), intArgument(d, "max")); kind != "" {
				c.addError(kind, msg, path)
			}
		}
	}
	text, isText := value.(string)
	if d := directives.ForName("length"); d != nil && isText {
		if kind, msg := checkLength(text, intArgument(d, "min"), intArgument(d, "max")); kind != "" {
			c.addError(kind, msg, path)
		}
	}
}

func (c *inputCheck) addError(kind, msg string, path ast.Path) {
	if len(c.invalid) == c.limit {
		c.omitted++
		return
	}
	c.invalid.Body(kind, msg, pathSteps(path)...)
}
