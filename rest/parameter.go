package rest

import (
	"fmt"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/vektah/gqlparser/v2/ast"
)

// The parts of a request that a variable comes from, as OpenAPI and loc name them.
const (
	inPath   = "path"
	inQuery  = "query"
	inBody   = "body"
	inFile   = "file"
	inHeader = "header"
)

// bodyVariable is the variable that takes the whole JSON body. Beside a file it also takes the other parts of a form.
const bodyVariable = "body"

// parameter is a variable of an operation and where a request carries it.
type parameter struct {
	name        string
	in          string
	variable    *ast.VariableDefinition
	description string
	directives  ast.DirectiveList // of the argument or input field that the variable fills
	coder       *coder
	schema      *openapi3.SchemaRef
}

// bind sorts the operation's variables by where they come from and finds what each of them fills.
func (op *operation) bind(schema *ast.Schema) error {
	op.places = map[string]*parameter{}
	coders := coderSet{schema: schema, inputs: map[string]*coder{}}
	for _, variable := range op.definition.VariableDefinitions {
		p := &parameter{name: variable.Variable, variable: variable, description: variable.Description, coder: coders.of(variable.Type)}
		switch {
		case op.rule.inPath(p.name):
			p.in = inPath
			op.parameters = append(op.parameters, p)
		case p.name == ifMatchVariable:
			p.in, op.ifMatch = inHeader, p
		case p.name == bodyVariable:
			p.in, op.body = inBody, p
		case variable.Type.Name() == "Upload":
			p.in, op.file = inFile, p
		case op.lifts(schema, p.name):
			p.in, op.lifted = inBody, append(op.lifted, p)
		default:
			p.in = inQuery
			op.parameters = append(op.parameters, p)
		}
		if !op.trace(p) && p.description == "" {
			return fmt.Errorf("variable $%s fills no argument of the root field: describe it", p.name)
		}
	}
	return nil
}

// lifts reports whether a variable is also a member of the body, whose value it takes then.
func (op *operation) lifts(schema *ast.Schema, name string) bool {
	if op.body == nil {
		return false
	}
	for _, field := range schema.Types[op.body.variable.Type.Name()].Fields {
		if snake(field.Name) == name {
			return true
		}
	}
	return false
}

// trace finds the argument, or the field of an input object, that the variable fills.
func (op *operation) trace(p *parameter) bool {
	for _, argument := range op.root.Arguments {
		definition := op.root.Definition.Arguments.ForName(argument.Name)
		if p.fills(argument.Value, definition.Description, definition.Directives) {
			op.places[argument.Name] = p
			return true
		}
		for _, child := range argument.Value.Children {
			field := argument.Value.Definition.Fields.ForName(child.Name)
			if field != nil && p.fills(child.Value, field.Description, field.Directives) {
				op.places[argument.Name+"/"+child.Name] = p
				return true
			}
		}
	}
	return false
}

func (p *parameter) fills(value *ast.Value, description string, directives ast.DirectiveList) bool {
	if value.Kind != ast.Variable || value.Raw != p.name {
		return false
	}
	p.directives = directives
	if p.description == "" {
		p.description = description
	}
	return true
}
