package graph

import (
	"context"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/99designs/gqlgen/graphql"
)

// Columns maps the fields of a graph type to its row's columns. It is derived from the row's
// struct, because a field's Go name and its name in the schema differ only in case.
type Columns struct {
	all      []string
	always   []string
	byName   map[string][]string
	computed map[string]string // the columns that are not stored, by the field in lower case
	joined   map[string]joinedColumns
}

// joinedColumns are columns of the row that an edge leads to, for example a reaction's persona.
// Both rows are read together, the second as an edge of package dbx.
type joinedColumns struct {
	edge    string
	columns Columns
}

// ColumnsOf returns the columns of the row type T. The named columns are always read: keys, the
// workspace and the order of pages. A field that a method of T computes reads every column unless
// [Columns.Reading] names them. A field with its own resolver reads none.
func ColumnsOf[T any](always ...string) Columns {
	c := Columns{always: always, byName: map[string][]string{}, computed: map[string]string{}}
	row := reflect.TypeFor[T]()
	for i := range row.NumField() {
		column, options, _ := strings.Cut(row.Field(i).Tag.Get("bun"), ",")
		name := strings.ToLower(row.Field(i).Name)
		switch {
		case column == "" || column == "-" || strings.Contains(column, ":"):
		case options == "scanonly":
			c.computed[name] = column
		default:
			c.all = append(c.all, column)
			c.byName[name] = []string{column}
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

// Reading returns the columns with a computed field limited to the given ones.
func (c Columns) Reading(field string, columns ...string) Columns {
	c.byName = maps.Clone(c.byName)
	c.byName[strings.ToLower(field)] = columns
	return c
}

// WithComputed returns the columns and also the ones that are not stored. Use it if all queries of
// the row type compute them.
func (c Columns) WithComputed() Columns {
	c.all, c.byName = slices.Clone(c.all), maps.Clone(c.byName)
	for _, name := range slices.Sorted(maps.Keys(c.computed)) {
		c.all = append(c.all, c.computed[name])
		c.byName[name] = []string{c.computed[name]}
	}
	return c
}

// Joining returns the columns and also the ones of the row that an edge leads to, as
// "persona.name". edge is the field's name in package dbx.
func (c Columns) Joining(field, edge string, columns Columns) Columns {
	c.byName, c.joined = maps.Clone(c.byName), maps.Clone(c.joined)
	if c.joined == nil {
		c.joined = map[string]joinedColumns{}
	}
	c.joined[field] = joinedColumns{edge, columns}
	return c
}

// Selected returns the columns that the current field's selection needs, in the order of the
// struct. It follows fragments, @skip and @include. Up to two paths lead from the field to its
// rows, for example "nodes" and "edges.node" for a connection; without paths the field is the row.
// The caller must not change the slice.
func (c Columns) Selected(ctx context.Context, paths ...string) []string {
	key := columnsKey{columns: reflect.ValueOf(c.byName).Pointer()}
	copy(key.paths[:], paths)
	return keepForSelection(ctx, key, func(op *graphql.OperationContext, field *graphql.FieldContext) []string {
		selected := fieldsAt(op, field, paths)
		var joined []string
		for _, name := range slices.Sorted(maps.Keys(c.joined)) {
			if columns := c.joined[name].selected(op, name, selected); columns != nil {
				joined = append(joined, columns...)
				selected = slices.DeleteFunc(selected, func(f fieldAt) bool { return f.Name == name })
			}
		}
		return slices.Concat(c.of(selected), joined)
	})
}

// of returns the columns that the fields of a row need, in the order of the struct.
func (c Columns) of(fields []fieldAt) []string {
	wanted := map[string]bool{}
	for _, name := range c.always {
		wanted[name] = true
	}
	for _, f := range fields {
		c.addColumns(f.Name, wanted)
	}
	return slices.DeleteFunc(slices.Clone(c.all), func(column string) bool { return !wanted[column] })
}

// selected returns the columns, prefixed with the edge, that the fields of that name need of their
// rows. It returns none if they need only the id.
func (c joinedColumns) selected(op *graphql.OperationContext, name string, fields []fieldAt) []string {
	var inner []fieldAt
	for _, f := range fields {
		if f.Name == name {
			inner = appendFieldsAt(inner, op, f, nil)
		}
	}
	if !slices.ContainsFunc(inner, func(f fieldAt) bool { return needsRow(f.Name) }) {
		return nil
	}
	columns := c.columns.of(inner)
	for i, column := range columns {
		columns[i] = c.edge + "." + column
	}
	return columns
}

// needsRow reports whether a field of a row needs more than the row's id.
func needsRow(field string) bool { return field != "id" && field != "__typename" }

// columnsKey is the key of the columns that a selection needs.
type columnsKey struct {
	columns uintptr
	paths   [2]string
}

// addColumns adds the columns of a field to wanted.
func (c Columns) addColumns(field string, wanted map[string]bool) {
	for _, column := range c.byName[strings.ToLower(field)] {
		wanted[column] = true
	}
}

// selectsField reports whether the current field's selection contains one of the named fields.
func selectsField(ctx context.Context, names ...string) bool {
	return slices.ContainsFunc(selectedNames(ctx), func(name string) bool { return slices.Contains(names, name) })
}

// selectedNames returns the field names of the current field's selection. The caller must not
// change the slice.
func selectedNames(ctx context.Context) []string {
	return keepForSelection(ctx, namesKey{}, func(op *graphql.OperationContext, field *graphql.FieldContext) []string {
		fields := fieldsAt(op, field, nil)
		names := make([]string, len(fields))
		for i, f := range fields {
			names[i] = f.Name
		}
		return names
	})
}

// namesKey is the key of the names of a selection's fields.
type namesKey struct{}
