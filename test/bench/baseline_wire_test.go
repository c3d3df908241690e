package main

import (
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
)

func TestWireValue(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		oid    uint32
		format int16
		raw    []byte
		want   string
	}{
		"null":               {pgtype.TextOID, pgtype.TextFormatCode, nil, `null`},
		"plain_text":         {pgtype.TextOID, pgtype.TextFormatCode, []byte("é 上海"), `"é 上海"`},
		"text_to_be_escaped": {pgtype.TextOID, pgtype.TextFormatCode, []byte("a\"b\\c\n"), `"a\"b\\c\n"`},
		"json_is_json":       {pgtype.JSONBOID, pgtype.TextFormatCode, []byte(`["a", "b"]`), `["a", "b"]`},
		"instant": {pgtype.TimestamptzOID, pgtype.BinaryFormatCode,
			[]byte{0, 0, 0, 0, 0, 0x0f, 0x42, 0x41}, `"2000-01-01T00:00:01.000001Z"`},
		"instant_before_epoch": {pgtype.TimestamptzOID, pgtype.BinaryFormatCode,
			[]byte{255, 255, 255, 255, 255, 255, 255, 255}, `"1999-12-31T23:59:59.999999Z"`},
		"negative_number": {pgtype.Int4OID, pgtype.BinaryFormatCode, []byte{255, 255, 255, 254}, `-2`},
		"fraction": {pgtype.Float8OID, pgtype.BinaryFormatCode, []byte{0x3f, 0xe8, 0, 0, 0, 0, 0, 0},
			`0.75`},
		"truth": {pgtype.BoolOID, pgtype.BinaryFormatCode, []byte{1}, `true`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var a wireAnswer
			got := a.value(nil, &pgconn.FieldDescription{DataTypeOID: test.oid, Format: test.format}, test.raw)
			if string(got) != test.want || a.raw != nil {
				t.Errorf("value is %s (%v), want %s", got, a.raw, test.want)
			}
		})
	}
	t.Run("an_unsupported_type_is_an_error", func(t *testing.T) {
		t.Parallel()
		var a wireAnswer
		a.value(nil, &pgconn.FieldDescription{Name: "n", DataTypeOID: pgtype.NumericOID,
			Format: pgtype.BinaryFormatCode}, []byte{0})
		if a.raw == nil {
			t.Error("a number in another format is accepted")
		}
	})
}
