package policy

import (
	"math"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"
)

// maxExpanded is the number of fields up to which a document's fragments are expanded. A larger one
// is always refused.
const maxExpanded = 200_000

// shape holds the measures of an operation that follow from its text.
type shape struct {
	fields  int // fields in the response if every list had one row
	depth   int // levels of nested fields
	breadth int // the most fields that are selected from one object
	repeats int // fields of one object that are selected again under another alias
	// conflicts is the number of pairs of different fields with the same alias in one object. They
	// are valid only on different types.
	conflicts int
}

// maxConflicts is the number of conflicts above which a document is refused, before the validator
// describes each.
const maxConflicts = 1000

// checkText returns an error if a text exceeds a limit that needs no schema. It comes before
// validation, because that takes quadratic time and memory for fields of one object with the same
// name. A text that cannot be parsed is left to the executor.
func (p *Policy) checkText(text string) error {
	doc, err := parser.ParseQueryWithTokenLimit(&ast.Source{Input: text}, p.limits.Tokens)
	if err != nil {
		return nil //nolint:nilerr // the executor reports it, with its position
	}
	return p.checkDocument(doc)
}

// checkDocument returns an error if an operation or a fragment exceeds a limit of the shape.
func (p *Policy) checkDocument(doc *ast.QueryDocument) error {
	meter := newShapeMeter(p.limits, doc)
	for _, op := range doc.Operations {
		if err := p.limits.checkShape(meter.measure(op.SelectionSet)); err != nil {
			return err
		}
	}
	for _, fragment := range doc.Fragments {
		if _, reached := meter.extents[fragment.Name]; reached {
			continue
		}
		if err := p.limits.checkShape(meter.measure(fragment.SelectionSet)); err != nil {
			return err
		}
	}
	return nil
}

// extent is the number of fields of a selection if every list had one row, and its depth.
type extent struct{ fields, depth int }

// shapeMeter measures the operations of a document that need not be valid.
type shapeMeter struct {
	limits    Limits
	fragments map[string]ast.SelectionSet
	extents   map[string]extent // by fragment, so that fragments that double at each level cost no more than their text
	visited   int               // fields that were visited in the merged objects of the document
}

func newShapeMeter(limits Limits, doc *ast.QueryDocument) *shapeMeter {
	m := &shapeMeter{limits: limits, fragments: map[string]ast.SelectionSet{}, extents: map[string]extent{}}
	for _, fragment := range doc.Fragments {
		m.fragments[fragment.Name] = fragment.SelectionSet
	}
	return m
}

// measure returns the shape of a selection. It measures breadth and repeats only if the selection
// is neither too large nor too deep.
func (m *shapeMeter) measure(selection ast.SelectionSet) shape {
	total := m.extentOf(selection)
	s := shape{fields: total.fields, depth: total.depth}
	if s.fields <= min(m.limits.Complexity, maxExpanded) && s.depth <= m.limits.Depth {
		m.mergeFields([]ast.SelectionSet{selection}, 1, &s)
	}
	if m.visited > maxExpanded {
		s.fields = m.visited
	}
	return s
}

func (m *shapeMeter) extentOf(selection ast.SelectionSet) extent {
	var total extent
	for _, sel := range selection {
		part := m.partExtent(sel)
		total.fields = addSaturating(total.fields, part.fields)
		total.depth = max(total.depth, part.depth)
	}
	return total
}

func (m *shapeMeter) partExtent(sel ast.Selection) extent {
	switch sel := sel.(type) {
	case *ast.Field:
		inner := m.extentOf(sel.SelectionSet)
		return extent{addSaturating(1, inner.fields), inner.depth + 1}
	case *ast.InlineFragment:
		return m.extentOf(sel.SelectionSet)
	case *ast.FragmentSpread:
		known, ok := m.extents[sel.Name]
		if !ok {
			// ends the recursion of a fragment that contains itself, which the validator refuses
			m.extents[sel.Name] = extent{}
			known = m.extentOf(m.fragments[sel.Name])
			m.extents[sel.Name] = known
		}
		return known
	}
	return extent{}
}

func (m *shapeMeter) fragmentSelection(spread *ast.FragmentSpread) ast.SelectionSet {
	return m.fragments[spread.Name]
}

// mergeFields measures an object that the selections select together, and the objects within it.
func (m *shapeMeter) mergeFields(selections []ast.SelectionSet, level int, s *shape) {
	var fields []*ast.Field
	seen := map[string]bool{}
	for _, selection := range selections {
		fields = appendFields(fields, selection, seen, m.fragmentSelection)
	}
	m.visited += len(fields)
	s.breadth = max(s.breadth, len(fields))
	if s.breadth > m.limits.Breadth || level > m.limits.Depth || m.visited > maxExpanded {
		return
	}
	s.repeats += countRepeats(fields)
	s.conflicts += countConflicts(fields)
	for _, inner := range groupByAlias(fields) {
		m.mergeFields(inner, level+1, s)
	}
}

// groupByAlias returns the selections of the fields by alias. Fields with the same alias are
// merged.
func groupByAlias(fields []*ast.Field) map[string][]ast.SelectionSet {
	groups := map[string][]ast.SelectionSet{}
	for _, f := range fields {
		if len(f.SelectionSet) > 0 {
			groups[f.Alias] = append(groups[f.Alias], f.SelectionSet)
		}
	}
	return groups
}

// countRepeats counts the fields that are selected again under another alias, for example one in {
// a: title b: title }. A field's first alias is free, because clients choose their spelling by it,
// as REST's stored operations do.
func countRepeats(fields []*ast.Field) int {
	type aliasedField struct{ name, alias string }
	names, aliases := map[string]bool{}, map[aliasedField]bool{}
	for _, f := range fields {
		names[f.Name] = true
		aliases[aliasedField{f.Name, f.Alias}] = true
	}
	return len(aliases) - len(names)
}

// countConflicts counts the pairs of fields with the same alias but different names or arguments,
// for example one in { a: title a: id }.
func countConflicts(fields []*ast.Field) int {
	type aliasedCall struct{ alias, call string }
	byAlias, byCall := map[string]int{}, map[aliasedCall]int{}
	pairs := 0
	for _, f := range fields {
		key := aliasedCall{f.Alias, callText(f)}
		pairs += byAlias[f.Alias] - byCall[key]
		byAlias[f.Alias]++
		byCall[key]++
	}
	return pairs
}

// callText returns the name and the arguments of a field.
func callText(f *ast.Field) string {
	text := f.Name
	for _, arg := range f.Arguments {
		text += " " + arg.Name + ":" + arg.Value.String()
	}
	return text
}

func addSaturating(a, b int) int {
	if a > math.MaxInt-b {
		return math.MaxInt
	}
	return a + b
}

func multiplySaturating(a, b int) int {
	if b > 0 && a > math.MaxInt/b {
		return math.MaxInt
	}
	return a * b
}
