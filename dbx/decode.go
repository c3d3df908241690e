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

// decoder puts a column's bytes, as the server sends them, into a field.
type decoder func(raw []byte, into reflect.Value) error

// column says where a column's bytes go.
type column struct {
	field  []int         // of the row's struct
	beside reflect.Value // when no field has the column's name; invalid when nobody wants it
	decode decoder
}

// collect reads every row into a struct of the table; columns that both the struct and beside lack are read over.
func collect[T any](rows []*T, found pgx.Rows, table *schema.Table, beside map[string]any) ([]*T, error) {
	defer found.Close()
	columns := columnsOf(found, table, beside)
	for found.Next() {
		row := new(T)
		v := reflect.ValueOf(row).Elem()
		for i, raw := range found.RawValues() {
			into := columns[i].beside
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

func columnsOf(found pgx.Rows, table *schema.Table, beside map[string]any) []column {
	described := found.FieldDescriptions()
	if len(described) == 0 {
		return nil // the statement failed, which found.Err tells
	}
	types := found.Conn().TypeMap()
	columns := make([]column, len(described))
	for i, d := range described {
		if field := table.LookupField(d.Name); field != nil {
			columns[i] = column{field: field.Index, decode: decoderOf(types, d, field.StructField.Type)}
		} else if into := beside[d.Name]; into != nil {
			v := reflect.ValueOf(into).Elem()
			columns[i] = column{beside: v, decode: decoderOf(types, d, v.Type())}
		}
	}
	return columns
}

// decoderOf finds how a column is read into a type. What most columns are is read here, and all else by pgx, which asks a field's type again in
// each row.
func decoderOf(types *pgtype.Map, d pgconn.FieldDescription, into reflect.Type) decoder {
	base, optional := into, into.Kind() == reflect.Pointer
	if optional {
		base = into.Elem()
	}
	set := setter(d, base)
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

// epoch is the server's, in microseconds of Unix time.
var epoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC).UnixMicro()

// setter reads a value that is not NULL; nil for what is left to pgx.
func setter(d pgconn.FieldDescription, base reflect.Type) func(raw []byte, v reflect.Value) {
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
