package rest

import (
	"fmt"
	"io/fs"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/formatter"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"
	"github.com/vektah/gqlparser/v2/validator/rules"
)

const (
	mediaJSON   = "application/json"
	mediaStream = "text/event-stream"
)

// storedOperation is a parsed and validated operation with everything that is independent of a
// request.
type storedOperation struct {
	name               string
	text               string             // without @rest, with the snake_case aliases
	client             *ast.QueryDocument // the document as clients may send it
	clientText         string
	document           *ast.QueryDocument
	definition         *ast.OperationDefinition
	root               *ast.Field
	rule               restRule
	parameters         []*parameter  // in path and query
	body               *parameter    // nil: the operation has no body
	members            []*bodyMember // members of $body that are not part of the request's body
	copied             []*parameter  // variables that are also members of the body
	file               *parameter    // nil: the operation takes no file
	ifMatch            *parameter    // nil: the operation has no precondition
	when               *parameter    // nil: no query parameter selects the operation
	argumentParameters map[string]*parameter
	rootPrefix         string     // precedes the root field's value in the executor's response
	memberPrefix       string     // precedes the body in the root field's value; empty: the whole value is the body
	missing404         bool       // null is a 404
	reshaping          *reshaping // nil: the response is written as the executor returns it
	headers            []responseHeader
}

// mediaType returns the media type of a success.
func (op *storedOperation) mediaType() string {
	if op.definition.Operation == ast.Subscription {
		return mediaStream
	}
	if op.isFile() {
		return mediaAny
	}
	return mediaJSON
}

// isFile reports whether a success is a file and not JSON.
func (op *storedOperation) isFile() bool {
	field := op.root
	if op.rule.Unwrap != "" {
		field = collectDirect(op.root.SelectionSet, nil)[0]
	}
	return field.Definition != nil && field.Definition.Type.Name() == fileType
}

// prepareOperations parses and validates all stored operations; a fragment may be in any file. It
// returns an error when an operation does not fit the schema.
func prepareOperations(schema *ast.Schema, files fs.FS) ([]*storedOperation, error) {
	all, err := parseFiles(files)
	if err != nil {
		return nil, err
	}
	addAliases(all)
	if errs := validator.ValidateWithRules(schema, all, rules.NewDefaultRules()); len(errs) > 0 {
		return nil, fmt.Errorf("the stored operations do not fit the schema: %w", errs)
	}
	operations := make([]*storedOperation, 0, len(all.Operations))
	for _, definition := range all.Operations {
		op, err := newOperation(schema, definition)
		if err != nil {
			return nil, fmt.Errorf("stored operation %s: %w", definition.Name, err)
		}
		operations = append(operations, op)
	}
	return operations, nil
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

func newOperation(schema *ast.Schema, definition *ast.OperationDefinition) (*storedOperation, error) {
	root, ok := definition.SelectionSet[0].(*ast.Field)
	if !ok || len(definition.SelectionSet) != 1 {
		return nil, fmt.Errorf("it must select exactly one root field")
	}
	op := &storedOperation{name: definition.Name, definition: definition, root: root}
	var err error
	if op.rule, err = extractRule(definition); err != nil {
		return nil, err
	}
	op.when = op.whenParameter()
	op.document = &ast.QueryDocument{
		Operations: ast.OperationList{definition},
		Fragments:  usedFragments(definition.SelectionSet, nil),
	}
	op.text = formatDocument(op.document)
	op.client = clientDocument(definition, root)
	op.clientText = formatDocument(op.client)
	if err := op.parseShape(); err != nil {
		return nil, err
	}
	return op, op.bindVariables(schema)
}

// parseShape determines the position of the body in the executor's response.
func (op *storedOperation) parseShape() error {
	op.rootPrefix = `{"` + op.root.Alias + `":`
	op.missing404 = op.rule.NotFound == op.root.Alias || op.rule.NotFound == "" &&
		!resultType(op.root.Definition).NonNull
	if op.rule.NotFound != "" && !op.missing404 {
		return fmt.Errorf("notFound names %q, which is not its root field", op.rule.NotFound)
	}
	var err error
	if op.reshaping, err = newReshaping(op.root.SelectionSet); err != nil {
		return err
	}
	op.headers = headersOf(op.root.SelectionSet, op.root.Alias)
	if op.rule.Unwrap == "" || op.mediaType() == mediaStream {
		return nil
	}
	only, ok := op.root.SelectionSet[0].(*ast.Field)
	if !ok || len(op.root.SelectionSet) != 1 || only.Alias != op.rule.Unwrap {
		return fmt.Errorf("unwrap needs a root field with the one field %q", op.rule.Unwrap)
	}
	op.memberPrefix = `{"` + only.Alias + `":`
	return nil
}

// usedFragments returns the fragments that the selection needs, each once and ahead of those that
// it needs itself.
func usedFragments(set ast.SelectionSet, found ast.FragmentDefinitionList) ast.FragmentDefinitionList {
	for _, selection := range set {
		switch s := selection.(type) {
		case *ast.Field:
			found = usedFragments(s.SelectionSet, found)
		case *ast.InlineFragment:
			found = usedFragments(s.SelectionSet, found)
		case *ast.FragmentSpread:
			if found.ForName(s.Name) == nil {
				found = usedFragments(s.Definition.SelectionSet, append(found, s.Definition))
			}
		}
	}
	return found
}

func formatDocument(doc *ast.QueryDocument) string {
	var text strings.Builder
	formatter.NewFormatter(&text, formatter.WithIndent("  "), formatter.WithoutDescription()).FormatQueryDocument(doc)
	return text.String()
}
