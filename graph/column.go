package graph

import (
	"context"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/99designs/gqlgen/graphql"
)

// Columns maps the fields of a graph type to the columns of its row. It is derived from the row's struct: the Go name of a field and
// its name in the schema differ in case only.
type Columns struct {
	all    []string
	always []string
	byName map[string][]string
}

// ColumnsOf returns the columns of the row type T. The named columns are always read: keys, the workspace and the order of pages. A
// field that a method of T computes reads every column unless [Columns.Reading] names them; a field with its own resolver reads none.
func ColumnsOf[T any](always ...string) Columns {
	c := Columns{always: always, byName: map[string][]string{}}
	row := reflect.TypeFor[T]()
	for i := range row.NumField() {
		column, _, _ := strings.Cut(row.Field(i).Tag.Get("bun"), ",")
		isStored := column != "" && column != "-" && !strings.Contains(column, ":") && !strings.HasSuffix(row.Field(i).Tag.Get("bun"), ",scanonly")
		if isStored {
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

// Reading returns the columns with those of a computed field limited to the given ones.
func (c Columns) Reading(field string, columns ...string) Columns {
	c.byName = maps.Clone(c.byName)
	c.byName[strings.ToLower(field)] = columns
	return c
}

// Selected returns the columns that the current field's selection needs, in the order of the struct. It follows fragments, @skip and
// @include. The paths lead from the field to its rows, such as "nodes" and "edges.node" for a connection; without paths the field
// itself is the row.
func (c Columns) Selected(ctx context.Context, paths ...string) []string {
	field := graphql.GetFieldContext(ctx).Field
	op := graphql.GetOperationContext(ctx)
	wanted := map[string]bool{}
	for _, name := range c.always {
		wanted[name] = true
	}
	if len(paths) == 0 {
		c.addColumns(op, field, nil, wanted)
	}
	for _, path := range paths {
		c.addColumns(op, field, strings.Split(path, "."), wanted)
	}
	return slices.DeleteFunc(slices.Clone(c.all), func(column string) bool { return !wanted[column] })
}

// selectsField reports whether the current field's selection contains one of the named fields.
func selectsField(ctx context.Context, names ...string) bool {
	field, op := graphql.GetFieldContext(ctx).Field, graphql.GetOperationContext(ctx)
	return slices.ContainsFunc(graphql.CollectFields(op, field.Selections, nil), func(f graphql.CollectedField) bool {
		return slices.Contains(names, f.Name)
	})
}

// selectedNames returns the names of the fields of the current field's selection.
func selectedNames(ctx context.Context) []string {
	fields := graphql.CollectFields(graphql.GetOperationContext(ctx), graphql.GetFieldContext(ctx).Field.Selections, nil)
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.Name
	}
	return names
}

// addColumns adds the columns of the fields at the path to wanted.
func (c Columns) addColumns(op *graphql.OperationContext, field graphql.CollectedField, path []string, wanted map[string]bool) {
	for _, f := range graphql.CollectFields(op, field.Selections, nil) {
		if len(path) > 0 {
			if f.Name == path[0] {
				c.addColumns(op, f, path[1:], wanted)
			}
			continue
		}
		for _, column := range c.byName[strings.ToLower(f.Name)] {
			wanted[column] = true
		}
	}
}
