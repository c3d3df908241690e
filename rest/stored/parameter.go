package stored

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/vektah/gqlparser/v2/ast"

	"rostrum/errs"
)

// The parts of a request that carry variables, as OpenAPI and loc name them.
const (
	InPath   = "path"
	InQuery  = "query"
	InBody   = "body"
	InFile   = "file"
	InHeader = "header"
)

// bodyVariable is the variable for the whole JSON body, or for the other parts of a form with a
// file.
const bodyVariable = "body"

// ifMatchVariable is the variable with the versions of If-Match.
const ifMatchVariable = "if_match"

// Parameter is a variable of an operation and its position in the request.
type Parameter struct {
	Name        string
	In          string
	Description string
	Required    bool
	IsList      bool
	Schema      *openapi3.SchemaRef // nil for a file, for If-Match, and for a copy of a body's member
	typ         *ast.Type
	fallback    *ast.Value        // the default value; nil without one
	directives  ast.DirectiveList // of the argument or input field that receives the variable
	decoder     *decoder
}

// IsOfTexts reports whether the elements of a list are free texts, which may have commas.
func (p *Parameter) IsOfTexts() bool {
	return p.IsList && (p.typ.Name() == "String" || p.decoder != nil && p.decoder.object != nil)
}

// At returns the error of the parameter, or of a value at a path within it.
func (p *Parameter) At(kind, msg string, path ...any) errs.Field {
	return At(p.In, p.Name)(kind, msg, path...)
}

// Parse parses one text of a path, query or header, or the elements of a list. It returns the
// variable's value, or the invalid fields located by at.
func (p *Parameter) Parse(at Locator, texts ...string) (any, []errs.Field) {
	values := make([]any, len(texts))
	for i, text := range texts {
		value, field := p.parseText(at, text)
		if field != nil {
			return nil, []errs.Field{*field}
		}
		values[i] = value
	}
	var value any = values
	if !p.IsList {
		value = values[0]
	}
	if bad := validate(p.Schema.Value, value, at); len(bad) > 0 {
		return nil, bad
	}
	return p.decoder.decode(value), nil
}

// Decode validates a JSON value in REST's spelling, for example {"source_url": "…"}. It returns the
// variable's value, {"sourceUrl": "…"}, or the invalid fields.
func (p *Parameter) Decode(value any) (any, []errs.Field) {
	if bad := Validate(p.Schema.Value, value, p.At); len(bad) > 0 {
		return nil, bad
	}
	return p.decoder.decode(value), nil
}

// Unknown returns the paths of the members of a JSON value that are no fields of the variable's type
// and that Decode drops.
func (p *Parameter) Unknown(value any) [][]any { return p.decoder.unknown(value, nil) }

// parseText parses a text as the variable's type, or returns the error of the field.
func (p *Parameter) parseText(at Locator, text string) (any, *errs.Field) {
	if msg := TextError(text); msg != "" {
		field := at("string_type", msg)
		return nil, &field
	}
	var value any = text
	var err error
	kind, msg := "", ""
	switch p.typ.Name() {
	case "Int":
		value, err = strconv.ParseInt(text, 10, 64)
		kind, msg = "int_parsing", "must be a whole number"
	case "Float":
		value, err = strconv.ParseFloat(text, 64)
		kind, msg = "float_parsing", "must be a number"
	case "Boolean":
		value, err = strconv.ParseBool(text)
		kind, msg = "bool_parsing", "must be true or false"
	}
	if err != nil {
		field := at(kind, msg)
		return nil, &field
	}
	return value, nil
}

