package policy

import (
	"reflect"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"
)

// deprecatedInputs maps each input type with a deprecated field, in it or below it, to the fields
// that are deprecated or lead to such a type.
type deprecatedInputs map[string][]deprecatedField

// deprecatedField is a field of an input type.
type deprecatedField struct {
	name       string
	coordinate string // as Type.field if it is deprecated, else empty
	typeName   string
}

// findDeprecatedInputs returns the input types of a schema that have deprecated fields.
func findDeprecatedInputs(schema *ast.Schema) deprecatedInputs {
	found := deprecatedInputs{}
	if schema == nil {
		return found
	}
	for isChanged := true; isChanged; { // until no further type leads to a found one
		isChanged = false
		for _, def := range schema.Types {
			if fields := found.fieldsOf(def); len(fields) > len(found[def.Name]) {
				found[def.Name], isChanged = fields, true
			}
		}
	}
	return found
}

// fieldsOf returns the fields of an input type that are deprecated or lead to a type that is found.
func (d deprecatedInputs) fieldsOf(def *ast.Definition) (fields []deprecatedField) {
	if def.Kind != ast.InputObject {
		return nil
	}
	for _, field := range def.Fields {
		known := deprecatedField{name: field.Name, typeName: field.Type.Name()}
		if field.Directives.ForName("deprecated") != nil {
			known.coordinate = def.Name + "." + field.Name
		}
		if known.coordinate != "" || len(d[known.typeName]) > 0 {
			fields = append(fields, known)
		}
	}
	return fields
}

// appendUsed appends the deprecated fields that a value of an input type has and used does not.
func (d deprecatedInputs) appendUsed(used []string, typeName string, value any) []string {
	fields := d[typeName]
	if len(fields) == 0 || value == nil {
		return used
	}
	members, isObject := value.(map[string]any)
	if values := reflect.ValueOf(value); !isObject && values.Kind() == reflect.Slice {
		for i := range values.Len() {
			used = d.appendUsed(used, typeName, values.Index(i).Interface())
		}
	}
	for _, field := range fields {
		member, isGiven := members[field.name]
		if !isGiven {
			continue
		}
		if field.coordinate != "" {
			used = appendDistinct(used, field.coordinate)
		}
		used = d.appendUsed(used, field.typeName, member)
	}
	return used
}

// appendWritten appends the deprecated fields of a literal that used does not have. A field's value
// may be a variable.
func (d deprecatedInputs) appendWritten(used []string, typeName string, literal *ast.Value) []string {
	fields := d[typeName]
	if literal.Kind == ast.ListValue && len(fields) > 0 {
		for _, element := range literal.Children {
			used = d.appendWritten(used, typeName, element.Value)
		}
		return used
	}
	for _, field := range fields {
		member := literal.Children.ForName(field.name)
		if member == nil {
			continue
		}
		if field.coordinate != "" {
			used = appendDistinct(used, field.coordinate)
		}
		used = d.appendWritten(used, field.typeName, member)
	}
	return used
}

func appendDistinct(names []string, name string) []string {
	if slices.Contains(names, name) {
		return names
	}
	return append(names, name)
}

// recordDeprecation records a deprecated field, its deprecated arguments and deprecated fields of
// literal inputs, each once per operation.
func (r fieldRecorder) recordDeprecation(f *ast.Field) {
	name := f.ObjectDefinition.Name + "." + f.Name
	if f.Definition.Directives.ForName("deprecated") != nil {
		r.found.deprecated = appendDistinct(r.found.deprecated, name)
	}
	for _, argument := range f.Arguments {
		def := f.Definition.Arguments.ForName(argument.Name)
		if def == nil {
			continue
		}
		if def.Directives.ForName("deprecated") != nil {
			r.found.deprecated = appendDistinct(r.found.deprecated, name+"("+argument.Name+":)")
		}
		r.found.deprecated = r.inputs.appendWritten(r.found.deprecated, def.Type.Name(), argument.Value)
	}
}

// inputVariables returns an operation's variables that may have deprecated fields.
func (d deprecatedInputs) inputVariables(op *ast.OperationDefinition) (variables ast.VariableDefinitionList) {
	for _, variable := range op.VariableDefinitions {
		if len(d[variable.Type.Name()]) > 0 {
			variables = append(variables, variable)
		}
	}
	return variables
}

// usedDeprecated returns the deprecated elements that a request uses in its operation or its
// variables.
func (p *Policy) usedDeprecated(a *Analysis, values map[string]any) []string {
	if len(a.inputVariables) == 0 {
		return a.deprecated
	}
	used := slices.Clip(a.deprecated)
	for _, variable := range a.inputVariables {
		used = p.inputs.appendUsed(used, variable.Type.Name(), values[variable.Variable])
	}
	return used
}
