package tag

import (
	"context"

	"github.com/uptrace/bun"

	"rostrum/dbx"
	"rostrum/model"
	"rostrum/principal"
)

// AppliedValues returns the values that auto-tags have in the documents, one list for each document, in the order of the documents. It reads
// them with one statement.
func (s *Service) AppliedValues(ctx context.Context, docs []*model.Document) ([][]*model.DocumentAutoTag, error) {
	p := principal.Must(ctx)
	ids := make([]string, len(docs))
	for i, d := range docs {
		ids[i] = d.ID
	}
	rows := []*model.DocumentAutoTag{}
	if len(ids) > 0 {
		q := s.db.NewSelect().Model((*model.DocumentAutoTag)(nil)).
			Column("document_id", "name", "tag_type", "extracted_value", "confidence_score", "applied_at").
			Where("workspace_id = ? AND document_id IN ?", p.WorkspaceID, bun.Tuple(ids)).Order("applied_at", "id")
		var err error
		if rows, err = dbx.Read[model.DocumentAutoTag](ctx, s.db, q); err != nil {
			return nil, err
		}
	}
	return dbx.GroupByKey(ids, rows, func(v *model.DocumentAutoTag) string { return v.DocumentID }), nil
}

// ValuesOfType returns the document ids and values of the applied auto-tags of a type in the documents, in no order.
func (s *Service) ValuesOfType(ctx context.Context, workspaceID, tagType string, documentIDs []string) ([]*model.DocumentAutoTag, error) {
	rows := []*model.DocumentAutoTag{}
	if len(documentIDs) == 0 {
		return rows, nil
	}
	err := s.db.NewSelect().Model(&rows).Column("document_id", "extracted_value").
		Where("workspace_id = ? AND tag_type = ? AND document_id IN ?", workspaceID, tagType, bun.Tuple(documentIDs)).Scan(ctx)
	return rows, dbx.Err(err)
}

// TaggedPairs returns a query of the workspace's pairs of document_id and an auto-tag that was found in it, as parent. A value restricts them
// to the documents with that value.
func (s *Service) TaggedPairs(workspaceID string, value *string) *bun.SelectQuery {
	q := s.db.NewSelect().TableExpr("document_auto_tag").Distinct().ColumnExpr("document_id, auto_tag_id AS parent").Where("workspace_id = ?", workspaceID)
	if value != nil {
		q = q.Where("value_key = ?", keyOf(*value))
	}
	return q
}

// HiddenPairs returns a query of the workspace's pairs of document_id and a comms filter that hides it, as parent.
func (s *Service) HiddenPairs(workspaceID string) *bun.SelectQuery {
	return s.db.NewSelect().TableExpr("document_hidden").ColumnExpr("document_id, auto_tag_id AS parent").Where("workspace_id = ?", workspaceID)
}
