package tag

import (
	"context"
	"strings"

	"github.com/uptrace/bun"

	"rostrum/api"
	"rostrum/dbx"
	"rostrum/model"
)

// likeEscaper escapes the wildcards of a LIKE pattern.
var likeEscaper = strings.NewReplacer("!", "!!", "%", "!%", "_", "!_")

// listFilters returns the workspace's comms filters, oldest first.
func (s *Service) listFilters(ctx context.Context, db dbx.Reader, workspaceID string) ([]*model.CommsFilter, error) {
	rows := []*model.CommsFilter{}
	err := db.NewSelect().Model(&rows).Where("workspace_id = ?", workspaceID).Order("created_at", "auto_tag_id").Scan(ctx)
	return rows, dbx.Err(err)
}

// filterByID returns a filter; nil if the workspace has none with this id.
func (s *Service) filterByID(ctx context.Context, db dbx.Reader, workspaceID, id string) (*model.CommsFilter, error) {
	f := new(model.CommsFilter)
	err := db.NewSelect().Model(f).Where("workspace_id = ? AND auto_tag_id = ?", workspaceID, id).Scan(ctx)
	return dbx.NilIfNotFound(f, err)
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

// hiddenCounts returns the number of documents that each filter hides.
func (s *Service) hiddenCounts(ctx context.Context, db dbx.Reader, workspaceID string) (map[string]int, error) {
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

// shownExample is a row of filterExamples.
type shownExample struct {
	AutoTagID string
	api.CommsFilterExample
}

// filterExamples returns the excluded documents of filters, oldest first.
func (s *Service) filterExamples(ctx context.Context, db dbx.Reader, workspaceID string, tagIDs []string) (map[string][]*api.CommsFilterExample, error) {
	out := map[string][]*api.CommsFilterExample{}
	if len(tagIDs) == 0 {
		return out, nil
	}
	var rows []*shownExample
	err := s.documents.SelectIn(db, workspaceID).Join("JOIN auto_tag_example AS e ON e.document_id = d.id").
		ColumnExpr("e.auto_tag_id, e.document_id, d.title, e.snippet, e.added_at, e.added_by").
		Where("e.workspace_id = ? AND e.auto_tag_id IN ? AND e.source = ?", workspaceID, bun.Tuple(tagIDs), model.TagSourceExclusion).
		OrderExpr("e.added_at, e.id").Scan(ctx, &rows)
	for _, r := range rows {
		out[r.AutoTagID] = append(out[r.AutoTagID], &r.CommsFilterExample)
	}
	return out, dbx.Err(err)
}

// linkableTags returns the auto-tags that are not filters, by name, with the number of documents that have a value.
func (s *Service) linkableTags(ctx context.Context, workspaceID, words string) ([]*api.LinkableTag, error) {
	rows := []*api.LinkableTag{}
	q := s.db.NewSelect().Model((*model.AutoTag)(nil)).ModelTableExpr("auto_tag AS t").
		ColumnExpr("t.id AS auto_tag_id, t.name, t.tag_type, (SELECT count(*) FROM document_auto_tag AS a WHERE a.workspace_id = t.workspace_id AND a.auto_tag_id = t.id) AS applied_count").
		Where("t.workspace_id = ? AND NOT t.manual", workspaceID).
		Where("NOT EXISTS (SELECT 1 FROM comms_filter AS f WHERE f.auto_tag_id = t.id)")
	if key := keyOf(words); key != "" {
		q = q.Where("t.name_key LIKE ? ESCAPE '!'", "%"+likeEscaper.Replace(key)+"%")
	}
	return rows, dbx.Err(q.OrderExpr("t.name, t.id").Scan(ctx, &rows))
}

// documentByID returns a document with the columns that findings and examples need. It returns errs.NotFound.
func (s *Service) documentByID(ctx context.Context, db dbx.Reader, workspaceID, id string) (*model.Document, error) {
	return s.documents.FindByID(ctx, db, workspaceID, id, documentColumns...)
}

var documentColumns = []string{"id", "workspace_id", "title", "content", "company", "executive", "processing_status"}

// appliedValue returns a tag's value in a document; nil without one.
func (s *Service) appliedValue(ctx context.Context, db dbx.Reader, workspaceID, tagID, documentID string) (*model.AppliedAutoTag, error) {
	row := new(model.AppliedAutoTag)
	err := db.NewSelect().Model(row).
		Where("workspace_id = ? AND document_id = ? AND auto_tag_id = ?", workspaceID, documentID, tagID).Scan(ctx)
	return dbx.NilIfNotFound(row, err)
}

// deleteTagFromDocument deletes a tag's value, review and example in a document.
func deleteTagFromDocument(ctx context.Context, tx dbx.Tx, workspaceID, tagID, documentID string) (removed int, err error) {
	result, err := tx.NewDelete().Model((*model.AppliedAutoTag)(nil)).
		Where("workspace_id = ? AND document_id = ? AND auto_tag_id = ?", workspaceID, documentID, tagID).Exec(ctx)
	if err != nil {
		return 0, dbx.Err(err)
	}
	n, err := result.RowsAffected()
	if err != nil {
		return 0, dbx.Err(err)
	}
	for _, dependent := range []any{(*model.AutoTagReview)(nil), (*model.AutoTagExample)(nil)} {
		if _, err := tx.NewDelete().Model(dependent).
			Where("workspace_id = ? AND document_id = ? AND auto_tag_id = ?", workspaceID, documentID, tagID).Exec(ctx); err != nil {
			return 0, dbx.Err(err)
		}
	}
	return int(n), nil
}
