package incremental

import (
	"strconv"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"rostrum/graph/policy"
)

const deferDirective = "defer"

// markerPrefix begins the alias of a marker. A number follows, that of its part.
const markerPrefix = "@"

// split is an operation in parts, for one set of values of the conditions of @defer.
type split struct {
	parts []*part // the first is the operation without its deferred fragments
	whole *part   // the operation without @defer

	shared     map[string]bool             // the positions of the objects that several parts select
	selections map[string]ast.SelectionSet // the selections of all parts, by position
	onPath     map[string]bool             // the positions of deferred fragments and of what they are in
}

// part is an operation that runs by itself. Positions are aliases, see [policy.AliasPath].
type part struct {
	operation *ast.OperationDefinition
	doc       *ast.QueryDocument
	analysis  *policy.Analysis
	fragment  *ast.InlineFragment // nil for the first part and for the whole operation
	label     string
}

// newSplit splits the operation by its deferred fragments.
func newSplit(op *graphql.OperationContext) *split {
	s := &split{
		parts: []*part{{}}, shared: map[string]bool{}, selections: map[string]ast.SelectionSet{},
		onPath: map[string]bool{"": true},
	}
	selection := inliner{op, s}.inline(op.Operation.SelectionSet, "")
	s.whole = &part{}
	s.whole.setSelection(op, selection)
	counts := map[string]int{}
	for _, p := range s.parts {
		projector := projector{s, p}
		if p.fragment == nil {
			p.setSelection(op, projector.content(selection))
		} else {
			p.setSelection(op, projector.path(selection))
		}
		countPositions(p.operation.SelectionSet, "", map[string]bool{}, counts)
	}
	walked := s.share(counts)
	s.collectSelections(selection, "")
	analysis := policy.AnalysisOf(op)
	s.whole.analysis = analysis.Part(nil)
	for _, p := range s.parts {
		p.analysis = analysis.Part(walked)
	}
	return s
}

// setSelection makes the selection that of the part.
func (p *part) setSelection(op *graphql.OperationContext, selection ast.SelectionSet) {
	operation := *op.Operation
	operation.SelectionSet = selection
	p.operation = &operation
	p.doc = &ast.QueryDocument{Operations: ast.OperationList{p.operation}, Position: op.Doc.Position}
}

// share records the positions that several parts have, by the counts of all. It returns those above
// them, which gqlgen must walk.
func (s *split) share(counts map[string]int) (walked map[string]bool) {
	walked = map[string]bool{}
	for position, parts := range counts {
		if parts < 2 {
			continue
		}
		s.shared[position] = true
		for above := parentPosition(position); above != ""; above = parentPosition(above) {
			walked[above] = true
		}
	}
	return walked
}

// childPosition returns the position of a field of the object at a position.
func childPosition(position, alias string) string {
	if position == "" {
		return alias
	}
	return position + "." + alias
}

func parentPosition(position string) string {
	return position[:max(0, strings.LastIndexByte(position, '.'))]
}

// countPositions counts the parts that have an object at a position. seen holds those of this part.
func countPositions(selection ast.SelectionSet, position string, seen map[string]bool, parts map[string]int) {
	for _, sel := range selection {
		switch sel := sel.(type) {
		case *ast.Field:
			inner := childPosition(position, sel.Alias)
			if len(sel.SelectionSet) > 0 && !seen[inner] {
				seen[inner] = true
				parts[inner]++
			}
			countPositions(sel.SelectionSet, inner, seen, parts)
		case *ast.InlineFragment:
			countPositions(sel.SelectionSet, position, seen, parts)
		}
	}
}

// collectSelections collects the selections of the shared positions.
func (s *split) collectSelections(selection ast.SelectionSet, position string) {
	for _, sel := range selection {
		switch sel := sel.(type) {
		case *ast.Field:
			inner := childPosition(position, sel.Alias)
			if s.shared[inner] {
				s.selections[inner] = append(s.selections[inner], sel.SelectionSet...)
			}
			s.collectSelections(sel.SelectionSet, inner)
		case *ast.InlineFragment:
			s.collectSelections(sel.SelectionSet, position)
		}
	}
}

// inliner writes the spreads of an operation as inline fragments, and makes a part of each deferred
// fragment.
type inliner struct {
	op *graphql.OperationContext
	s  *split
}

