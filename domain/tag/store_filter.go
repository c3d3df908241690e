package tag

import (
	"context"
	"strings"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/model"
)

// literally keeps the signs of a LIKE pattern from meaning anything.
var literally = strings.NewReplacer("!", "!!", "%", "!%", "_", "!_")

// filters reads the workspace's comms filters, oldest first.
func (s *Service) filters(ctx context.Context, db bun.IDB, workspaceID string) ([]*model.CommsFilter, error) {
	rows := []*model.CommsFilter{}
	err := db.NewSelect().Model(&rows).Where("workspace_id = ?", workspaceID).Order("created_at", "auto_tag_id").Scan(ctx)
	return rows, dbx.Err(err)
}

// filterByID reads one filter; nil when the workspace has none of that id.
func (s *Service) filterByID(ctx context.Context, db bun.IDB, workspaceID, id string) (*model.CommsFilter, error) {
	f := new(model.CommsFilter)
	err := db.NewSelect().Model(f).Where("workspace_id = ? AND auto_tag_id = ?", workspaceID, id).Scan(ctx)
	return dbx.OrNone(f, err)
}

func saveFilter(ctx context.Context, tx dbx.Tx, f *model.CommsFilter) error {
	_, err := tx.NewInsert().Model(f).On("CONFLICT (auto_tag_id) DO UPDATE").
		Set("enabled = EXCLUDED.enabled, only_values = EXCLUDED.only_values").Exec(ctx)
	return dbx.Err(err)
}

func deleteFilter(ctx context.Context, tx dbx.Tx, f *model.CommsFilter) error {
	_, err := tx.NewDelete().Model(f).WherePK().Exec(ctx)
	return dbx.Err(err)
}

// hiddenCounts counts what each filter hides now.
func (s *Service) hiddenCounts(ctx context.Context, db bun.IDB, workspaceID string) (map[string]int, error) {
	var rows []struct {
		AutoTagID string
		Documents int
	}
	err := db.NewSelect().Model((*model.HiddenDocument)(nil)).ColumnExpr("auto_tag_id, count(*) AS documents").
		Where("workspace_id = ?", workspaceID).Group("auto_tag_id").Scan(ctx, &rows)
	out := map[string]int{}
	for _, r := range rows {
		out[r.AutoTagID] = r.Documents
	}
	return out, dbx.Err(err)
}

// shownExample is an excluded document as a filter shows it.
type shownExample struct {
	AutoTagID string
	model.CommsFilterExample
}

// filterExamples reads the excluded documents of filters, oldest first.
func (s *Service) filterExamples(ctx context.Context, db bun.IDB, workspaceID string, tagIDs []string) (map[string][]*model.CommsFilterExample, error) {
	out := map[string][]*model.CommsFilterExample{}
	if len(tagIDs) == 0 {
		return out, nil
	}
	var rows []*shownExample
	err := db.NewSelect().Model((*model.AutoTagExample)(nil)).
		ColumnExpr("e.auto_tag_id, e.document_id, d.title, e.snippet, e.added_at, e.added_by").
		ModelTableExpr("auto_tag_example AS e").Join("JOIN document AS d ON d.id = e.document_id").
		Where("e.workspace_id = ? AND e.auto_tag_id IN ? AND e.source = ?", workspaceID, bun.Tuple(tagIDs), model.TagSourceExclusion).
		OrderExpr("e.added_at, e.id").Scan(ctx, &rows)
	for _, r := range rows {
		out[r.AutoTagID] = append(out[r.AutoTagID], &r.CommsFilterExample)
	}
	return out, dbx.Err(err)
}

// linkable reads the auto-tags that are no filters yet, by name, with the number of documents that they have a value in.
func (s *Service) linkable(ctx context.Context, workspaceID, words string) ([]*model.LinkableTag, error) {
	rows := []*model.LinkableTag{}
	q := s.db.NewSelect().Model((*model.AutoTag)(nil)).ModelTableExpr("auto_tag AS t").
		ColumnExpr("t.id, t.name, t.tag_type, (SELECT count(*) FROM document_auto_tag AS a WHERE a.workspace_id = t.workspace_id AND a.auto_tag_id = t.id) AS applied_count").
		Where("t.workspace_id = ? AND NOT t.manual", workspaceID).
		Where("NOT EXISTS (SELECT 1 FROM comms_filter AS f WHERE f.auto_tag_id = t.id)")
	if key := keyOf(words); key != "" {
		q = q.Where("t.name_key LIKE ? ESCAPE '!'", "%"+literally.Replace(key)+"%")
	}
	return rows, dbx.Err(q.OrderExpr("t.name, t.id").Scan(ctx, &rows))
}

// document reads what is needed of a document to look through it or take it as an example.
func (s *Service) document(ctx context.Context, db bun.IDB, workspaceID, id string) (*model.Document, error) {
	doc := new(model.Document)
	err := db.NewSelect().Model(doc).Column(documentColumns...).Where("workspace_id = ? AND id = ?", workspaceID, id).Scan(ctx)
	return doc, dbx.Err(err)
}

var documentColumns = []string{"id", "workspace_id", "title", "content", "company", "executive", "processing_status"}

// appliedTo reads the value that a tag has in a document; nil when it has none.
func (s *Service) appliedTo(ctx context.Context, db bun.IDB, workspaceID, tagID, documentID string) (*model.AppliedAutoTag, error) {
	row := new(model.AppliedAutoTag)
	err := db.NewSelect().Model(row).
		Where("workspace_id = ? AND document_id = ? AND auto_tag_id = ?", workspaceID, documentID, tagID).Scan(ctx)
	return dbx.OrNone(row, err)
}

// unapply removes what is known of a tag in a document: its value, what waits for review, and the example taken from it.
func unapply(ctx context.Context, tx dbx.Tx, workspaceID, tagID, documentID string) (removed int, err error) {
	result, err := tx.NewDelete().Model((*model.AppliedAutoTag)(nil)).
		Where("workspace_id = ? AND document_id = ? AND auto_tag_id = ?", workspaceID, documentID, tagID).Exec(ctx)
	if err != nil {
		return 0, dbx.Err(err)
	}
	n, err := result.RowsAffected()
	if err != nil {
		return 0, dbx.Err(err)
	}
	for _, gone := range []any{(*model.AutoTagReview)(nil), (*model.AutoTagExample)(nil)} {
		if _, err := tx.NewDelete().Model(gone).
			Where("workspace_id = ? AND document_id = ? AND auto_tag_id = ?", workspaceID, documentID, tagID).Exec(ctx); err != nil {
			return 0, dbx.Err(err)
		}
	}
	return int(n), nil
}
