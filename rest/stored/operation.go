package stored

import (
	"fmt"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/formatter"
)

// The media types of requests and successes.
const (
	MediaJSON   = "application/json"
	MediaForm   = "multipart/form-data"
	MediaStream = "text/event-stream"
	MediaFile   = "*/*" // a file's own type is known only after it is created
)

// fileType is the type of a body that is sent as a file.
const fileType = "FileDownload"

// Operation is a parsed and validated operation with everything that is independent of a request.
// It does not change after Load.
type Operation struct {
	Name               string
	Text               string             // without @rest, with the snake_case aliases
	Document           *ast.QueryDocument // of Text
	ClientText         string             // as clients may send it; empty if they do not see the root field
	Client             *ast.QueryDocument // of ClientText
	Definition         *ast.OperationDefinition
	Root               *ast.Field
	Rule               Rule
	Parameters         []*Parameter // in path and query
	Body               *Parameter   // nil: the operation has no body
	File               *Parameter   // nil: the operation takes no file
	IfMatch            *Parameter   // nil: the operation has no precondition
	When               *Parameter   // nil: no query parameter selects the operation
	Headers            []Header
	Renderings         []Rendering   // further media types of a success
	members            []*bodyMember // members of $body that are not part of the request's body
	copied             []*Parameter  // variables that are also members of the body
	argumentParameters map[string]*Parameter
	rootPrefix         string     // precedes the root field's value in the executor's data
	memberPrefix       string     // precedes the body in the root field's value; empty: the whole value is the body
	missing404         bool       // null is a 404
	reshaping          *reshaping // nil: the response is written as the executor returns it
}

// MediaType returns the media type of a success.
func (op *Operation) MediaType() string {
	if op.Definition.Operation == ast.Subscription {
		return MediaStream
	}
	if op.IsFile() {
		return MediaFile
	}
	return MediaJSON
}

// Media returns the media types of a success, the default first.
func (op *Operation) Media() []string {
	media := []string{op.MediaType()}
	for _, r := range op.Renderings {
		media = append(media, r.Media)
	}
	return media
}

// IsFile reports whether a success is a file and not JSON.
func (op *Operation) IsFile() bool {
	field := op.Root
	if op.Rule.Unwrap != "" {
		field = collectDirect(op.Root.SelectionSet, nil)[0]
	}
	return field.Definition != nil && field.Definition.Type.Name() == fileType
}

// Resume returns the variable for the position to resume a stream from, or nil without one.
func (op *Operation) Resume() *Parameter {
	for _, p := range op.Parameters {
		if p.Name == "after" {
			return p
		}
	}
	return nil
}

func newOperation(in *inputs, definition *ast.OperationDefinition) (*Operation, error) {
	root, ok := definition.SelectionSet[0].(*ast.Field)
	if !ok || len(definition.SelectionSet) != 1 {
		return nil, fmt.Errorf("it must select exactly one root field")
	}
	op := &Operation{Name: definition.Name, Definition: definition, Root: root}
	var err error
	if op.Rule, err = extractRule(definition); err != nil {
		return nil, err
	}
	op.Document = &ast.QueryDocument{
		Operations: ast.OperationList{definition},
		Fragments:  usedFragments(definition.SelectionSet, nil),
	}
	op.Text = FormatDocument(op.Document)
	op.Client = clientDocument(definition, root)
	op.ClientText = FormatDocument(op.Client)
	if err := op.parseShape(); err != nil {
		return nil, err
	}
	return op, op.bindVariables(in)
}

// parseShape determines the position of the body in the executor's data.
func (op *Operation) parseShape() error {
	op.rootPrefix = `{"` + op.Root.Alias + `":`
	op.missing404 = op.Rule.NotFound == op.Root.Alias || op.Rule.NotFound == "" &&
		!valueType(op.Root.Definition).NonNull
	if op.Rule.NotFound != "" && !op.missing404 {
		return fmt.Errorf("notFound names %q, which is not its root field", op.Rule.NotFound)
	}
	var err error
	if op.reshaping, err = newReshaping(op.Root.SelectionSet); err != nil {
		return err
	}
	op.Headers = headersOf(op.Root.SelectionSet, op.Root.Alias)
	defer op.addRenderings()
	if op.Rule.Unwrap == "" || op.MediaType() == MediaStream {
		return nil
	}
	only, ok := op.Root.SelectionSet[0].(*ast.Field)
	if !ok || len(op.Root.SelectionSet) != 1 || only.Alias != op.Rule.Unwrap {
		return fmt.Errorf("unwrap needs a root field with the one field %q", op.Rule.Unwrap)
	}
	op.memberPrefix = `{"` + only.Alias + `":`
	return nil
}

// usedFragments returns the fragments that the selection needs, each once and before the fragments
// within it.
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

// FormatDocument returns the text of a document.
func FormatDocument(doc *ast.QueryDocument) string {
	var text strings.Builder
	formatter.NewFormatter(&text, formatter.WithIndent("  "), formatter.WithoutDescription()).FormatQueryDocument(doc)
	return text.String()
}
