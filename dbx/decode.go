package dbx

import (
	"database/sql"
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/uptrace/bun/schema"
)

// decodeFunc decodes the bytes of a column, as the server sends them, into a field.
type decodeFunc func(raw []byte, into reflect.Value) error

// columnTarget is where a column is decoded to.
type columnTarget struct {
	field  []int         // of the row's struct
	extra  reflect.Value // if no field has the column's name; invalid if the column is ignored
	decode decodeFunc
}

// decodeRows decodes every row into a struct of the table. Columns that neither the struct nor extra has are ignored.
func decodeRows[T any](rows []*T, found pgx.Rows, table *schema.Table, extra map[string]any) ([]*T, error) {
	defer found.Close()
	columns := columnsOf(found, table, extra)
	for found.Next() {
		row := new(T)
		v := reflect.ValueOf(row).Elem()
		for i, raw := range found.RawValues() {
			into := columns[i].extra
			if columns[i].field != nil {
				into = v.FieldByIndex(columns[i].field)
			}
			if !into.IsValid() {
				continue
			}
			if err := columns[i].decode(raw, into); err != nil {
				return nil, err
			}
		}
		rows = append(rows, row)
	}
	return rows, found.Err()
}

func columnsOf(found pgx.Rows, table *schema.Table, extra map[string]any) []columnTarget {
	described := found.FieldDescriptions()
	if len(described) == 0 {
		return nil // the statement failed; found.Err returns the error
	}
	types := found.Conn().TypeMap()
	columns := make([]columnTarget, len(described))
	for i, d := range described {
		if field := table.LookupField(d.Name); field != nil {
			columns[i] = columnTarget{field: field.Index, decode: decoderOf(types, d, field.StructField.Type)}
		} else if into := extra[d.Name]; into != nil {
			v := reflect.ValueOf(into).Elem()
			columns[i] = columnTarget{extra: v, decode: decoderOf(types, d, v.Type())}
		}
	}
	return columns
}

// decoderOf returns the decoder for a column and a type. Common types are decoded here, all others by pgx, which inspects the type again for every
// row.
func decoderOf(types *pgtype.Map, d pgconn.FieldDescription, into reflect.Type) decodeFunc {
	base, optional := into, into.Kind() == reflect.Pointer
	if optional {
		base = into.Elem()
	}
	set := fieldSetter(d, base)
	var plan pgtype.ScanPlan
	if set == nil {
		plan = types.PlanScan(d.DataTypeOID, d.Format, reflect.New(into).Interface())
	}
	return func(raw []byte, v reflect.Value) error {
		switch {
		case raw == nil && optional:
			v.SetZero()
		case set == nil:
			return plan.Scan(raw, v.Addr().Interface())
		case raw == nil:
			return fmt.Errorf("read column %s: NULL into %s", d.Name, into)
		case optional:
			value := reflect.New(base)
			set(raw, value.Elem())
			v.Set(value)
		default:
			set(raw, v)
		}
		return nil
	}
}

var (
	scanner = reflect.TypeFor[sql.Scanner]()
	instant = reflect.TypeFor[time.Time]()
)

// epoch is the server's epoch in microseconds of Unix time.
var epoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC).UnixMicro()

// fieldSetter returns a decoder for values that are not NULL, or nil for types that pgx decodes.
func fieldSetter(d pgconn.FieldDescription, base reflect.Type) func(raw []byte, v reflect.Value) {
	kind := base.Kind()
	switch {
	case reflect.PointerTo(base).Implements(scanner):
		return nil
	case (d.DataTypeOID == pgtype.TextOID || d.DataTypeOID == pgtype.VarcharOID) && kind == reflect.String: // the same in both formats
		return func(raw []byte, v reflect.Value) { v.SetString(string(raw)) }
	case d.Format != pgx.BinaryFormatCode:
		return nil
	case d.DataTypeOID == pgtype.Int8OID && (kind == reflect.Int || kind == reflect.Int64) && math.MaxInt > math.MaxInt32:
		return func(raw []byte, v reflect.Value) { v.SetInt(int64(binary.BigEndian.Uint64(raw))) } //nolint:gosec // two's complement
	case d.DataTypeOID == pgtype.Int4OID && (kind == reflect.Int || kind == reflect.Int64):
		return func(raw []byte, v reflect.Value) { v.SetInt(int64(int32(binary.BigEndian.Uint32(raw)))) } //nolint:gosec // two's complement
	case d.DataTypeOID == pgtype.BoolOID && kind == reflect.Bool:
		return func(raw []byte, v reflect.Value) { v.SetBool(raw[0] != 0) }
	case d.DataTypeOID == pgtype.TimestamptzOID && base == instant:
		return func(raw []byte, v reflect.Value) {
			micros := int64(binary.BigEndian.Uint64(raw)) //nolint:gosec // two's complement
			*v.Addr().Interface().(*time.Time) = time.UnixMicro(epoch + micros).UTC()
		}
	}
	return nil
}
