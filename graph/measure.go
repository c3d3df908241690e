package graph

import (
	"encoding/json"
	"math"
	"slices"
	"strings"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/vektah/gqlparser/v2/ast"
)

const (
	defaultPage = 20 // rows of a page whose size is not given
	plainList   = 10 // rows that a list without pages is taken to have
)

// pageArguments are the arguments that say how many rows a field's nodes and edges have.
var pageArguments = []string{"perPage", "first", "last", "limit"}

// measure is what an operation asks for, worked out once for all its runs. Conditions (@skip, @include) count as met.
type measure struct {
	needs       []need
	introspects bool
	deferred    bool
	malformed   string // why it cannot run at all; empty when it can
	depth       int
	repeats     int
	least       int          // its cost when every list has one row
	cost        cost         // empty when least is already too much to look further
	conditions  []string     // the variables that @skip and @include ask
	arguments   []*ast.Field // the fields that are given some
	plans       plans
}

// measures keeps the measure of each operation of the query cache.
type measures struct {
	cache *lru.Cache[*ast.OperationDefinition, *measure]
}

func newMeasures() *measures {
	cache, err := lru.New[*ast.OperationDefinition, *measure](cachedOperations)
	if err != nil {
		panic(err) // only a size below one fails
	}
	return &measures{cache: cache}
}

func (ms *measures) of(op *ast.OperationDefinition) *measure {
	if m, ok := ms.cache.Get(op); ok {
		return m
	}
	m := take(op)
	ms.cache.Add(op, m)
	return m
}

// expandable is the size up to which an operation's fragments are written out to measure it; a larger one is always refused.
const expandable = 1_000_000

func take(op *ast.OperationDefinition) *measure {
	s := &sizer{fragments: map[string]size{}}
	total := s.size(op.SelectionSet)
	m := &measure{conditions: s.conditions, arguments: s.arguments, deferred: s.deferred, introspects: s.introspects, depth: total.depth, least: total.fields}
	if m.least > expandable {
		return m
	}
	for _, f := range flatten(op.SelectionSet) {
		if !strings.HasPrefix(f.Name, "__") {
			m.needs = append(m.needs, need{f.Name, scopeOf(op.Operation, f.Definition)})
		}
		if op.Operation == ast.Subscription && len(f.Directives) > 0 {
			m.malformed = "the field of a subscription takes no directives"
		}
	}
	if m.deferred && op.Operation != ast.Query {
		m.malformed = "@defer works in queries only"
	}
	m.repeats = s.repeats(op.SelectionSet)
	m.cost = s.cost(op.SelectionSet, nil)
	return m
}

// size is how many fields a selection has when every list has one row, and how deep it goes.
type size struct{ fields, depth int }

// sizer measures each fragment once, so that fragments which double at each level cost no more than their text.
type sizer struct {
	schema      *ast.Schema
	fragments   map[string]size
	deferred    bool
	introspects bool
	conditions  []string
	arguments   []*ast.Field
}

func (s *sizer) size(selection ast.SelectionSet) size {
	var total size
	for _, sel := range selection {
		part := s.part(sel)
		total.fields = saturating(total.fields, part.fields)
		total.depth = max(total.depth, part.depth)
	}
	return total
}

func (s *sizer) part(sel ast.Selection) size {
	switch sel := sel.(type) {
	case *ast.Field:
		s.note(sel.Directives)
		if strings.HasPrefix(sel.Name, "__") {
			s.introspects = s.introspects || sel.Name != "__typename"
			return size{}
		}
		if len(sel.Arguments) > 0 {
			s.arguments = append(s.arguments, sel)
		}
		inner := s.size(sel.SelectionSet)
		return size{saturating(1, inner.fields), inner.depth + 1}
	case *ast.InlineFragment:
		s.note(sel.Directives)
		return s.size(sel.SelectionSet)
	case *ast.FragmentSpread:
		s.note(sel.Directives)
		known, ok := s.fragments[sel.Name]
		if !ok {
			known = s.size(sel.Definition.SelectionSet)
			s.fragments[sel.Name] = known
		}
		return known
	}
	return size{}
}

