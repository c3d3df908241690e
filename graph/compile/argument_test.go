package compile_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// The limits of the inputs of a query.
const (
	maxInputDepth = 3
	maxVariables  = 12 // of inputs
)

// The names in inputs that are no texts.
type (
	enumName     string
	variableName string
)

// arguments returns the required arguments and some of the others.
func (g *queryGenerator) arguments(list ast.ArgumentDefinitionList) string {
	var given []string
	for _, a := range list {
		if a.Type.NonNull && a.DefaultValue == nil || g.oneIn(4) {
			given = append(given, a.Name+": "+printInput(g.input(a.Type, a.Directives)))
		}
	}
	if len(given) == 0 {
		return ""
	}
	return "(" + strings.Join(given, ", ") + ")"
}

// input returns a value of the type, or the name of a variable of it.
func (g *queryGenerator) input(t *ast.Type, directives ast.DirectiveList) any {
	if g.inVariable || len(g.definitions) == maxVariables || !g.oneIn(4) {
		return g.value(t, directives)
	}
	g.inVariable = true
	defer func() { g.inVariable = false }()
	name := fmt.Sprint("v", len(g.definitions))
	definition := "$" + name + ": " + t.String()
	hasDefault := g.oneIn(4)
	if hasDefault {
		definition += " = " + printInput(g.value(t, directives))
	}
	if t.NonNull && !hasDefault || !g.oneIn(4) {
		g.variables[name] = sentValue(g.value(t, directives))
	}
	g.definitions = append(g.definitions, definition)
	return variableName(name)
}

// value returns a value that the type and the directives allow.
func (g *queryGenerator) value(t *ast.Type, directives ast.DirectiveList) any {
	if !t.NonNull && g.oneIn(15) {
		return nil
	}
	if t.Elem != nil {
		elements := make([]any, g.IntN(3))
		for i := range elements {
			elements[i] = g.input(t.Elem, directives)
		}
		if len(elements) == 1 && g.oneIn(2) && elements[0] != nil {
			if _, isVariable := elements[0].(variableName); !isVariable {
				return elements[0] // a single value is a list of it
			}
		}
		return elements
	}
	switch def := g.schema.Types[t.NamedType]; def.Kind {
	case ast.Enum:
		return enumName(pickRandom(g.Rand, def.EnumValues...).Name)
	case ast.InputObject:
		return g.object(def)
	default:
		return g.scalar(def.Name, directives)
	}
}

// object returns an input object with its required fields and some of the others.
func (g *queryGenerator) object(def *ast.Definition) any {
	g.inputDepth++
	defer func() { g.inputDepth-- }()
	given := map[string]any{}
	if def.Directives.ForName("oneOf") != nil {
		field := pickRandom(g.Rand, def.Fields...)
		required := *field.Type
		required.NonNull = true
		return map[string]any{field.Name: g.input(&required, field.Directives)}
	}
	for _, field := range def.Fields {
		isRequired := field.Type.NonNull && field.DefaultValue == nil
		if isRequired || g.inputDepth < maxInputDepth && g.oneIn(4) {
			given[field.Name] = g.input(field.Type, field.Directives)
		}
	}
	return given
}

func (g *queryGenerator) scalar(name string, directives ast.DirectiveList) any {
	lowest, highest := bounds(directives.ForName("range"), -2, 1000)
	shortest, longest := bounds(directives.ForName("length"), 1, 20)
	switch name {
	case "Int":
		return min(highest, max(lowest, pickRandom(g.Rand, lowest, highest, 0, 1, 2, 3, 3, 5, 7)))
	case "Float":
		return pickRandom(g.Rand, 0, 1, 2.5, 1e-7)
	case "Boolean":
		return g.oneIn(2)
	case "Time":
		return pickRandom(g.Rand, "2026-01-01", "2026-01-01T00:00:00.5Z")
	case "URL", "ImageURL":
		return "https://example.com/x?a=1"
	case "JSON", "JSONObject":
		return map[string]any{"a": []any{1, "x", nil}}
	}
	if shortest > 1 || longest < 10 {
		return strings.Repeat("x", max(1, shortest))
	}
	return pickRandom(g.Rand, "x", "é\"\\", "two words")
}

// bounds returns the minimum and maximum of a directive, or else the given ones.
func bounds(d *ast.Directive, lowest, highest int) (least, most int) {
	if d == nil {
		return lowest, highest
	}
	for name, bound := range map[string]*int{"min": &lowest, "max": &highest} {
		if argument := d.Arguments.ForName(name); argument != nil {
			*bound, _ = strconv.Atoi(argument.Value.Raw)
		}
	}
	return lowest, highest
}

// printInput returns the literal of a value.
func printInput(value any) string {
	switch value := value.(type) {
	case enumName:
		return string(value)
	case variableName:
		return "$" + string(value)
	case []any:
		elements := make([]string, len(value))
		for i, element := range value {
			elements[i] = printInput(element)
		}
		return "[" + strings.Join(elements, ", ") + "]"
	case map[string]any:
		fields := make([]string, 0, len(value))
		for _, name := range slices.Sorted(maps.Keys(value)) {
			fields = append(fields, name+": "+printInput(value[name]))
		}
		return "{" + strings.Join(fields, ", ") + "}"
	}
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// sentValue returns a value as the transport decodes it.
func sentValue(value any) (sent any) {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&sent); err != nil {
		panic(err)
	}
	return sent
}