// bindVariables assigns each variable to a part of the request and to the argument that receives
// it. It returns an error for a variable without a description.
func (op *Operation) bindVariables(in *inputs) error {
	op.argumentParameters = map[string]*Parameter{}
	for _, variable := range op.Definition.VariableDefinitions {
		p := in.parameter(variable.Variable, variable.Type, variable.DefaultValue)
		p.Description = variable.Description
		switch {
		case op.Rule.inPath(p.Name):
			p.In, p.Required = InPath, true
			op.Parameters = append(op.Parameters, p)
		case p.Name == ifMatchVariable:
			p.In, op.IfMatch = InHeader, p
		case p.Name == bodyVariable:
			p.In, op.Body, p.Required = InBody, p, p.Required && !op.Rule.OptionalBody
		case variable.Type.Name() == "Upload":
			p.In, op.File = InFile, p
		case op.copiesMember(in.schema, p.Name):
			p.In, op.copied = InBody, append(op.copied, p)
		default:
			p.In = InQuery
			in.writeAsText(p)
			op.Parameters = append(op.Parameters, p)
		}
		if !op.traceArgument(op.Root, p) && p.Description == "" {
			return fmt.Errorf("variable $%s fills no argument: describe it", p.Name)
		}
	}
	if err := op.bindMembers(in); err != nil {
		return err
	}
	op.bindWhen(in)
	op.describeInput(in)
	return nil
}

// bindWhen adds the query parameter that selects the operation, if the rule names one.
func (op *Operation) bindWhen(in *inputs) {
	if op.Rule.When == "" {
		return
	}
	no := &ast.Value{Kind: ast.BooleanValue, Raw: "false"}
	op.When = in.parameter(op.Rule.When, ast.NamedType("Boolean", nil), no)
	op.When.In, op.When.Description = InQuery, WithFullStop(op.Rule.Summary)
	op.When.Schema = in.parameterSchema(op.When)
}

// describeInput adds the schemas of the parameters and of the body.
func (op *Operation) describeInput(in *inputs) {
	for _, p := range op.Parameters {
		if p.Schema == nil {
			p.Schema = in.parameterSchema(p)
		}
	}
	if op.Body != nil {
		op.Body.Schema = in.object(in.schema.Types[op.Body.typ.Name()], op.memberNames())
	}
}

// copiesMember reports whether a variable is also a member of the body and takes its value.
func (op *Operation) copiesMember(schema *ast.Schema, name string) bool {
	if op.Body == nil {
		return false
	}
	for _, field := range schema.Types[op.Body.typ.Name()].Fields {
		if snakeCase(field.Name) == name {
			return true
		}
	}
	return false
}

// traceArgument finds the argument or input field that receives the variable, of the field or of the
// fields that it selects, and reports whether there is one.
func (op *Operation) traceArgument(field *ast.Field, p *Parameter) bool {
	for _, argument := range field.Arguments {
		definition := field.Definition.Arguments.ForName(argument.Name)
		if p.fillsArgument(argument.Value, definition.Description, definition.Directives) {
			op.argumentParameters[argument.Name] = p
			return true
		}
		if op.traceInput(argument.Name, "", argument.Value, p) {
			return true
		}
	}
	return slices.ContainsFunc(collectDirect(field.SelectionSet, nil),
		func(inner *ast.Field) bool { return op.traceArgument(inner, p) })
}

// traceInput is traceArgument within an input object; path leads to it from the argument, and about
// describes it.
func (op *Operation) traceInput(path, about string, object *ast.Value, p *Parameter) bool {
	if object.Kind != ast.ObjectValue {
		return false
	}
	for _, child := range object.Children {
		inner := path + "/" + child.Name
		field := object.Definition.Fields.ForName(child.Name)
		if field == nil {
			continue
		}
		if p.fillsArgument(child.Value, strings.TrimSpace(about+" "+field.Description), field.Directives) {
			op.argumentParameters[inner] = p
			return true
		}
		if op.traceInput(inner, WithFullStop(field.Description), child.Value, p) {
			return true
		}
	}
	return false
}

func (p *Parameter) fillsArgument(value *ast.Value, description string, directives ast.DirectiveList) bool {
	if value.Kind != ast.Variable || value.Raw != p.Name {
		return false
	}
	p.directives = directives
	if p.Description == "" {
		p.Description = description
	}
	return true
}
