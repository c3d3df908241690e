package dbx_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rostrum/dbx"
	"rostrum/model"
	"rostrum/test/kit/dbtest"
)

// fillRow sets every plain field with a column to a distinct value.
func fillRow(row any, n int) {
	v := reflect.ValueOf(row).Elem()
	for i := range v.NumField() {
		field := v.Field(i)
		if v.Type().Field(i).Tag.Get("bun") == "-" || !field.CanSet() {
			continue
		}
		into := field
		if field.Kind() == reflect.Pointer {
			into = reflect.New(field.Type().Elem()).Elem()
		}
		switch {
		case into.Type() == reflect.TypeFor[time.Time]():
			into.Set(reflect.ValueOf(time.Date(1969+n, 2, 3, 4, 5, 6, 789_012_000, time.UTC).
				Add(time.Duration(i) * time.Microsecond)))
		case into.Kind() == reflect.String:
			into.SetString(string(rune('a'+n)) + "é\u2028 " + v.Type().Field(i).Name)
		case into.CanInt():
			into.SetInt(int64((n - 1) * (i + 1)))
		case into.Kind() == reflect.Bool:
			into.SetBool(i%2 == n%2)
		default:
			continue
		}
		if field.Kind() == reflect.Pointer {
			field.Set(into.Addr())
		}
	}
}

// TestRead_reads_what_bun_reads compares dbx.Read with bun on full rows, on sparse rows, and on
// more rows than are allocated together.
func TestRead_reads_what_bun_reads(t *testing.T) {
	const rows = 70
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		addWorkspace(t, db, "w")
		for n := range rows {
			doc := &model.Document{Tags: []string{"a", "b"}}
			if n > 0 {
				fillRow(doc, n)
			} else {
				doc.CreatedAt, doc.UpdatedAt = model.Now(), model.Now()
			}
			// no parties are stored
			doc.ID, doc.WorkspaceID, doc.CompanyID, doc.ExecutiveID = string(rune('a'+n)), "w", nil, nil
			if _, err := db.NewInsert().Model(doc).Exec(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		q := db.NewSelect().Model((*model.Document)(nil)).Order("id")
		want := []*model.Document{}
		if err := q.Clone().Scan(t.Context(), &want); err != nil {
			t.Fatal(err)
		}
		got, err := dbx.Read[model.Document](t.Context(), db, q)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); len(got) != rows || diff != "" {
			t.Errorf("bun's (-) and Read's (+) rows differ: %s", diff)
		}
		type named struct {
			ID   string
			Next string
		}
		if _, err := dbx.Read[named](t.Context(), db,
			db.NewSelect().Table("document").ColumnExpr("id, NULL AS next")); err == nil && !db.InProcess() {
			t.Error("a NULL is read into a text that cannot be nil")
		}
	})
}
