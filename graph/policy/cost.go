package policy

import (
	"cmp"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

const (
	defaultPage = 20 // rows of a page without an explicit size
	defaultRows = 10 // assumed rows of an unpaginated list without @rows
)

// pageArguments are the arguments that set the number of rows of a field's nodes and edges.
var pageArguments = []string{"perPage", "first", "last", "limit"}

// cost is the number of fields in a response: a fixed part, and for each list the cost of one row.
type cost struct {
	fixed int
	lists []listCost
}

type listCost struct {
	// the field with the arguments that set the number of rows: the list or its connection; nil for an unpaginated list
	page *ast.Field
	rows int // assumed rows of an unpaginated list
	row  cost
}

// selectionCost adds up a selection. page is the selection's field if that takes a page size.
func selectionCost(selection ast.SelectionSet, page *ast.Field) cost {
	var total cost
	for _, f := range flattenFields(selection) {
		if f.Name == "__schema" || f.Name == "__type" {
			continue // they have their own limit
		}
		total.fixed += weightOf(f)
		if len(f.SelectionSet) == 0 {
			continue
		}
		if f.Definition.Type.Elem != nil {
			row := selectionCost(f.SelectionSet, nil)
			total.lists = append(total.lists, listCost{page: cmp.Or(pagedField(f), page), rows: expectedRows(f),
				row: row})
			continue
		}
		inner := selectionCost(f.SelectionSet, pagedField(f))
		total.fixed += inner.fixed
		total.lists = append(total.lists, inner.lists...)
	}
	return total
}

// weightOf returns the number of fields that a field counts as, by its @weight directive.
func weightOf(f *ast.Field) int {
	if d := f.Definition.Directives.ForName("weight"); d != nil {
		return *intArgument(d, "fields")
	}
	return 1
}

// expectedRows returns the length of an unpaginated list by its @rows directive.
func expectedRows(f *ast.Field) int {
	if d := f.Definition.Directives.ForName("rows"); d != nil {
		return *intArgument(d, "usually")
	}
	return defaultRows
}

// pagedField returns the field if it takes a page size, otherwise nil.
func pagedField(f *ast.Field) *ast.Field {
	for _, name := range pageArguments {
		if f.Definition.Arguments.ForName(name) != nil {
			return f
		}
	}
	return nil
}

// total returns the fields and rows of the response under the given variables, each at most
// math.MaxInt.
func (c cost) total(variables map[string]any) (fields, rows int) {
	fields = c.fixed
	for _, l := range c.lists {
		length := l.rows
		if l.page != nil {
			length = pageSize(l.page, variables)
		}
		rowFields, innerRows := l.row.total(variables)
		fields = addSaturating(fields, multiplySaturating(length, rowFields))
		rows = addSaturating(rows, multiplySaturating(length, addSaturating(1, innerRows)))
	}
	return fields, rows
}

func pageSize(f *ast.Field, variables map[string]any) int {
	rows := 0
	for _, name := range pageArguments {
		arg := f.Arguments.ForName(name)
		if arg == nil {
			continue
		}
		if value, err := arg.Value.Value(variables); err == nil {
			n, _ := toInt(value)
			rows = max(rows, n)
		}
	}
	if rows == 0 {
		return defaultPage
	}
	return rows
}

// toInt converts a literal or variable of the type Int in each form that the validator accepts.
func toInt(value any) (n int, ok bool) {
	if f, isFloat := value.(float64); isFloat {
		return int(f), true
	}
	n, err := graphql.UnmarshalInt(value)
	return n, err == nil
}
