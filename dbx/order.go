package dbx

import (
	"fmt"
	"reflect"
	"strings"
	"time"

	"rostrum/model"
)

// Orders are the orders in which callers can read a list of T, by the values of the graph's enum F.
type Orders[F comparable, T any] map[F]sorting[T]

// sorting is an order and the key of its cursors: see List.
type sorting[T any] struct {
	order Order
	key   func(*T) (any, string)
}

// NewOrders returns orders by columns of T. The field's type decides how cursors are parsed; a
// pointer may be NULL. It panics if T has no such column.
func NewOrders[F comparable, T any](columns map[F]string) Orders[F, T] {
	orders := make(Orders[F, T], len(columns))
	for field, column := range columns {
		orders[field] = sorting[T]{orderBy[T](column), columnKey[T](column)}
	}
	return orders
}

// Sort returns the list in the order that the caller has chosen, or in its own order if by is nil.
func (o Orders[F, T]) Sort(l List[T], by *model.ListOrder[F]) List[T] {
	if by != nil {
		l.Order, l.Key = o[by.Field].order, o[by.Field].key
		l.Order.Desc = by.Direction == model.OrderDirectionDesc
	}
	return l
}

// orderBy returns the ascending order by a column of T.
func orderBy[T any](column string) Order {
	order, field := Order{Column: column}, columnField[T](column).Type
	if order.Nullable = field.Kind() == reflect.Pointer; order.Nullable {
		field = field.Elem()
	}
	switch field.Kind() { //nolint:exhaustive // other types are texts
	case reflect.Int, reflect.Int64:
		order.Number = true
	case reflect.Float64:
		order.Float = true
	default:
		order.Time = field == reflect.TypeFor[time.Time]()
	}
	return order
}

// columnKey returns a func that returns a row's value in the column, nil for NULL, and its id.
func columnKey[T any](column string) func(*T) (any, string) {
	value, id := columnField[T](column).Index, columnField[T]("id").Index
	return func(row *T) (any, string) {
		fields := reflect.ValueOf(row).Elem()
		found, key := fields.FieldByIndex(value), fields.FieldByIndex(id).String()
		if found.Kind() != reflect.Pointer {
			return found.Interface(), key
		}
		if found.IsNil() {
			return nil, key
		}
		return found.Elem().Interface(), key
	}
}

// columnField returns the field of T that holds a column. It panics if there is none.
func columnField[T any](column string) reflect.StructField {
	row := reflect.TypeFor[T]()
	for i := range row.NumField() {
		if name, _, _ := strings.Cut(row.Field(i).Tag.Get("bun"), ","); name == column {
			return row.Field(i)
		}
	}
	panic(fmt.Sprintf("%v has no column %q", row, column))
}
