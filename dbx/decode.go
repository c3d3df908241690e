package dbx

import (
	"database/sql"
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/uptrace/bun/schema"
)

// columnTarget is where a column is decoded to. set decodes the common types; pgx decodes all
// others, but inspects the type again for every row.
type columnTarget struct {
	name     string
	field    []int         // of the row's struct
	extra    reflect.Value // if no field has the column's name; invalid if the column is ignored
	optional bool          // whether NULL is a nil pointer
	set      setFunc       // nil if plan decodes the column
	plan     pgtype.ScanPlan
	last     string    // the column's last text
	texts    *textList // of all columns
}

// textList stores the short texts of a statement's rows one after another, because allocating each
// text takes longer than decoding it. The zero value is empty.
type textList struct {
	block strings.Builder // never grows, as texts that were returned are parts of it
}

const (
	maxListed     = 128     // bytes of a text above which it has an allocation of its own
	firstBlock    = 256     // bytes
	maxTextsBlock = 4 << 10 // bytes
)

// addText returns the text, as a part of the list.
func (l *textList) addText(raw []byte) string {
	if len(raw) > maxListed {
		return string(raw)
	}
	if l.block.Len()+len(raw) > l.block.Cap() {
		size := min(max(2*l.block.Cap(), firstBlock), maxTextsBlock)
		l.block.Reset()
		l.block.Grow(size)
	}
	start := l.block.Len()
	l.block.Write(raw)
	return l.block.String()[start:]
}

// setFunc decodes the bytes of a column that is not NULL, as the server sends them.
type setFunc func(column *columnTarget, raw []byte, into reflect.Value)

// maxBlock is the largest number of rows that are allocated together.
const maxBlock = 32

// decodeRows decodes every row into a T. It ignores columns that neither T nor extra has.
func decodeRows[T any](found pgx.Rows, table *schema.Table, extra map[string]any) ([]*T, error) {
	defer found.Close()
	rows := []*T{}
	columns, joined := columnsOf(found, table, extra)
	var block []T
	for found.Next() {
		if len(block) == 0 {
			block = make([]T, min(len(rows)+1, maxBlock))
		}
		row := &block[0]
		block = block[1:]
		v, raws := reflect.ValueOf(row).Elem(), found.RawValues()
		for i, raw := range raws {
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
		for _, j := range joined {
			if err := j.decode(raws, v); err != nil {
				return nil, err
			}
		}
		rows = append(rows, row)
	}
	return rows, found.Err()
}

// columnsOf returns one target per column and the targets of joined rows. A column of a joined row
// has an empty target in columns.
func columnsOf(found pgx.Rows, table *schema.Table, extra map[string]any) ([]columnTarget, []*joinedTarget) {
	described := found.FieldDescriptions()
	if len(described) == 0 {
		return nil, nil // the statement failed; found.Err returns the error
	}
	types, texts := found.Conn().TypeMap(), &textList{}
	columns := make([]columnTarget, len(described))
	var joined []*joinedTarget
	for i, d := range described {
		if strings.Contains(d.Name, joinedMark) {
			joined = addJoined(joined, found, table, texts, i)
		} else if field := table.LookupField(d.Name); field != nil {
			columns[i] = targetOf(types, texts, d, field.StructField.Type)
			columns[i].field = field.Index
		} else if into := extra[d.Name]; into != nil {
			v := reflect.ValueOf(into).Elem()
			columns[i] = targetOf(types, texts, d, v.Type())
			columns[i].extra = v
		}
	}
	return columns, joined
}

// targetOf returns the target for a column and a type, without its place.
func targetOf(types *pgtype.Map, texts *textList, d pgconn.FieldDescription, into reflect.Type) columnTarget {
	target := columnTarget{name: d.Name, texts: texts, optional: into.Kind() == reflect.Pointer}
	base := into
	if target.optional {
		base = into.Elem()
	}
	if target.set = setterOf(d, base); target.set == nil {
		target.plan = types.PlanScan(d.DataTypeOID, d.Format, reflect.New(into).Interface())
	}
	return target
}

// decode decodes the bytes of the column; nil is NULL. It returns an error if the type cannot hold
// the value.
func (c *columnTarget) decode(raw []byte, into reflect.Value) error {
	switch {
	case raw == nil && c.optional:
		into.SetZero()
	case c.set == nil:
		return c.plan.Scan(raw, into.Addr().Interface())
	case raw == nil:
		return fmt.Errorf("read column %s: NULL into %s", c.name, into.Type())
	case c.optional:
		value := reflect.New(into.Type().Elem())
		c.set(c, raw, value.Elem())
		into.Set(value)
	default:
		c.set(c, raw, into)
	}
	return nil
}

var (
	scanner = reflect.TypeFor[sql.Scanner]()
	instant = reflect.TypeFor[time.Time]()
)

// epoch is the server's epoch in microseconds of Unix time.
var epoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC).UnixMicro()

// setterOf returns the decoder of a type, or nil for types that pgx decodes.
func setterOf(d pgconn.FieldDescription, base reflect.Type) setFunc {
	kind := base.Kind()
	switch {
	case reflect.PointerTo(base).Implements(scanner):
		return nil
	case (d.DataTypeOID == pgtype.TextOID || d.DataTypeOID == pgtype.VarcharOID) && kind == reflect.String: // the same in both formats
		return setText
	case d.Format != pgx.BinaryFormatCode:
		return nil
	case d.DataTypeOID == pgtype.Int8OID && (kind == reflect.Int || kind == reflect.Int64) &&
		math.MaxInt > math.MaxInt32:
		return func(_ *columnTarget, raw []byte, v reflect.Value) { v.SetInt(int64(binary.BigEndian.Uint64(raw))) } // two's complement
	case d.DataTypeOID == pgtype.Int4OID && (kind == reflect.Int || kind == reflect.Int64):
		return func(_ *columnTarget, raw []byte, v reflect.Value) {
			v.SetInt(int64(int32(binary.BigEndian.Uint32(raw)))) // two's complement
		}
	case d.DataTypeOID == pgtype.BoolOID && kind == reflect.Bool:
		return func(_ *columnTarget, raw []byte, v reflect.Value) { v.SetBool(raw[0] != 0) }
	case d.DataTypeOID == pgtype.TimestamptzOID && base == instant:
		return func(_ *columnTarget, raw []byte, v reflect.Value) {
			micros := int64(binary.BigEndian.Uint64(raw)) // two's complement
			v.Set(reflect.ValueOf(time.UnixMicro(epoch + micros).UTC()))
		}
	}
	return nil
}

// setText decodes a text. If the row before has the same text, for example the same key or type,
// both share one string.
func setText(column *columnTarget, raw []byte, into reflect.Value) {
	if string(raw) != column.last {
		column.last = column.texts.addText(raw)
	}
	into.SetString(column.last)
}
