package compat

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"
)

// Break is something that a schema breaks for an operation.
type Break struct {
	Element string // the schema coordinate, such as Document.title; empty if the text is not valid
	Reason  string // a clause, such as "was String! and may be null now"
}

func (b Break) String() string {
	if b.Element == "" {
		return b.Reason
	}
	return b.Element + " " + b.Reason
}

// Check returns what the schema after breaks for an operation that is valid in the schema before.
func Check(before, after *ast.Schema, text string) []Break {
	doc, invalid := Load(after, text)
	if len(invalid) > 0 {
		return invalid
	}
	c := &comparison{before: before, after: after, doc: doc, seen: map[string]bool{}}
	for _, op := range doc.Operations {
		for _, v := range op.VariableDefinitions {
			c.compareInputs(before.Types[v.Type.Name()], after.Types[v.Type.Name()])
		}
		was, is := rootOf(before, op.Operation), rootOf(after, op.Operation)
		if was != nil { // the text was valid, so it has the root
			c.compareSelected(was, is, []scope{{op.SelectionSet, was.Name, is.Name}})
		}
	}
	slices.SortFunc(c.breaks, func(x, y Break) int {
		return cmp.Or(cmp.Compare(x.Element, y.Element), cmp.Compare(x.Reason, y.Reason))
	})
	return slices.Compact(c.breaks)
}

// Load parses and validates a text. It returns what is wrong, with lines.
func Load(schema *ast.Schema, text string) (*ast.QueryDocument, []Break) {
	doc, err := parser.ParseQuery(&ast.Source{Input: text})
	if failure, ok := errors.AsType[*gqlerror.Error](err); ok {
		line := 1
		if len(failure.Locations) > 0 {
			line = failure.Locations[0].Line
		}
		return nil, []Break{{Reason: fmt.Sprintf("line %d: %s", line, failure.Message)}}
	}
	var invalid []Break
	for _, failure := range validator.ValidateWithSources(schema, doc) {
		reason := failure.Message
		if len(failure.Locations) > 0 {
			reason = fmt.Sprintf("line %d: %s", failure.Locations[0].Line, reason)
		}
		invalid = append(invalid, Break{Reason: reason})
	}
	return doc, invalid
}

// comparison compares an operation in two schemas.
type comparison struct {
	before, after *ast.Schema
	doc           *ast.QueryDocument
	seen          map[string]bool // the pairs of types that were compared
	breaks        []Break
}

func (c *comparison) add(element, reason string, args ...any) {
	c.breaks = append(c.breaks, Break{element, fmt.Sprintf(reason, args...)})
}

// isKnown reports whether a pair was compared, and notes that it now is.
func (c *comparison) isKnown(key string) bool {
	known := c.seen[key]
	c.seen[key] = true
	return known
}

func rootOf(schema *ast.Schema, kind ast.Operation) *ast.Definition {
	switch kind {
	case ast.Mutation:
		return schema.Mutation
	case ast.Subscription:
		return schema.Subscription
	case ast.Query:
	}
	return schema.Query
}
