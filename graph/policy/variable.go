package policy

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// checkCoercion is checkVariables after the executor's own check, which accepts texts as numbers
// and numbers as texts. It skips REST's stored operations, because REST reads variables from texts.
func (p *Policy) checkCoercion(ctx context.Context, op *ast.OperationDefinition, variables map[string]any) error {
	if isInputChecked(ctx) {
		return nil
	}
	return p.checkVariables(op, variables)
}

// checkVariables returns an error that names every variable, and every field in one, that cannot be
// coerced to its type (GraphQL specification, sections 3 and 6.1.2).
func (p *Policy) checkVariables(op *ast.OperationDefinition, variables map[string]any) error {
	check := variableCheck{inputCheck{schema: p.schema, limit: p.limits.Errors}}
	for _, v := range op.VariableDefinitions {
		value, given := variables[v.Variable]
		if given || v.DefaultValue == nil {
			check.checkValue(v.Type, value, given, ast.Path{ast.PathName(v.Variable)})
		}
	}
	check.checkNulls(op, variables)
	return check.err()
}

// variableCheck collects the values that are not of the type of their variable or field.
type variableCheck struct{ inputCheck }

// checkValue checks a value, which is nil if it is not given.
func (c *variableCheck) checkValue(t *ast.Type, value any, given bool, path ast.Path) {
	switch {
	case !given && t.NonNull:
		c.addError("missing", "is required", path)
	case value == nil && given && t.NonNull:
		c.addError("value_error", "cannot be null", path)
	case value == nil:
	case t.Elem != nil:
		c.checkElements(t.Elem, value, path)
	default:
		c.checkNamed(c.schema.Types[t.NamedType], value, path)
	}
}

// checkElements checks a list's elements. GraphQL accepts a single value as a list of one element.
func (c *variableCheck) checkElements(elem *ast.Type, value any, path ast.Path) {
	values := reflect.ValueOf(value)
	if values.Kind() != reflect.Slice {
		c.checkValue(elem, value, true, path)
		return
	}
	for i := range values.Len() {
		c.checkValue(elem, values.Index(i).Interface(), true, append(slices.Clone(path), ast.PathIndex(i)))
	}
}

func (c *variableCheck) checkNamed(def *ast.Definition, value any, path ast.Path) {
	switch def.Kind {
	case ast.InputObject:
		c.checkFields(def, value, path)
	case ast.Enum:
		if name, ok := value.(string); !ok || def.EnumValues.ForName(name) == nil {
			c.addError("enum", describeValue(value)+" is not a value of "+def.Name, path)
		}
	case ast.Scalar:
		if accepts := builtInScalars[def.Name]; accepts != nil && !accepts(value) {
			c.addError("value_error", describeValue(value)+" is not "+article(def.Name)+def.Name, path)
		}
	}
}

func (c *variableCheck) checkFields(def *ast.Definition, value any, path ast.Path) {
	fields, ok := value.(map[string]any)
	if !ok {
		c.addError("value_error", describeValue(value)+" is not an object", path)
		return
	}
	for _, f := range def.Fields {
		if member, given := fields[f.Name]; given || f.DefaultValue == nil {
			c.checkValue(f.Type, member, given, append(slices.Clone(path), ast.PathName(f.Name)))
		}
	}
	if def.Directives.ForName("oneOf") != nil {
		c.checkOneOf(def, fields, path)
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if def.Fields.ForName(name) == nil && name != typenameField {
			c.addError("extra_forbidden", "is not a field of "+def.Name, append(slices.Clone(path), ast.PathName(name)))
		}
	}
}

// checkOneOf checks that exactly one field is given, and that it is not null.
func (c *variableCheck) checkOneOf(def *ast.Definition, fields map[string]any, path ast.Path) {
	if len(fields) != 1 {
		c.addError("value_error", "must have exactly one field of "+def.Name, path)
		return
	}
	for name, value := range fields {
		if value == nil {
			c.addError("value_error", "cannot be null", append(slices.Clone(path), ast.PathName(name)))
		}
	}
}

// builtInScalars report whether a decoded JSON value or a default is a value of the scalar.
var builtInScalars = map[string]func(any) bool{
	"Int":     isInt32,
	"Float":   isFloat,
	"String":  isText,
	"Boolean": func(value any) bool { return reflect.ValueOf(value).Kind() == reflect.Bool },
	"ID":      func(value any) bool { return isText(value) || isInteger(value) },
}

// isText reports whether the value is a string; a json.Number is not one, although its kind is.
func isText(value any) bool {
	_, ok := value.(string)
	return ok
}

// isInt32 reports whether the value is a 32-bit number without fraction and exponent, as GraphQL's
// Int.
func isInt32(value any) bool {
	switch v := value.(type) {
	case json.Number:
		_, err := strconv.ParseInt(v.String(), 10, 32)
		return err == nil
	case int, int32, int64:
		n := reflect.ValueOf(v).Int()
		return n >= math.MinInt32 && n <= math.MaxInt32
	}
	return false
}

func isInteger(value any) bool {
	switch v := value.(type) {
	case json.Number:
		return !strings.ContainsAny(v.String(), ".eE")
	case int, int32, int64:
		return true
	}
	return false
}

// isFloat reports whether the value is a finite number.
func isFloat(value any) bool {
	switch v := value.(type) {
	case json.Number:
		_, err := v.Float64()
		return err == nil
	case float64, int, int32, int64:
		return true
	}
	return false
}

// describeValue returns a value for an error: its shortened JSON, or the name of its JSON type.
func describeValue(value any) string {
	switch reflect.ValueOf(value).Kind() {
	case reflect.Map:
		return "an object"
	case reflect.Slice:
		return "a list"
	}
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprintf("a %T", value)
	}
	if runes := []rune(string(text)); len(runes) > maxShownValue {
		return string(runes[:maxShownValue]) + "…"
	}
	return string(text)
}

// maxShownValue is the number of code points of a value that an error shows.
const maxShownValue = 50

func article(name string) string {
	if strings.ContainsAny(name[:1], "AEIOU") {
		return "an "
	}
	return "a "
}

// maxExact is the number up to which a float64 represents all whole numbers.
const maxExact = 1 << 53

// trimFractions replaces numbers such as 2.0 and 2e0 by 2, in the objects and lists of decoded JSON. They
// are Ints by the specification (section 3.5.1), and clients with one type of number write them.
func trimFractions(value any) any {
	switch v := value.(type) {
	case json.Number:
		if n, err := v.Float64(); err == nil && strings.ContainsAny(v.String(), ".eE") && n == math.Trunc(n) &&
			math.Abs(n) < maxExact {
			return json.Number(strconv.FormatInt(int64(n), 10))
		}
	case map[string]any:
		for name, member := range v {
			v[name] = trimFractions(member)
		}
	case []any:
		for i, element := range v {
			v[i] = trimFractions(element)
		}
	}
	return value
}
