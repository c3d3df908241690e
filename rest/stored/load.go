package stored

import (
	"fmt"
	"io/fs"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"
	"github.com/vektah/gqlparser/v2/validator/rules"
)

// Set holds the stored operations of a schema.
type Set struct {
	Schema     *ast.Schema
	Operations []*Operation
	Routes     []*Route
	// Selected are routes of their own for the operations that a query parameter selects: the address of
	// the others with its name, such as /generate/estimate. Each route then has one answer.
	Selected []*Route
	Inputs   openapi3.Schemas // the components to which the schemas of inputs refer, by name
}

// Load parses and validates the operations in operations/*.graphql; a fragment may be in any file.
// It returns an error when an operation does not fit the schema.
func Load(schema *ast.Schema, files fs.FS) (*Set, error) {
	all, err := parseFiles(files)
	if err != nil {
		return nil, err
	}
	addAliases(all)
	if errs := validator.ValidateWithRules(schema, all, rules.NewDefaultRules()); len(errs) > 0 {
		return nil, fmt.Errorf("the stored operations do not fit the schema: %w", errs)
	}
	in := newInputs(schema)
	set := &Set{Schema: schema, Inputs: in.components}
	for _, definition := range all.Operations {
		op, err := newOperation(in, definition)
		if err != nil {
			return nil, fmt.Errorf("stored operation %s: %w", definition.Name, err)
		}
		set.Operations = append(set.Operations, op)
	}
	set.Routes = groupRoutes(set.Operations)
	set.Selected = selectedRoutes(set.Operations)
	return set, nil
}

func parseFiles(files fs.FS) (*ast.QueryDocument, error) {
	names, err := fs.Glob(files, "operations/*.graphql")
	if err != nil {
		return nil, err
	}
	all := &ast.QueryDocument{}
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		doc, err := parser.ParseQuery(&ast.Source{Name: name, Input: string(text)})
		if err != nil {
			return nil, err
		}
		all.Operations = append(all.Operations, doc.Operations...)
		all.Fragments = append(all.Fragments, doc.Fragments...)
	}
	return all, nil
}
