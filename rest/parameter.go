package rest

import (
	"fmt"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/vektah/gqlparser/v2/ast"
)

// The parts of a request that carry variables, as OpenAPI and loc name them.
const (
	inPath   = "path"
	inQuery  = "query"
	inBody   = "body"
	inFile   = "file"
	inHeader = "header"
)

// bodyVariable is the variable for the whole JSON body, or for the other parts of a form with a
// file.
const bodyVariable = "body"

// parameter is a variable of an operation and its position in the request.
type parameter struct {
	name        string
	in          string
	variable    *ast.VariableDefinition
	description string
	directives  ast.DirectiveList // of the argument or input field that receives the variable
	coder       *inputDecoder
	schema      *openapi3.SchemaRef
	required    bool // the request must have the body
}

// bindVariables assigns each variable to a part of the request and to the argument that receives
// it. It returns an error for a variable without a description.
func (op *storedOperation) bindVariables(schema *ast.Schema) error {
	op.argumentParameters = map[string]*parameter{}
	coders := decoderSet{schema: schema, inputs: map[string]*inputDecoder{}}
	for _, variable := range op.definition.VariableDefinitions {
		p := &parameter{name: variable.Variable, variable: variable, description: variable.Description,
			coder: coders.decoderFor(variable.Type)}
		switch {
		case op.rule.inPath(p.name):
			p.in = inPath
			op.parameters = append(op.parameters, p)
		case p.name == ifMatchVariable:
			p.in, op.ifMatch = inHeader, p
		case p.name == bodyVariable:
			p.in, op.body, p.required = inBody, p, variable.Type.NonNull && !op.rule.OptionalBody
		case variable.Type.Name() == "Upload":
			p.in, op.file = inFile, p
		case op.copiesMember(schema, p.name):
			p.in, op.copied = inBody, append(op.copied, p)
		default:
			p.in = inQuery
			op.parameters = append(op.parameters, p)
		}
		if !op.traceArgument(p) && p.description == "" {
			return fmt.Errorf("variable $%s fills no argument of the root field: describe it", p.name)
		}
	}
	return op.bindMembers(coders)
}

// copiesMember reports whether a variable is also a member of the body and takes its value.
func (op *storedOperation) copiesMember(schema *ast.Schema, name string) bool {
	if op.body == nil {
		return false
	}
	for _, field := range schema.Types[op.body.variable.Type.Name()].Fields {
		if snakeCase(field.Name) == name {
			return true
		}
	}
	return false
}

// traceArgument finds the argument or input field that receives the variable, and reports whether
// there is one.
func (op *storedOperation) traceArgument(p *parameter) bool {
	for _, argument := range op.root.Arguments {
		definition := op.root.Definition.Arguments.ForName(argument.Name)
		if p.fillsArgument(argument.Value, definition.Description, definition.Directives) {
			op.argumentParameters[argument.Name] = p
			return true
		}
		for _, child := range argument.Value.Children {
			field := argument.Value.Definition.Fields.ForName(child.Name)
			if field != nil && p.fillsArgument(child.Value, field.Description, field.Directives) {
				op.argumentParameters[argument.Name+"/"+child.Name] = p
				return true
			}
		}
	}
	return false
}

func (p *parameter) fillsArgument(value *ast.Value, description string, directives ast.DirectiveList) bool {
	if value.Kind != ast.Variable || value.Raw != p.name {
		return false
	}
	p.directives = directives
	if p.description == "" {
		p.description = description
	}
	return true
}
