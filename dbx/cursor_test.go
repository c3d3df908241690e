package dbx

import (
	"encoding/base64"
	"testing"
	"time"
)

// cursorOrders are orders with each type of value.
var cursorOrders = []Order{{Column: "name"}, {Column: "name", Nullable: true}, {Column: "at", Time: true},
	{Column: "at", Time: true, Nullable: true}, {Column: "n", Number: true}}

// forgedCursors have values that no list returns and that a database cannot store or compare.
var forgedCursors = []string{
	`{"v":1e300,"id":"doc_1"}`, `{"v":1.5,"id":"doc_1"}`, `{"v":-9007199254740993,"id":"doc_1"}`, `{"v":"a","id":""}`,
	`{"v":1,"id":""}`, `{"v":null}`,
	`{"v":"a\u0000b","id":"doc_1"}`, `{"v":"a","id":"\u0000"}`, `{"v":[],"id":"doc_1"}`, `{"v":{"a":1},"id":"doc_1"}`,
	`null`, `[]`, ``,
}

func TestDecodeCursor_rejects_forged_cursors(t *testing.T) {
	t.Parallel()
	for _, order := range cursorOrders {
		for _, text := range forgedCursors {
			if c, err := order.decodeCursor(base64.RawURLEncoding.EncodeToString([]byte(text))); err == nil {
				t.Errorf("%+v accepts %s as %+v", order, text, c)
			}
		}
	}
}

func TestDecodeCursor_rejects_forged_times(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"0000-01-01T00:00:00Z", "0001-01-01T00:00:00+01:00", "9999-12-31T23:59:59-01:00",
		"2026-01-01T00:00:00+99:99", "yesterday", ""} {
		c, err := Order{Column: "at", Time: true}.decodeCursor(rowCursor{"", text, "doc_1"}.encodeCursor())
		if err == nil {
			t.Errorf("%q is accepted as %+v", text, c)
		}
	}
}

// FuzzDecodeCursor checks that a cursor is rejected, or has a value that databases can compare and
// that survives encoding.
func FuzzDecodeCursor(f *testing.F) {
	for _, text := range append(forgedCursors, `{"v":"Name","id":"doc_1"}`,
		`{"v":"2026-01-02T03:04:05.678901Z","id":"doc_1"}`, `{"v":12,"id":"doc_1"}`, `{"v":null,"id":"doc_1"}`) {
		f.Add(base64.RawURLEncoding.EncodeToString([]byte(text)))
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, order := range cursorOrders {
			c, err := order.decodeCursor(text)
			if err != nil {
				continue
			}
			if at, ok := c.Value.(time.Time); ok && (at.UTC().Year() < 1 || at.UTC().Year() > 9999) {
				t.Fatalf("the time %v", at)
			}
			again, err := order.decodeCursor(c.encodeCursor())
			if err != nil {
				t.Fatalf("%+v, encoded again: %v", c, err)
			}
			same := again.Value == c.Value
			if at, ok := c.Value.(time.Time); ok {
				same = at.Equal(again.Value.(time.Time))
			}
			if !same || again.ID != c.ID {
				t.Fatalf("%+v becomes %+v", c, again)
			}
		}
	})
}
