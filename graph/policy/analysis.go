package policy

import (
	"math"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// Analysis holds the properties of an operation that are the same for all of its runs. It assumes that every @skip and @include
// selects its field.
type Analysis struct {
	Deferred    bool     // has a @defer
	Conditions  []string // the variables of @skip and @include
	scopes      []fieldScope
	returnsFile bool // a root field returns a file
	introspects bool
	malformed   string // why the operation cannot run; empty when it can
	depth       int
	repeats     int
	minFields   int          // fields in the response if every list had one row
	cost        cost         // empty when minFields is above maxExpanded
	arguments   []*ast.Field // the fields with arguments
}

// Analyze returns the analysis of a validated operation, which it caches.
func (p *Policy) Analyze(op *ast.OperationDefinition) *Analysis {
	if known, ok := p.analyses.Get(op); ok {
		return known
	}
	a := analyze(op)
	p.analyses.Add(op, a)
	return a
}

// maxExpanded is the number of fields up to which fragments are expanded; a larger operation is always refused.
const maxExpanded = 1_000_000

func analyze(op *ast.OperationDefinition) *Analysis {
	w := &walker{fragments: map[string]extent{}}
	total := w.walkSelection(op.SelectionSet)
	a := &w.found
	a.depth, a.minFields = total.depth, total.fields
	if a.minFields > maxExpanded {
		return a
	}
	for _, f := range flattenFields(op.SelectionSet) {
		if !strings.HasPrefix(f.Name, "__") {
			a.scopes = append(a.scopes, fieldScope{f.Name, ScopeOf(op.Operation, f.Definition)})
			a.returnsFile = a.returnsFile || f.Definition.Type.Name() == fileType
		}
		if op.Operation == ast.Subscription && len(f.Directives) > 0 {
			a.malformed = "the root field of a subscription must not have directives"
		}
	}
	if a.Deferred && op.Operation != ast.Query {
		a.malformed = "@defer is supported in queries only"
	}
	a.repeats = countRepeats(op.SelectionSet)
	a.cost = selectionCost(op.SelectionSet, nil)
	return a
}

// extent is the number of fields of a selection if every list had one row, and its depth.
type extent struct{ fields, depth int }

// walker visits each fragment once, so that fragments that double at each level cost no more than their text.
type walker struct {
	fragments map[string]extent
	found     Analysis
}

func (w *walker) walkSelection(selection ast.SelectionSet) extent {
	var total extent
	for _, sel := range selection {
		part := w.walkPart(sel)
		total.fields = addSaturating(total.fields, part.fields)
		total.depth = max(total.depth, part.depth)
	}
	return total
}

func (w *walker) walkPart(sel ast.Selection) extent {
	switch sel := sel.(type) {
	case *ast.Field:
		w.recordDirectives(sel.Directives)
		if strings.HasPrefix(sel.Name, "__") {
			w.found.introspects = w.found.introspects || sel.Name != "__typename"
			return extent{}
		}
		if len(sel.Arguments) > 0 {
			w.found.arguments = append(w.found.arguments, sel)
		}
		inner := w.walkSelection(sel.SelectionSet)
		return extent{addSaturating(1, inner.fields), inner.depth + 1}
	case *ast.InlineFragment:
		w.recordDirectives(sel.Directives)
		return w.walkSelection(sel.SelectionSet)
	case *ast.FragmentSpread:
		w.recordDirectives(sel.Directives)
		known, ok := w.fragments[sel.Name]
		if !ok {
			known = w.walkSelection(sel.Definition.SelectionSet)
			w.fragments[sel.Name] = known
		}
		return known
	}
	return extent{}
}

// recordDirectives records @defer and the variables of conditions, which change the shape of the response.
func (w *walker) recordDirectives(directives ast.DirectiveList) {
	for _, d := range directives {
		w.found.Deferred = w.found.Deferred || d.Name == "defer"
		condition := d.Arguments.ForName("if")
		if condition != nil && condition.Value.Kind == ast.Variable && !slices.Contains(w.found.Conditions, condition.Value.Raw) {
			w.found.Conditions = append(w.found.Conditions, condition.Value.Raw)
		}
	}
}

// fileType is the type of a root field whose response is a file.
const fileType = "FileDownload"

// flattenFields returns the fields of a selection and of its fragments, each fragment once.
func flattenFields(selection ast.SelectionSet) []*ast.Field {
	return appendFields(nil, selection, map[string]bool{})
}

func appendFields(fields []*ast.Field, selection ast.SelectionSet, seen map[string]bool) []*ast.Field {
	for _, sel := range selection {
		switch sel := sel.(type) {
		case *ast.Field:
			fields = append(fields, sel)
		case *ast.InlineFragment:
			fields = appendFields(fields, sel.SelectionSet, seen)
		case *ast.FragmentSpread:
			if !seen[sel.Name] {
				seen[sel.Name] = true
				fields = appendFields(fields, sel.Definition.SelectionSet, seen)
			}
		}
	}
	return fields
}

// countRepeats returns the number of fields of one object that are selected again under another alias. A field's first alias is free:
// clients choose their spelling by it, as the stored operations of REST do.
func countRepeats(selection ast.SelectionSet) int {
	names := map[string][]string{}
	total := 0
	for _, f := range flattenFields(selection) {
		if strings.HasPrefix(f.Name, "__") {
			continue
		}
		if known := names[f.Name]; !slices.Contains(known, f.Alias) {
			names[f.Name] = append(known, f.Alias)
			total += min(len(known), 1)
		}
		total += countRepeats(f.SelectionSet)
	}
	return total
}

func addSaturating(a, b int) int {
	if a > math.MaxInt-b {
		return math.MaxInt
	}
	return a + b
}
