package tag

import (
	"context"
	"strings"

	"rostrum/dbx"
	"rostrum/model"
)

// likeEscaper escapes the wildcards of a LIKE pattern.
var likeEscaper = strings.NewReplacer("!", "!!", "%", "!%", "_", "!_")

// listFilters returns the workspace's comms filters, oldest first.
func (s *Service) listFilters(ctx context.Context, db dbx.Reader, workspaceID string) ([]*model.CommsFilter, error) {
	rows := []*model.CommsFilter{}
	err := db.NewSelect().Model(&rows).Where("workspace_id = ?", workspaceID).Order("created_at", "auto_tag_id").
		Scan(ctx)
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

// documentByID returns a document with the columns that findings and examples need, or
// errs.NotFound.
func (s *Service) documentByID(ctx context.Context, db dbx.Reader, workspaceID, id string) (*model.Document, error) {
	return s.documents.FindByID(ctx, db, workspaceID, id, documentColumns...)
}

var documentColumns = []string{"id", "workspace_id", "title", "content", "company", "executive", "extracted_date",
	"processing_status"}

// appliedValue returns a tag's value in a document; nil without one.
func (s *Service) appliedValue(ctx context.Context, db dbx.Reader, workspaceID, tagID,
	documentID string) (*model.AppliedAutoTag, error) {
	row := new(model.AppliedAutoTag)
	err := db.NewSelect().Model(row).
		Where("workspace_id = ? AND document_id = ? AND auto_tag_id = ?", workspaceID, documentID, tagID).Scan(ctx)
	return dbx.NilIfNotFound(row, err)
}

// deleteTagFromDocument deletes a tag's value, review and example in a document.
func deleteTagFromDocument(ctx context.Context, tx dbx.Tx, workspaceID, tagID, documentID string) (removed int,
	err error) {
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
			Where("workspace_id = ? AND document_id = ? AND auto_tag_id = ?", workspaceID, documentID, tagID).
			Exec(ctx); err != nil {
			return 0, dbx.Err(err)
		}
	}
	return int(n), nil
}
