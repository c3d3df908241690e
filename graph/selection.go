package graph

import (
	"context"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/99designs/gqlgen/graphql"
)

// Columns says which columns of a row the fields of its graph type are read from. It is derived from the row's struct: a
// field's name and its graph name differ in case only.
type Columns struct {
	all    []string
	always []string
	byName map[string][]string
}

// ColumnsOf derives the columns of the row type T. The columns named are read whatever is selected: keys, what scopes the row
// and what pages are cut by. A field that a method of T computes reads every column, since what it needs cannot be seen; a
// field with a resolver of its own reads none.
func ColumnsOf[T any](always ...string) Columns {
	c := Columns{always: always, byName: map[string][]string{}}
	row := reflect.TypeFor[T]()
	for i := range row.NumField() {
		column, _, _ := strings.Cut(row.Field(i).Tag.Get("bun"), ",")
		if column != "" && !strings.Contains(column, ":") {
			c.all = append(c.all, column)
			c.byName[strings.ToLower(row.Field(i).Name)] = []string{column}
		}
	}
	methods := reflect.PointerTo(row)
	for i := range methods.NumMethod() {
		name := strings.ToLower(methods.Method(i).Name)
		if c.byName[name] == nil {
			c.byName[name] = c.all
		}
	}
	return c
}

// Reading says from which columns a computed field is read, so that it does not read every one.
func (c Columns) Reading(field string, columns ...string) Columns {
	c.byName = maps.Clone(c.byName)
	c.byName[strings.ToLower(field)] = columns
	return c
}

// Selected lists the columns that the current field's selection needs, in the order of the struct. The paths lead from the field
// to the rows, such as "nodes" and "edges.node" for a connection; without any the field itself is the row. Fragments and
// @skip and @include are followed.
func (c Columns) Selected(ctx context.Context, paths ...string) []string {
	field := graphql.GetFieldContext(ctx).Field
	op := graphql.GetOperationContext(ctx)
	wanted := map[string]bool{}
	for _, name := range c.always {
		wanted[name] = true
	}
	if len(paths) == 0 {
		c.collect(op, field, nil, wanted)
	}
	for _, path := range paths {
		c.collect(op, field, strings.Split(path, "."), wanted)
	}
	return slices.DeleteFunc(slices.Clone(c.all), func(column string) bool { return !wanted[column] })
}

// selects reports whether the current field's selection has a field of one of these names.
func selects(ctx context.Context, names ...string) bool {
	field, op := graphql.GetFieldContext(ctx).Field, graphql.GetOperationContext(ctx)
	return slices.ContainsFunc(graphql.CollectFields(op, field.Selections, nil), func(f graphql.CollectedField) bool {
		return slices.Contains(names, f.Name)
	})
}

func (c Columns) collect(op *graphql.OperationContext, field graphql.CollectedField, path []string, wanted map[string]bool) {
	for _, f := range graphql.CollectFields(op, field.Selections, nil) {
		if len(path) > 0 {
			if f.Name == path[0] {
				c.collect(op, f, path[1:], wanted)
			}
			continue
		}
		for _, column := range c.byName[strings.ToLower(f.Name)] {
			wanted[column] = true
		}
	}
}