// note remembers what changes the answer's shape.
func (s *sizer) note(directives ast.DirectiveList) {
	for _, d := range directives {
		s.deferred = s.deferred || d.Name == "defer"
		condition := d.Arguments.ForName("if")
		if condition != nil && condition.Value.Kind == ast.Variable && !slices.Contains(s.conditions, condition.Value.Raw) {
			s.conditions = append(s.conditions, condition.Value.Raw)
		}
	}
}

// flatten lists the fields of a selection with those of its fragments, each fragment once.
func flatten(selection ast.SelectionSet) []*ast.Field {
	return flattenInto(nil, selection, map[string]bool{})
}

func flattenInto(fields []*ast.Field, selection ast.SelectionSet, seen map[string]bool) []*ast.Field {
	for _, sel := range selection {
		switch sel := sel.(type) {
		case *ast.Field:
			fields = append(fields, sel)
		case *ast.InlineFragment:
			fields = flattenInto(fields, sel.SelectionSet, seen)
		case *ast.FragmentSpread:
			if !seen[sel.Name] {
				seen[sel.Name] = true
				fields = flattenInto(fields, sel.Definition.SelectionSet, seen)
			}
		}
	}
	return fields
}

// repeats counts fields of one object that are asked for again under another name. A first alias is free: it is how a client
// chooses its spelling, as the stored operations of REST do.
func (s *sizer) repeats(selection ast.SelectionSet) int {
	names := map[string][]string{}
	total := 0
	for _, f := range flatten(selection) {
		if strings.HasPrefix(f.Name, "__") {
			continue
		}
		if known := names[f.Name]; !slices.Contains(known, f.Alias) {
			names[f.Name] = append(known, f.Alias)
			total += min(len(known), 1)
		}
		total += s.repeats(f.SelectionSet)
	}
	return total
}

// cost is how many fields an answer has: a fixed part, and for each list what one row costs.
type cost struct {
	fixed int
	lists []listCost
}

type listCost struct {
	page *ast.Field // the field whose arguments say how many rows; nil for a list without pages
	rows int        // how many a list without pages is taken to have
	row  cost
}

// cost adds up a selection; page is the field that it belongs to when that field takes a page's size.
func (s *sizer) cost(selection ast.SelectionSet, page *ast.Field) cost {
	var total cost
	for _, f := range flatten(selection) {
		if strings.HasPrefix(f.Name, "__") {
			continue
		}
		total.fixed++
		if len(f.SelectionSet) == 0 {
			continue
		}
		inner := s.cost(f.SelectionSet, paged(f))
		if f.Definition.Type.Elem != nil {
			total.lists = append(total.lists, listCost{page: page, rows: usualRows(f), row: inner})
			continue
		}
		total.fixed += inner.fixed
		total.lists = append(total.lists, inner.lists...)
	}
	return total
}

// usualRows is what the schema says of a list without pages.
func usualRows(f *ast.Field) int {
	if d := f.Definition.Directives.ForName("rows"); d != nil {
		return *bound(d, "usually")
	}
	return plainList
}

func paged(f *ast.Field) *ast.Field {
	for _, name := range pageArguments {
		if f.Definition.Arguments.ForName(name) != nil {
			return f
		}
	}
	return nil
}

func (c cost) of(variables map[string]any) int {
	total := c.fixed
	for _, l := range c.lists {
		row := l.row.of(variables)
		rows := l.rows
		if l.page != nil {
			rows = pageSize(l.page, variables)
		}
		if row > 0 && rows > math.MaxInt/row {
			return math.MaxInt
		}
		total = saturating(total, rows*row)
	}
	return total
}

func pageSize(f *ast.Field, variables map[string]any) int {
	rows := 0
	for _, name := range pageArguments {
		arg := f.Arguments.ForName(name)
		if arg == nil {
			continue
		}
		if value, err := arg.Value.Value(variables); err == nil {
			rows = max(rows, whole(value))
		}
	}
	if rows == 0 {
		return defaultPage
	}
	return rows
}

// whole reads a number in the forms that literals and variables have; what is none is refused elsewhere.
func whole(value any) int {
	switch n := value.(type) {
	case int:
		return n
	case int64:
		return int(n)
	case float64:
		return int(n)
	case json.Number:
		i, _ := n.Int64()
		return int(i)
	}
	return 0
}

func saturating(a, b int) int {
	if a > math.MaxInt-b {
		return math.MaxInt
	}
	return a + b
}