func (in inliner) inline(selection ast.SelectionSet, position string) ast.SelectionSet {
	out := make(ast.SelectionSet, 0, len(selection))
	for _, sel := range selection {
		switch sel := sel.(type) {
		case *ast.Field:
			field := *sel
			field.SelectionSet = in.inline(sel.SelectionSet, childPosition(position, sel.Alias))
			out = append(out, &field)
		case *ast.InlineFragment:
			out = append(out, in.inlineFragment(*sel, position))
		case *ast.FragmentSpread:
			out = append(out, in.inlineFragment(ast.InlineFragment{
				TypeCondition: sel.Definition.TypeCondition, Directives: sel.Directives,
				SelectionSet: sel.Definition.SelectionSet, ObjectDefinition: sel.Definition.Definition,
				Position: sel.Position,
			}, position))
		}
	}
	return out
}

// inlineFragment returns the fragment, and makes a part of it if it is deferred.
func (in inliner) inlineFragment(fragment ast.InlineFragment, position string) *ast.InlineFragment {
	label, deferred := in.deferral(fragment.Directives)
	fragment.Directives = withoutDefer(fragment.Directives)
	if deferred {
		in.s.parts = append(in.s.parts, &part{fragment: &fragment, label: label})
		for at := position; at != ""; at = parentPosition(at) {
			in.s.onPath[at] = true
		}
	}
	fragment.SelectionSet = in.inline(fragment.SelectionSet, position)
	return &fragment
}

// deferral returns the label of a fragment, and whether it is deferred.
func (in inliner) deferral(directives ast.DirectiveList) (label string, deferred bool) {
	d := directives.ForName(deferDirective)
	if d == nil {
		return "", false
	}
	arguments := d.ArgumentMap(in.op.Variables)
	label, _ = arguments["label"].(string)
	return label, arguments["if"] != false
}

func withoutDefer(directives ast.DirectiveList) ast.DirectiveList {
	var others ast.DirectiveList
	for _, d := range directives {
		if d.Name != deferDirective {
			others = append(others, d)
		}
	}
	return others
}

// projector selects from the whole operation what one part has.
type projector struct {
	s    *split
	part *part
}

// indexOf returns the number of the part that a fragment is deferred to; 0 if it is not deferred.
func (s *split) indexOf(fragment *ast.InlineFragment) int {
	for i, p := range s.parts {
		if p.fragment == fragment {
			return i
		}
	}
	return 0
}

// content selects everything but deferred fragments, which it replaces with their markers.
func (p projector) content(selection ast.SelectionSet) ast.SelectionSet {
	var out ast.SelectionSet
	for _, sel := range selection {
		switch sel := sel.(type) {
		case *ast.Field:
			field := *sel
			field.SelectionSet = p.content(sel.SelectionSet)
			out = append(out, &field)
		case *ast.InlineFragment:
			fragment := *sel
			if i := p.s.indexOf(sel); i > 0 {
				fragment.SelectionSet = ast.SelectionSet{markerOf(i, sel)}
			} else {
				fragment.SelectionSet = p.content(sel.SelectionSet)
			}
			out = append(out, &fragment)
		}
	}
	return out
}

// path selects the part's fragment, and nothing of what it is in but the fields on the path to it.
func (p projector) path(selection ast.SelectionSet) ast.SelectionSet {
	var out ast.SelectionSet
	for _, sel := range selection {
		switch sel := sel.(type) {
		case *ast.Field:
			if inner := p.path(sel.SelectionSet); len(inner) > 0 {
				field := *sel
				field.SelectionSet = inner
				out = append(out, &field)
			}
		case *ast.InlineFragment:
			fragment := *sel
			if sel == p.part.fragment {
				fragment.SelectionSet = append(ast.SelectionSet{markerOf(p.s.indexOf(sel), sel)}, p.content(sel.SelectionSet)...)
			} else if fragment.SelectionSet = p.path(sel.SelectionSet); len(fragment.SelectionSet) == 0 {
				continue
			}
			out = append(out, &fragment)
		}
	}
	return out
}

// markerOf returns the field by which the objects of a fragment are found.
func markerOf(part int, fragment *ast.InlineFragment) *ast.Field {
	return &ast.Field{
		Alias: markerPrefix + strconv.Itoa(part), Name: "__typename", Position: fragment.Position,
		ObjectDefinition: fragment.ObjectDefinition,
		Definition:       &ast.FieldDefinition{Name: "__typename", Type: ast.NonNullNamedType("String", nil)},
	}
}
