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

// operation is one stored operation with everything that can be known of it before a request comes.
type operation struct {
	name       string
	text       string // without @rest, with the snake_case aliases
	document   *ast.QueryDocument
	definition *ast.OperationDefinition
	root       *ast.Field
	rule       rule
	parameters []*parameter // of path and query
	body       *parameter   // nil: the operation reads none
	lifted     []*parameter // variables that repeat a member of the body
	file       *parameter   // nil: the operation reads none
	ifMatch    *parameter   // nil: the operation has no precondition
	when       *parameter   // nil: the operation is not one that a query parameter chooses
	places     map[string]*parameter
	before     string // stands in the executor's answer before the root field's value
	inner      string // stands in the root field's value before the one field that is the body; empty: all is the body
	missing404 bool   // null is a 404
}

// media is the type of a success.
func (op *operation) media() string {
	if op.definition.Operation == ast.Subscription {
		return mediaStream
	}
	if op.isFile() {
		return mediaAny
	}
	return mediaJSON
}

// isFile reports whether a success is a file and not JSON.
func (op *operation) isFile() bool {
	return op.root.Definition != nil && op.root.Definition.Type.Name() == fileType
}

// prepare parses and validates every operation of the files; fragments may stand in any of them.
func prepare(schema *ast.Schema, files fs.FS) ([]*operation, error) {
	all, err := parse(files)
	if err != nil {
		return nil, err
	}
	addAliases(all)
	if errs := validator.ValidateWithRules(schema, all, rules.NewDefaultRules()); len(errs) > 0 {
		return nil, fmt.Errorf("the stored operations do not fit the schema: %w", errs)
	}
	operations := make([]*operation, 0, len(all.Operations))
	for _, definition := range all.Operations {
		op, err := newOperation(schema, definition)
		if err != nil {
			return nil, fmt.Errorf("stored operation %s: %w", definition.Name, err)
		}
		operations = append(operations, op)
	}
	return operations, nil
}

func parse(files fs.FS) (*ast.QueryDocument, error) {
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

func newOperation(schema *ast.Schema, definition *ast.OperationDefinition) (*operation, error) {
	root, ok := definition.SelectionSet[0].(*ast.Field)
	if !ok || len(definition.SelectionSet) != 1 {
		return nil, fmt.Errorf("it must select exactly one root field")
	}
	op := &operation{name: definition.Name, definition: definition, root: root}
	var err error
	if op.rule, err = takeRule(definition); err != nil {
		return nil, err
	}
	op.when = op.whenParameter()
	op.document = &ast.QueryDocument{
		Operations: ast.OperationList{definition},
		Fragments:  usedFragments(definition.SelectionSet, nil),
	}
	op.text = format(op.document)
	if err := op.shape(); err != nil {
		return nil, err
	}
	return op, op.bind(schema)
}

// shape works out where the body stands in the executor's answer.
func (op *operation) shape() error {
	op.before = `{"` + op.root.Alias + `":`
	op.missing404 = op.rule.NotFound == op.root.Alias || op.rule.NotFound == "" && !op.root.Definition.Type.NonNull
	if op.rule.NotFound != "" && !op.missing404 {
		return fmt.Errorf("notFound names %q, which is not its root field", op.rule.NotFound)
	}
	if op.rule.Unwrap == "" || op.media() == mediaStream {
		return nil
	}
	only, ok := op.root.SelectionSet[0].(*ast.Field)
	if !ok || len(op.root.SelectionSet) != 1 || only.Alias != op.rule.Unwrap {
		return fmt.Errorf("unwrap needs a root field with the one field %q", op.rule.Unwrap)
	}
	op.inner = `{"` + only.Alias + `":`
	return nil
}

// usedFragments lists the fragments that the selection needs, each once and before those that it needs in turn.
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

func format(doc *ast.QueryDocument) string {
	var text strings.Builder
	formatter.NewFormatter(&text, formatter.WithIndent("  "), formatter.WithoutDescription()).FormatQueryDocument(doc)
	return text.String()
}
