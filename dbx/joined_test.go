package dbx_test

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/model"
	"rostrum/test/kit/dbtest"
)

// addTagValues stores two auto-tags of workspace w and one of v, and values of them and of a
// deleted tag in documents of w.
func addTagValues(t *testing.T, db *dbx.DB) (tags map[string]*model.AutoTag) {
	t.Helper()
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	tags = map[string]*model.AutoTag{}
	for i, workspace := range []string{"w", "w", "v"} {
		tag := &model.AutoTag{
			ID: fmt.Sprintf("t%d", i), WorkspaceID: workspace, Name: fmt.Sprintf("Tag %d", i), NameKey: fmt.Sprint(i),
			TagType:       "Outlook",
			AllowedValues: []string{"higher", "lower"}[:i%2+1], MinConfidence: 0.5, Enabled: i == 0, Revision: i + 1,
			CreatedAt: at, UpdatedAt: at,
		}
		if _, err := db.NewInsert().Model(tag).Exec(t.Context()); err != nil {
			t.Fatal(err)
		}
		tags[tag.ID] = tag
	}
	var values []*model.DocumentAutoTag
	for i, tag := range []string{"t0", "t1", "deleted", "t0", "t2", "t2"} {
		applied := at.Add(time.Duration(i) * time.Minute)
		values = append(values, &model.DocumentAutoTag{
			ID: fmt.Sprintf("a%d", i), WorkspaceID: "w", DocumentID: fmt.Sprintf("w%05d", i%2), AutoTagID: tag,
			Name: "Value", AppliedAt: &applied,
		})
	}
	if _, err := db.NewInsert().Model(&values).Exec(t.Context()); err != nil {
		t.Fatal(err)
	}
	return tags
}

// valueList lists the values of w with the auto-tags that they lead to.
func valueList(db *dbx.DB) dbx.List[model.DocumentAutoTag] {
	rows := func() *bun.SelectQuery {
		return db.NewSelect().Model((*model.AutoTag)(nil)).Where("workspace_id = ?", "w")
	}
	return dbx.List[model.DocumentAutoTag]{
		Order: dbx.Order{Column: "applied_at", Time: true, Desc: true, Nullable: true},
		Columns: []string{"auto_tag_id", "name", "auto_tag.id", "auto_tag.name", "auto_tag.allowed_values",
			"auto_tag.min_confidence", "auto_tag.enabled",
			"auto_tag.revision", "auto_tag.created_at"},
		Joined: map[string]dbx.Joined{"auto_tag": {Key: "auto_tag_id", Rows: rows}},
		Key:    func(v *model.DocumentAutoTag) (any, string) { return *v.AppliedAt, v.ID },
		Where:  func(q *bun.SelectQuery) *bun.SelectQuery { return q.Where("workspace_id = ?", "w") },
	}
}

// TestJoined reads values with their auto-tags, as one list and as a list per document, in one
// statement. A server reads exactly the named columns of the auto-tags; in process none is joined.
func TestJoined(t *testing.T) {
	dbtest.EachDB(t, func(t *testing.T, db *dbx.DB) {
		for _, id := range []string{"v", "w"} {
			addWorkspace(t, db, id)
		}
		addDocuments(t, db, "w", 2)
		tags, list := addTagValues(t, db), valueList(db)
		ctx, statements := dbx.WithCounter(t.Context())
		for rows, args := range map[int]model.PageArgs{6: {First: new(6)}, 3: {Last: new(3)}} {
			page, err := list.Page(ctx, db, args)
			if err != nil {
				t.Fatal(err)
			}
			checkJoined(t, db, tags, page, rows)
		}
		pages, err := dbx.Nested[model.DocumentAutoTag]{List: list, Parent: "document_id"}.Pages(ctx, db,
			[]string{"w00000", "w00001"}, model.PageArgs{First: new(2)})
		if err != nil {
			t.Fatal(err)
		}
		for _, page := range pages {
			checkJoined(t, db, tags, page, 2)
		}
		if n := statements.Load(); n != 3 {
			t.Errorf("%d statements for three lists", n)
		}
	})
}

// checkJoined compares the auto-tags that were read with the values of a page with the stored ones.
func checkJoined(t *testing.T, db *dbx.DB, tags map[string]*model.AutoTag,
	page *model.Connection[model.DocumentAutoTag], rows int) {
	t.Helper()
	if len(page.Nodes) != rows {
		t.Errorf("%d rows, want %d", len(page.Nodes), rows)
	}
	for _, v := range page.Nodes {
		want := &model.AutoTag{}
		if tag := tags[v.AutoTagID]; tag != nil && tag.WorkspaceID == "w" {
			want = &model.AutoTag{
				ID: tag.ID, Name: tag.Name, AllowedValues: tag.AllowedValues, MinConfidence: tag.MinConfidence,
				Enabled:  tag.Enabled,
				Revision: tag.Revision, CreatedAt: tag.CreatedAt,
			}
		}
		if db.InProcess() {
			want = nil
		}
		if v.Name != "Value" || v.TagType != nil || !reflect.DeepEqual(v.AutoTag, want) {
			t.Errorf("%s of %s is read with %+v, want %+v", v.ID, v.AutoTagID, v.AutoTag, want)
		}
	}
}
