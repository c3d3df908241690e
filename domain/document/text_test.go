package document_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"rostrum/dbx"
	"rostrum/errs"
	"rostrum/model"
	"rostrum/test/kit/dbtest"
)

// TestList_bounds_texts lists documents with longer texts than a page may have.
func TestList_bounds_texts(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		s := setup(t, db, "w")
		text := strings.Repeat("word ", dbx.MaxPageText/3/5+1)
		err := db.InTx(s.ctx, func(ctx context.Context, tx dbx.Tx) error {
			for i := range 3 {
				doc := &model.Document{ID: fmt.Sprint("doc_", i), WorkspaceID: "w", Title: "T", Content: &text,
					Tags: []string{}, CreatedAt: model.Now(), UpdatedAt: model.Now()}
				if err := s.Insert(ctx, tx, doc); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		for name, c := range map[string]struct {
			first   int
			columns []string
			fails   bool
		}{
			"all columns": {3, nil, true}, "the texts": {3, []string{"content"}, true},
			"fewer rows": {1, []string{"content"}, false},
			"no texts":   {3, []string{"title"}, false},
		} {
			_, err := s.List(s.ctx, model.PageArgs{First: &c.first}, nil, nil, c.columns...)
			if errs.Is(err, errs.LimitExceeded) != c.fails || !c.fails && err != nil {
				t.Errorf("%s: %v", name, err)
			}
			_, err = s.Communications(s.ctx, model.PageArgs{First: &c.first}, true, nil, nil, c.columns...)
			if errs.Is(err, errs.LimitExceeded) != c.fails || !c.fails && err != nil {
				t.Errorf("communications with %s: %v", name, err)
			}
		}
	})
}
